"""Whatever the pods of the referee are told is a setting, and one that can be read."""

import re

import pytest

from service.settings import PREFIX, Settings, read_settings, variable
from service.store.address import read_address
from tests.k8s.manifests import K8S, OVERLAYS, REFEREE, Manifest, container, one, pod, rendered
from tests.whole.replay import FINAL

KNOWN = {variable(field) for field in Settings.__struct_fields__}
CLOSING = 2
"""Seconds that closing the store and sending the last traces may take after the last request."""
MOST = 10
"""Some orchestrators kill after so many seconds."""

# What the operator puts into the Secret of the overlay that has nothing else to go by.
SECRET = {
    "REFEREE_REDIS_URL": "redis+sentinel://s1.example:26379,s2.example:26379/games/0",
    "REFEREE_REDIS_PASSWORD": "secret",
}


def told(folder: str) -> dict[str, str]:
    """The variables of the container, as the image and the manifests have them."""
    manifests = rendered(folder)
    referee = container(one(manifests, "Deployment", REFEREE), REFEREE)
    variables = dict(FINAL.last("ENV").pairs)
    for source in referee["envFrom"]:
        if "configMapRef" in source:
            variables |= one(manifests, "ConfigMap", "referee-settings")["data"]
        elif not source["secretRef"]["optional"]:
            variables |= SECRET
    for each in referee.get("env", []):
        assert "value" not in each, "a value belongs into the ConfigMap"
        variables[each["name"]] = "secret"
    return variables


@pytest.mark.parametrize("folder", OVERLAYS)
def test_they_can_be_read(folder: str) -> None:
    # A variable that is no setting is refused, too.
    settings = read_settings(told(folder))
    assert settings.redis_url is not None
    read_address(settings.redis_url)


@pytest.mark.parametrize("folder", ["base", *OVERLAYS])
def test_the_config_map_holds_settings_and_no_secret(folder: str) -> None:
    names = one(rendered(folder), "ConfigMap", "referee-settings")["data"].keys()
    assert set(names) <= KNOWN
    assert not [name for name in names if re.search("PASSWORD|KEYS", name)]


@pytest.mark.parametrize("folder", ["base", *OVERLAYS])
def test_no_values_are_listed_that_are_the_same_in_the_image(folder: str) -> None:
    listed = one(rendered(folder), "ConfigMap", "referee-settings")["data"].keys()
    assert not listed & FINAL.last("ENV").pairs.keys()


@pytest.mark.parametrize("folder", OVERLAYS)
def test_a_pod_stops_within_its_grace(folder: str) -> None:
    settings = read_settings(told(folder))
    referee = one(rendered(folder), "Deployment", REFEREE)
    probe = container(referee, REFEREE)["readinessProbe"]
    # Whoever asks as often as the probe has heard it while everything is still served.
    assert probe["periodSeconds"] < settings.drain_seconds
    stopped = settings.drain_seconds + settings.shutdown_seconds + CLOSING
    assert stopped < MOST < pod(referee)["terminationGracePeriodSeconds"]
    # It would only put off the signal, with /readyz still saying yes.
    assert "lifecycle" not in container(referee, REFEREE)


def test_the_readme_speaks_of_settings() -> None:
    texts = [path.read_text("utf-8") for path in sorted(K8S.rglob("*")) if path.is_file()]
    named = {name for text in texts for name in re.findall(rf"{PREFIX}[A-Z_]*[A-Z]", text)}
    assert named
    assert named <= KNOWN


def _refers(referee: Manifest, kind: str) -> list[str]:
    return [source[kind]["name"] for source in referee["envFrom"] if kind in source]


def test_only_production_insists_on_its_secret() -> None:
    for folder in OVERLAYS:
        referee = container(one(rendered(folder), "Deployment", REFEREE), REFEREE)
        assert _refers(referee, "secretRef") == ["referee"]
        (source,) = (each["secretRef"] for each in referee["envFrom"] if "secretRef" in each)
        assert source["optional"] == (folder != "overlays/production")
