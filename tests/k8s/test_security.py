"""No pod may do more than it needs, and nothing secret is written down."""

import re

import pytest

from tests.k8s.manifests import (
    CONTROLLERS,
    FOLDERS,
    K8S,
    every_container,
    of_kind,
    pod,
    rendered,
)


@pytest.mark.parametrize("folder", FOLDERS)
def test_pods_run_as_somebody_without_rights(folder: str) -> None:
    for controller in of_kind(rendered(folder), *CONTROLLERS):
        spec = pod(controller)
        context = spec["securityContext"]
        assert context["runAsNonRoot"]
        # No user of the machine that the pod runs on has such a number.
        assert context["runAsUser"] >= 10000
        assert context["runAsGroup"] >= 10000
        assert context["seccompProfile"] == {"type": "RuntimeDefault"}
        assert spec["automountServiceAccountToken"] is False
        # A Service named referee would be told as REFEREE_PORT, which is a setting.
        assert spec["enableServiceLinks"] is False
        assert not {"hostNetwork", "hostPID", "hostIPC", "hostUsers"} & spec.keys()


@pytest.mark.parametrize("folder", FOLDERS)
def test_containers_cannot_change_what_they_are(folder: str) -> None:
    for where, _, container in every_container(folder):
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }, where


@pytest.mark.parametrize("folder", FOLDERS)
def test_volumes_are_of_harmless_kinds(folder: str) -> None:
    for controller in of_kind(rendered(folder), *CONTROLLERS):
        for volume in pod(controller).get("volumes", []):
            assert volume.keys() - {"name"} <= {"configMap", "emptyDir", "secret"}


@pytest.mark.parametrize("folder", FOLDERS)
def test_containers_say_what_they_need_and_how_much_memory_they_get(folder: str) -> None:
    for where, _, container in every_container(folder):
        resources = container["resources"]
        assert resources["requests"].keys() >= {"cpu", "memory"}, where
        assert resources["limits"]["memory"], where


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_serves_is_probed(folder: str) -> None:
    for where, _, container in every_container(folder):
        if "ports" in container:
            assert container.keys() >= {"livenessProbe", "readinessProbe"}, where


@pytest.mark.parametrize("folder", FOLDERS)
def test_images_are_pinned_to_one_release(folder: str) -> None:
    for where, _, container in every_container(folder):
        assert re.fullmatch(r"[a-z/-]+:\d+\.\d+\.\d+", container["image"]), where


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_secret_is_made_here(folder: str) -> None:
    assert not of_kind(rendered(folder), "Secret")
    for where, _, container in every_container(folder):
        for variable in container.get("env", []):
            if re.search("PASSWORD|AUTH|KEYS", variable["name"]):
                assert "secretKeyRef" in variable["valueFrom"], where


def test_no_address_holds_a_password() -> None:
    for path in K8S.rglob("*"):
        if path.is_file():
            assert not re.search(
                r"\b(redis|rediss|unix)(\+\w+)?://[^/\s]*@", path.read_text("utf-8")
            )
