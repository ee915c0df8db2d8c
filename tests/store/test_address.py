"""Where the servers are, as an operator writes it."""

import pytest

from service.store.address import Address, Credentials, read_address
from service.store.redis import RedisStore


def hosts(url: str) -> tuple[str, tuple[tuple[str, int], ...]]:
    address = read_address(url)
    return address.kind, address.hosts


def test_a_server_is_named_by_its_host_or_its_socket() -> None:
    assert read_address("redis://r.example:7000/2").options == {
        "host": "r.example",
        "port": 7000,
        "db": 2,
    }
    assert read_address("unix:///run/s").options["path"] == "/run/s"


def test_sentinels_are_listed_and_name_their_server() -> None:
    address = read_address("redis+sentinel://a,b:7000,[::1]:7001/my%20games/3")
    assert address.kind == "sentinel"
    assert address.hosts == (("a", 26379), ("b", 7000), ("::1", 7001))
    assert (address.service, address.options["db"]) == ("my games", 3)


def test_nodes_of_a_cluster_are_listed() -> None:
    assert hosts("redis+cluster://a,b:7000") == ("cluster", (("a", 6379), ("b", 7000)))
    assert hosts("rediss+cluster://a/0") == ("cluster", (("a", 6379),))


@pytest.mark.parametrize("scheme", ["rediss", "rediss+cluster", "rediss+sentinel"])
def test_a_second_s_is_tls(scheme: str) -> None:
    assert read_address(f"{scheme}://h{_path(scheme)}?ssl_ca_certs={__file__}").has_tls
    assert not read_address(f"{scheme.replace('rediss', 'redis')}://h{_path(scheme)}").has_tls


def _path(scheme: str) -> str:
    return "/games" if scheme.endswith("sentinel") else "/0"


@pytest.mark.parametrize(
    "url", ["redis://u:p%40s@h", "redis+cluster://u:p%40s@h,i", "redis+sentinel://u:p%40s@h,i/n"]
)
def test_user_and_password_stand_before_the_hosts(url: str) -> None:
    options = read_address(url).options
    assert (options["username"], options["password"]) == ("u", "p@s")


def test_user_and_password_beside_the_url_win() -> None:
    def of(address: Address) -> tuple[object, object]:
        return address.options.get("username"), address.options.get("password")

    assert of(read_address("redis://u:p@h", Credentials(password="q"))) == ("u", "q")
    assert of(read_address("redis://h", Credentials(username="v", password="q"))) == ("v", "q")
    assert of(read_address("redis://h", Credentials(sentinel_password="q"))) == (None, None)


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("http://h", "begins with one of"),
        ("redis+http://h", "begins with one of"),
        ("redis://h?decode_responses=True", "unknown options: decode_responses"),
        ("redis://h?socket_timeout=9", "unknown options: socket_timeout"),
        ("redis://h?ssl_ca_certs=/ca.pem", "needs rediss"),
        ("rediss://h?ssl_ca_certs=/no-such-file.pem", "ssl_ca_certs names .* is not there"),
        ("redis://u:qzq@me#x@h/0", "can't be read"),
        ("redis://u:p@h#qzqame", "can't be read"),
        ("redis+sentinel://h", "what the Sentinels call"),
        ("redis+sentinel://h,,i/n", "a comma"),
        ("redis+cluster://h,", "a comma"),
        ("redis+cluster://h/1", "only one"),
        ("redis://:qzqame#s@h", "can't be read"),
        ("redis://:qzq/ame@h:1", "can't be read"),
        ("redis://user:123/qzqame@h:1/0", "can't be read"),
        ("redis://:1/qzqame@h", "can't be read"),
        ("redis://h/qzqame", "can't be read"),
        ("redis+cluster://h/qzqame", "can't be read"),
        ("redis+sentinel://h/name/qzqame", "can't be read"),
        ("redis+sentinel://u:1/qzqame@h/name", "can't be read"),
        ("redis://h/0?x=qzq@ame", "can't be read"),
        ("redis+cluster://u:qzq/ame@h:1,i", "can't be read"),
        ("redis://[qzqame", "can't be read"),
        ("redis://qzqame:port", "can't be read"),
    ],
)
def test_a_url_that_cannot_be_used_is_refused_and_not_repeated(url: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault) as caught:
        RedisStore(url)
    assert "qzq" not in str(caught.value)
