"""k8s/README.md: what an operator copies from it is there, is called so, and is taken."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from service.__main__ import referee
from service.sight.metrics import Metrics
from tests.k8s.manifests import K8S, OVERLAYS, ROOT, built, one, rendered

README = (K8S / "README.md").read_text("utf-8")
COMMANDS = re.findall(r"^```sh\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
MANIFESTS: list[dict[str, Any]] = [
    yaml.safe_load(text)
    for text in re.findall(r"^```yaml\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
]
KINDS = {
    "deployment": "Deployment",
    "job": "Job",
    "networkpolicy": "NetworkPolicy",
    "service": "Service",
    "statefulset": "StatefulSet",
}


def made() -> set[tuple[str, str]]:
    """The kind and the name of all that the overlays make."""
    return {
        (each["kind"], each["metadata"]["name"]) for folder in OVERLAYS for each in rendered(folder)
    }


def secrets() -> set[str]:
    """The Secrets that the overlays ask for, by any of the ways to ask."""
    return {
        name
        for folder in OVERLAYS
        for name in re.findall(
            r"(?:secretName: |secretKeyRef:\n +key: \S+\n +name: |secretRef:\n +name: )(\S+)",
            yaml.safe_dump_all(rendered(folder)),
        )
    }


@pytest.mark.parametrize("number", range(len(COMMANDS)))
def test_a_shell_can_read_the_commands(number: int) -> None:
    checked = subprocess.run(["sh", "-n"], input=COMMANDS[number], text=True, check=False)
    assert checked.returncode == 0


def test_what_it_names_is_made() -> None:
    named = set(
        re.findall(r"\b(deployment|job|networkpolicy|service|statefulset)/([a-z-]+)", README)
    )
    assert len(named) >= len(KINDS)
    assert {(KINDS[kind], name) for kind, name in named} <= made()


def test_the_pods_that_it_names_are_those_of_the_cluster() -> None:
    replicas = one(rendered("overlays/cluster"), "StatefulSet", "valkey-cluster")["spec"][
        "replicas"
    ]
    named = {int(number) for number in re.findall(r"\bvalkey-cluster-(\d)", README)}
    assert named <= set(range(replicas))
    listed = " ".join(str(number) for number in range(replicas))
    assert set(re.findall(r"for pod in (.*); do", README)) == {listed}


def test_the_secrets_that_it_makes_are_those_that_are_asked_for() -> None:
    assert set(re.findall(r"create secret generic (\S+)", README)) == secrets()


def test_the_folders_that_it_names_are_there() -> None:
    named = set(re.findall(r"k8s/[a-z/.]*[a-z]", README)) - {
        "k8s/overlays/ours",
        "k8s/overlays/ours/kustomization.yaml",
    }
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def heads(page: str) -> set[str]:
    """What a link to a head of a page ends with."""
    return {
        re.sub(r"[^a-z0-9 -]", "", line.lower()).strip().replace(" ", "-")
        for line in re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    }


def test_its_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", README):
        path, _, head = target.partition("#")
        if not target.startswith("http"):
            assert (K8S / path).exists(), target
            assert not head or head in heads((K8S / (path or "README.md")).read_text("utf-8"))


def test_what_the_files_say_of_it_is_a_part_of_it() -> None:
    for path in K8S.rglob("*"):
        if path.is_file() and path.name != "README.md":
            text = re.sub(r"\n# ?", " ", path.read_text("utf-8"))
            for head in re.findall(r'README\.md, "([^"]+)"|"(Sizing)"', text):
                assert next(filter(None, head)) in README, path


def test_the_commands_of_the_referee_are_there() -> None:
    pasted = "".join(COMMANDS)
    called = re.findall(r"(?:^|-- )referee ([a-z]+)([^\n|<>]*)", pasted, re.MULTILINE)
    called += re.findall(r"docker run --rm \S+ ([a-z]+)(.*)", pasted)
    called += re.findall(r"`referee ([a-z]+)([^`]*)`", README)
    assert len(called) > 8
    for name, rest in called:
        command = referee.commands[name]
        known = {option for each in command.params for option in each.opts} | {"--help"}
        assert set(re.findall("--[a-z-]+", rest)) <= known, name


def test_the_metrics_that_it_alarms_on_are_there() -> None:
    page, _ = Metrics().page("text/plain")
    known = set(re.findall(r"^# TYPE (\S+)", page.decode(), re.MULTILINE))
    named = set(re.findall(r"\breferee_[a-z_]+", README))
    assert {re.sub("_(bucket|count|sum)$", "", name) for name in named} <= known
    problems = set(re.findall(r'problem="(\w+)"', README))
    assert problems
    assert all(f'referee_problems_total{{problem="{name}"}}' in page.decode() for name in problems)


def test_an_overlay_of_ones_own_can_be_built(tmp_path: Path) -> None:
    (own,) = (each for each in MANIFESTS if each["kind"] == "Kustomization")
    shutil.copytree(K8S, tmp_path / "k8s")
    folder = tmp_path / "k8s/overlays/ours"
    folder.mkdir()
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(own))
    manifests = built(folder)
    settings = one(manifests, "ConfigMap", "referee-settings")["data"]
    assert settings["REFEREE_TRUSTED_PROXIES"] == "10.244.0.0/16"
    assert settings["REFEREE_LOG_LEVEL"] == "info"
    assert "image: registry.example/games/persian-rummy-referee:" in yaml.safe_dump_all(manifests)


def test_the_ingress_leads_to_the_service() -> None:
    (ingress,) = (each for each in MANIFESTS if each["kind"] == "Ingress")
    kubernetes_validate.validate(ingress, kubernetes_validate.latest_version(), strict=True)
    (path,) = ingress["spec"]["rules"][0]["http"]["paths"]
    service = one(rendered("base"), "Service", path["backend"]["service"]["name"])
    ports = {port["name"] for port in service["spec"]["ports"]}
    assert path["backend"]["service"]["port"]["name"] in ports
