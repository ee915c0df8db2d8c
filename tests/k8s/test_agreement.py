"""The manifests agree with each other, with the image and with the project."""

import re
import tomllib
from typing import Any

import pytest

from tests.k8s.manifests import (
    CONTROLLERS,
    FOLDERS,
    REFEREE,
    ROOT,
    Manifest,
    container,
    containers,
    labels,
    of_kind,
    one,
    pod,
    rendered,
    selects,
)
from tests.whole.replay import FINAL

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
DNS = {("UDP", 53), ("TCP", 53)}


def controllers(folder: str) -> list[Manifest]:
    return of_kind(rendered(folder), *CONTROLLERS)


def named_ports(controller: Manifest) -> dict[str, int]:
    return {
        port["name"]: port["containerPort"]
        for each in containers(controller)
        for port in each.get("ports", [])
    }


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_image_is_this_release_as_its_dockerfile_makes_it(folder: str) -> None:
    deployment = one(rendered(folder), "Deployment", REFEREE)
    referee = container(deployment, REFEREE)
    assert referee["image"] == f"persian-rummy-referee:{VERSION}"
    user, group = FINAL.last("USER").text.split(":")
    context = pod(deployment)["securityContext"]
    assert (context["runAsUser"], context["runAsGroup"]) == (int(user), int(group))
    assert named_ports(deployment) == {"http": int(FINAL.last("EXPOSE").text)}
    annotated = deployment["spec"]["template"]["metadata"]["annotations"]
    assert annotated["prometheus.io/port"] == FINAL.last("EXPOSE").text
    # The image says what is run, so that it is the same with any other engine.
    assert "command" not in referee
    assert "args" not in referee


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_controller_finds_its_own_pods_and_no_others(folder: str) -> None:
    found = controllers(folder)
    for controller in found:
        selector = controller["spec"].get("selector", {"matchLabels": labels(controller)})
        assert [each for each in found if selects(selector, labels(each))] == [controller]


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_service_leads_to_a_port_of_one_kind_of_pod(folder: str) -> None:
    found = controllers(folder)
    for service in of_kind(rendered(folder), "Service"):
        selector = {"matchLabels": service["spec"]["selector"]}
        (behind,) = (each for each in found if selects(selector, labels(each)))
        for port in service["spec"]["ports"]:
            assert port["targetPort"] in named_ports(behind)
            if behind["kind"] == "StatefulSet":
                # A name that leads to the pod itself knows nothing of other ports.
                assert named_ports(behind)[port["targetPort"]] == port["port"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_stateful_set_has_the_service_that_names_its_pods(folder: str) -> None:
    manifests = rendered(folder)
    for each in of_kind(manifests, "StatefulSet"):
        service = one(manifests, "Service", each["spec"]["serviceName"])
        assert service["spec"]["clusterIP"] == "None"
        assert selects({"matchLabels": service["spec"]["selector"]}, labels(each))


@pytest.mark.parametrize("folder", FOLDERS)
def test_probes_ask_at_ports_that_there_are(folder: str) -> None:
    for controller in controllers(folder):
        for each in containers(controller):
            for kind in ("startupProbe", "livenessProbe", "readinessProbe"):
                asked = each.get(kind, {}).get("httpGet")
                if asked:
                    assert asked["port"] in named_ports(controller)
                    assert asked["path"] == ("/readyz" if kind == "readinessProbe" else "/healthz")


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_autoscaler_scales_the_deployment_which_has_no_number_of_its_own(folder: str) -> None:
    manifests = rendered(folder)
    scaler = one(manifests, "HorizontalPodAutoscaler", REFEREE)
    target = scaler["spec"]["scaleTargetRef"]
    deployment = one(manifests, target["kind"], target["name"])
    assert target["apiVersion"] == deployment["apiVersion"]
    assert "replicas" not in deployment["spec"]
    # What it counts is a share of what is requested.
    for each in containers(deployment):
        assert each["resources"]["requests"]["cpu"]
    assert scaler["spec"]["minReplicas"] >= 2


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_budget_is_for_one_controller_and_lets_one_pod_go(folder: str) -> None:
    found = controllers(folder)
    for budget in of_kind(rendered(folder), "PodDisruptionBudget"):
        selector = budget["spec"]["selector"]
        assert len([each for each in found if selects(selector, labels(each))]) == 1
        assert budget["spec"]["maxUnavailable"] == 1
        # One that was never ready keeps no machine from being drained.
        assert budget["spec"]["unhealthyPodEvictionPolicy"] == "AlwaysAllow"


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_rollout_never_has_fewer_pods_than_before(folder: str) -> None:
    spec = one(rendered(folder), "Deployment", REFEREE)["spec"]
    assert spec["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}


@pytest.mark.parametrize("folder", FOLDERS)
def test_pods_are_spread_by_their_own_labels(folder: str) -> None:
    for controller in controllers(folder):
        constraints = pod(controller).get("topologySpreadConstraints", [])
        if controller["kind"] != "Job" and controller["spec"].get("replicas") != 1:
            assert {each["topologyKey"] for each in constraints} == {
                "topology.kubernetes.io/zone",
                "kubernetes.io/hostname",
            }
        for each in constraints:
            assert selects(each["labelSelector"], labels(controller))


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_rule_of_spreading_keeps_a_pod_from_starting(folder: str) -> None:
    for controller in controllers(folder):
        spec = pod(controller)
        for each in spec.get("topologySpreadConstraints", []):
            # One that forbids takes a machine that is full for an empty one, and then no pod that a
            # drained machine has to give away finds a place.
            assert each["whenUnsatisfiable"] == "ScheduleAnyway"
            # And one without this takes a machine that is being drained for an empty one.
            assert each["nodeTaintsPolicy"] == "Honor"
        for kind in ("podAffinity", "podAntiAffinity"):
            rules = spec.get("affinity", {}).get(kind, {})
            assert "requiredDuringSchedulingIgnoredDuringExecution" not in rules


def test_the_job_ends_but_not_before_its_runs_do() -> None:
    spec = one(rendered("overlays/cluster"), "Job", "valkey-cluster-form")["spec"]
    script = one(rendered("overlays/cluster"), "ConfigMap", "valkey-cluster")["data"]["form.sh"]
    (within,) = re.findall(r"\$\{WITHIN:-(\d+)\}", script)
    runs = spec["backoffLimit"] + 1
    # The pauses between them double, from ten seconds.
    pauses = sum(10 * 2**number for number in range(spec["backoffLimit"]))
    assert runs * int(within) + pauses < spec["activeDeadlineSeconds"] <= 3600


def policy_of(folder: str, controller: Manifest) -> Manifest:
    (found,) = (
        each
        for each in of_kind(rendered(folder), "NetworkPolicy")
        if selects(each["spec"]["podSelector"], labels(controller))
    )
    return found["spec"]


def allowed(rules: list[dict[str, Any]], side: str, peer: Manifest, port: str) -> bool:
    """Whether some rule lets a pod in, or out to it, at a port that may have a name."""
    return any(
        any(selects(each["podSelector"], labels(peer)) for each in rule.get(side, []))
        and port in [str(each["port"]) for each in rule["ports"]]
        for rule in rules
    )


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_pod_has_one_policy_for_both_ways(folder: str) -> None:
    for controller in controllers(folder):
        policy = policy_of(folder, controller)
        assert set(policy["policyTypes"]) == {"Ingress", "Egress"}
        for rule in policy.get("ingress", []):
            for port in rule["ports"]:
                assert port["port"] in named_ports(controller)


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_referee_lets_http_in_and_asks_names_and_the_store(folder: str) -> None:
    policy = policy_of(folder, one(rendered(folder), "Deployment", REFEREE))
    assert policy["ingress"] == [{"ports": [{"port": "http", "protocol": "TCP"}]}]
    names, store = policy["egress"]
    assert {(port["protocol"], port["port"]) for port in names["ports"]} == DNS
    ports = {port["port"] for port in store["ports"]}
    assert ports == ({6379, 6380, 26379} if folder == "overlays/production" else {6379})


@pytest.mark.parametrize("folder", ["overlays/dev", "overlays/cluster"])
def test_the_store_is_open_to_the_referee_and_the_referee_to_nothing_else(folder: str) -> None:
    manifests = rendered(folder)
    referee = one(manifests, "Deployment", REFEREE)
    (store,) = of_kind(manifests, "StatefulSet")
    assert allowed(policy_of(folder, store)["ingress"], "from", referee, "valkey")
    assert not allowed(policy_of(folder, store)["ingress"], "from", referee, "bus")
    assert allowed(policy_of(folder, referee)["egress"], "to", store, "6379")
    assert all("from" in rule for rule in policy_of(folder, store)["ingress"])
    assert all(
        "to" in rule or {(each["protocol"], each["port"]) for each in rule["ports"]} == DNS
        for rule in policy_of(folder, referee)["egress"]
    )


def test_nodes_talk_to_each_other_and_the_job_talks_to_them() -> None:
    manifests = rendered("overlays/cluster")
    nodes = one(manifests, "StatefulSet", "valkey-cluster")
    job = one(manifests, "Job", "valkey-cluster-form")
    server = policy_of("overlays/cluster", nodes)
    for name, number in named_ports(nodes).items():
        assert allowed(server["ingress"], "from", nodes, name)
        assert allowed(server["egress"], "to", nodes, str(number))
    assert allowed(server["ingress"], "from", job, "valkey")
    assert allowed(policy_of("overlays/cluster", job)["egress"], "to", nodes, "6379")
    assert "ingress" not in policy_of("overlays/cluster", job)


def test_everybody_knows_the_same_six_nodes() -> None:
    manifests = rendered("overlays/cluster")
    nodes = one(manifests, "StatefulSet", "valkey-cluster")
    port = named_ports(nodes)["valkey"]
    names = [
        f"valkey-cluster-{number}.{nodes['spec']['serviceName']}:{port}"
        for number in range(nodes["spec"]["replicas"])
    ]
    assert one(manifests, "ConfigMap", "valkey-cluster-nodes")["data"]["NODES"].split() == names
    url = one(manifests, "ConfigMap", "referee-settings")["data"]["REFEREE_REDIS_URL"]
    assert url == f"redis+cluster://{','.join(names)}"
