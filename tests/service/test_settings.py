"""Settings from the environment: what is taken, and one line for each thing that is not."""

from pathlib import Path

import pytest

from service.settings import Settings, SettingsError, read_settings

HOME = {"HOME": "/home/north", "PATH": "/bin"}


def lines(environ: dict[str, str], **overrides: str | int | Path | None) -> list[str]:
    with pytest.raises(SettingsError) as refused:
        read_settings(HOME | environ, **overrides)
    assert str(refused.value).splitlines() == refused.value.lines
    return refused.value.lines


def test_an_empty_environment_listens_on_this_machine_only() -> None:
    settings = read_settings(HOME)
    assert (settings.host, settings.port, settings.redis_url) == ("127.0.0.1", 8000, None)
    assert settings.data == Path("/home/north/.local/share/persian-rummy-referee")
    assert settings.cors_origins == ()
    assert 0 < settings.waiting_seconds < settings.playing_seconds < settings.finished_seconds


@pytest.mark.parametrize("field", Settings.__struct_fields__)
def test_every_field_has_its_variable_which_is_judged(field: str) -> None:
    (line,) = lines({f"REFEREE_{field.upper()}": "\0"})
    assert line.startswith(f"REFEREE_{field.upper()} must be ")


def test_variables_become_fields() -> None:
    environ = {
        "REFEREE_HOST": "0.0.0.0",
        "REFEREE_PORT": "0",
        "REFEREE_DATA": "/srv/games",
        "REFEREE_REDIS_URL": "rediss://user:hush@redis.example:6380/1",
        "REFEREE_CORS_ORIGINS": "https://cards.example, http://localhost:3000",
        "REFEREE_WAITING_SECONDS": "60",
        "REFEREE_PLAYING_SECONDS": "120",
        "REFEREE_FINISHED_SECONDS": "180",
        "REFEREE_SHUTDOWN_SECONDS": "5",
        "REFEREE_LOG_LEVEL": "debug",
        "REFEREE_LOG_FORMAT": "json",
    }
    assert read_settings(environ) == Settings(
        host="0.0.0.0",
        port=0,
        data=Path("/srv/games"),
        redis_url="rediss://user:hush@redis.example:6380/1",
        cors_origins=("https://cards.example", "http://localhost:3000"),
        waiting_seconds=60,
        playing_seconds=120,
        finished_seconds=180,
        shutdown_seconds=5,
        log_level="debug",
        log_format="json",
    )


def test_the_data_folder_follows_the_xdg_specification() -> None:
    def data(**environ: str) -> Path:
        return read_settings(HOME | environ).data

    assert data(XDG_DATA_HOME="/xdg") == Path("/xdg/persian-rummy-referee")
    home = Path("/home/north/.local/share/persian-rummy-referee")
    assert data(XDG_DATA_HOME="") == data(XDG_DATA_HOME="relative") == home


def test_a_home_is_needed_only_for_the_embedded_store() -> None:
    with pytest.raises(SettingsError, match="REFEREE_DATA is needed"):
        read_settings({})
    assert read_settings({"REFEREE_DATA": "/d"}).data == Path("/d")
    assert read_settings({"REFEREE_REDIS_URL": "redis://r"}).redis_url == "redis://r"


def test_an_empty_variable_is_as_good_as_none() -> None:
    assert read_settings(HOME | {"REFEREE_PORT": "", "REFEREE_REDIS_URL": ""}).port == 8000


@pytest.mark.parametrize(
    ("name", "value"),
    [("PORT", "65536"), ("PORT", "-1"), ("PORT", "+80"), ("PORT", "8_000"), ("PORT", "٨٠"),
     ("PORT", " 80"), ("PORT", "080"), ("PORT", "8000.0"), ("PORT", "1" * 5000),
     ("PORT", "tcp://10.0.0.1:80"), ("HOST", "a b"), ("HOST", "http://x"), ("DATA", "a\0b"),
     ("CORS_ORIGINS", "cards.example"), ("CORS_ORIGINS", "https://cards.example/"),
     ("CORS_ORIGINS", "https://a.example,,"), ("WAITING_SECONDS", "0"),
     ("PLAYING_SECONDS", "99999999999"), ("FINISHED_SECONDS", "1d"), ("SHUTDOWN_SECONDS", "301"),
     ("LOG_LEVEL", "INFO"), ("LOG_LEVEL", "loud"), ("LOG_FORMAT", "xml")],
)  # fmt: skip
def test_a_wrong_value_is_named_in_one_line(name: str, value: str) -> None:
    (line,) = lines({f"REFEREE_{name}": value})
    assert line.startswith(f"REFEREE_{name} must be ")
    assert line.endswith(f", not {value!r}")


def test_a_wrong_url_is_not_repeated_as_it_may_hold_a_password() -> None:
    (line,) = lines({"REFEREE_REDIS_URL": "http://user:hush@redis"})
    assert line.startswith("REFEREE_REDIS_URL must be ")
    assert "hush" not in line


def test_an_unknown_variable_of_ours_is_refused() -> None:
    found = lines({"REFEREE_PROT": "80", "REFEREE_port": "80", "OTHER": "x"})
    assert found == [
        "REFEREE_PROT is no setting of this service",
        "REFEREE_port is no setting of this service",
    ]


def test_all_that_is_wrong_is_said_at_once() -> None:
    found = lines({"REFEREE_PROT": "80", "REFEREE_PORT": "x"}, host="a b", log_level="loud")
    assert [line.split()[0] for line in found] == [
        "REFEREE_PROT", "--host", "REFEREE_PORT", "--log-level"
    ]  # fmt: skip


def test_the_command_line_wins() -> None:
    environ = HOME | {"REFEREE_PORT": "81", "REFEREE_HOST": "::1", "REFEREE_LOG_LEVEL": "bad"}
    settings = read_settings(environ, port=0, host=None, data=Path("/d"), log_level="error")
    assert (settings.port, settings.host, settings.data) == (0, "::1", Path("/d"))
    assert settings.log_level == "error"
