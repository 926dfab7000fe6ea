"""Would a cluster take the manifests, and do they fit each other and the program? No cluster is needed.

kubernetes.py POSENCD - needs kubernetes-validate and PyYAML; uses kubectl where it is installed.
"""

import copy
import pathlib
import shutil
import subprocess
import sys

import kubernetes_validate
import yaml

HERE = pathlib.Path(__file__).resolve().parents[2] / "docker/kubernetes"
VERSIONS = ("1.31", "1.37")  # the oldest and the newest that the schemas know
OVERTIME_S = 2  # what a server grants a request beyond its drain time-out
APPLICATION = "app.kubernetes.io/name"


def load(folder):
    """The documents of a folder: as kustomize gives them, or else as they stand in its files."""
    if shutil.which("kubectl"):
        text = subprocess.run(["kubectl", "kustomize", str(HERE / folder)], check=True, capture_output=True).stdout
        return list(yaml.safe_load_all(text))
    kustomization = yaml.safe_load((HERE / folder / "kustomization.yaml").read_text())
    documents = []
    for name in kustomization["resources"] + kustomization.get("components", []):
        path = HERE / folder / name
        if path.is_dir():
            documents += load(path.resolve().relative_to(HERE))
        else:
            documents.append(yaml.safe_load(path.read_text()))
    return documents


def one(documents, kind):
    return next(document for document in documents if document["kind"] == kind)


def schema_problems(documents):
    """Wrong kinds and types, missing fields, and fields that do not exist."""
    for document in documents:
        if "monitoring.coreos.com" in document["apiVersion"]:
            continue  # of the Prometheus operator: no schema of Kubernetes
        for version in VERSIONS:
            try:
                kubernetes_validate.validate(document, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                yield f"{document['kind']} in {version}: {error.message}"
            except kubernetes_validate.SchemaNotFoundError:
                yield f"{document['kind']} of {document['apiVersion']} is not in {version}"


def selects(selector, labels):
    return bool(selector) and selector.items() <= labels.items()


def selector_problems(documents):
    """Whatever selects pods must select ours, and not all that there are."""
    deployment = one(documents, "Deployment")
    pod = deployment["spec"]["template"]
    labels, ports = pod["metadata"]["labels"], pod["spec"]["containers"][0]["ports"]
    service = one(documents, "Service")
    selectors = {
        "Deployment": deployment["spec"]["selector"]["matchLabels"],
        "Service": service["spec"]["selector"],
        "PodDisruptionBudget": one(documents, "PodDisruptionBudget")["spec"]["selector"].get("matchLabels"),
        "NetworkPolicy": one(documents, "NetworkPolicy")["spec"]["podSelector"].get("matchLabels"),
    }
    for spread in pod["spec"]["topologySpreadConstraints"]:
        selectors[spread["topologyKey"]] = spread["labelSelector"].get("matchLabels")
    for name, selector in selectors.items():
        if not selects(selector, labels):
            yield f"{name} selects {selector} and pods have {labels}"
    target = one(documents, "HorizontalPodAutoscaler")["spec"]["scaleTargetRef"]
    if (target["kind"], target["name"]) != ("Deployment", deployment["metadata"]["name"]):
        yield f"the autoscaler's target is {target}"
    names = {port["name"] for port in ports}
    container = pod["spec"]["containers"][0]
    used = [port["targetPort"] for port in service["spec"]["ports"]]
    used += [container[probe]["httpGet"]["port"] for probe in ("readinessProbe", "livenessProbe")]
    used += [port["port"] for rule in one(documents, "NetworkPolicy")["spec"]["ingress"] for port in rule["ports"]]
    for port in used:
        if port not in names:
            yield f"port {port} is none of {names}"
    for account in [d for d in documents if d["kind"] == "ServiceAccount"]:
        if account["metadata"]["name"] != pod["spec"]["serviceAccountName"]:
            yield "pods run under an account that is not here"
    for monitor in [d for d in documents if d["kind"] == "ServiceMonitor"]:
        if not selects(monitor["spec"]["selector"]["matchLabels"], service["metadata"]["labels"]):
            yield "the monitor does not select the service"
        for endpoint in monitor["spec"]["endpoints"]:
            if endpoint["port"] not in {port["name"] for port in service["spec"]["ports"]}:
                yield f"the monitor asks at {endpoint['port']}"


def restriction_problems(documents):
    """The pod security standard `restricted`, and what this service does without beside."""
    pod = one(documents, "Deployment")["spec"]["template"]["spec"]
    container = pod["containers"][0]
    facts = {
        "not root": pod["securityContext"].get("runAsNonRoot") is True,
        "a user above 10000": pod["securityContext"].get("runAsUser", 0) > 10000,
        "seccomp": pod["securityContext"].get("seccompProfile") == {"type": "RuntimeDefault"},
        "no more privileges": container["securityContext"].get("allowPrivilegeEscalation") is False,
        "no capability": container["securityContext"].get("capabilities") == {"drop": ["ALL"]},
        "a root nobody writes": container["securityContext"].get("readOnlyRootFilesystem") is True,
        "no token": pod.get("automountServiceAccountToken") is False,
        "no service links": pod.get("enableServiceLinks") is False,
        "a limit of memory": "memory" in container["resources"].get("limits", {}),
        "a request of the processor": "cpu" in container["resources"].get("requests", {}),
        "no call to others": one(documents, "NetworkPolicy")["spec"].get("egress") == [],
        "no host's folders": "volumes" not in pod,
    }
    return [f"missing: {fact}" for fact, holds in facts.items() if not holds]


def environment(documents):
    container = one(documents, "Deployment")["spec"]["template"]["spec"]["containers"][0]
    return {entry["name"]: entry["value"] for entry in container["env"]}


def settings_problems(documents, posencd):
    """The program knows the variables, takes their values, and has time to drain."""
    variables = environment(documents)
    read = subprocess.run([posencd, "--check-config"], env=variables, capture_output=True, text=True)
    if read.returncode:
        yield f"posencd does not take its environment: {read.stderr}"
    pod = one(documents, "Deployment")["spec"]["template"]["spec"]
    needed = int(variables["POSENC_DRAIN_DELAY"]) + int(variables["POSENC_DRAIN_TIMEOUT"]) + OVERTIME_S
    if pod["terminationGracePeriodSeconds"] <= needed:
        yield f"a pod may take {needed} s to drain and is killed after {pod['terminationGracePeriodSeconds']} s"
    probe = pod["containers"][0]["readinessProbe"]
    if int(variables["POSENC_DRAIN_DELAY"]) <= probe["periodSeconds"] * probe["failureThreshold"]:
        yield "a pod is gone before its readiness probe can fail"
    for port in pod["containers"][0]["ports"]:
        variable = {"http": "POSENC_LISTEN", "admin": "POSENC_ADMIN_LISTEN"}[port["name"]]
        if variables[variable].rsplit(":", 1)[1] != str(port["containerPort"]):
            yield f"{variable} is another port than the container's"


def problems(documents, posencd):
    found = list(schema_problems(documents))
    if found:
        return found  # the rest relies on the fields that must be there
    found = list(selector_problems(documents)) + restriction_problems(documents)
    return found + list(settings_problems(documents, posencd))


def set_at(documents, kind, path, value):
    """A copy with another value, or without it when that is None."""
    changed = copy.deepcopy(documents)
    place = one(changed, kind)
    for step in path[:-1]:
        place = place[step]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return changed


POD = ("spec", "template", "spec")
CONTAINER = POD + ("containers", 0)
MISTAKES = {
    "a field that does not exist": ("Deployment", CONTAINER + ("readynessProbe",), {}),
    "a wrong type": ("Deployment", POD + ("terminationGracePeriodSeconds",), "40 seconds"),
    "a missing selector": ("Deployment", ("spec", "selector"), None),
    "a kind that does not exist": ("Service", ("apiVersion",), "v3"),
    "a service that selects no pod": ("Service", ("spec", "selector"), {APPLICATION: "posencd"}),
    "a budget that selects all pods": ("PodDisruptionBudget", ("spec", "selector"), {}),
    "a port that is not there": ("NetworkPolicy", ("spec", "ingress"), [{"ports": [{"port": "https"}]}]),
    "a target that is not there": ("HorizontalPodAutoscaler", ("spec", "scaleTargetRef", "name"), "posencd"),
    "service links": ("Deployment", POD + ("enableServiceLinks",), None),
    "root": ("Deployment", POD + ("securityContext", "runAsNonRoot"), None),
    "a capability": ("Deployment", CONTAINER + ("securityContext", "capabilities", "drop"), ["NET_RAW"]),
    "a setting that does not exist": ("Deployment", CONTAINER + ("env", 2, "name"), "POSENC_THREAD"),
    "a setting's bad value": ("Deployment", CONTAINER + ("env", 2, "value"), "none"),
    "too little time": ("Deployment", POD + ("terminationGracePeriodSeconds",), 30),
}


def main():
    posencd, passed, failed = sys.argv[1], 0, 0
    if not shutil.which("kubectl"):
        print("        no kubectl here: overlays are read without kustomize")
    for folder in ("base", "example"):
        documents = load(folder)
        found = problems(documents, posencd)
        for problem in found:
            print(f"        {problem}")
        print(f"{'FAILED ' if found else 'ok     '} {folder}: {len(documents)} documents")
        passed, failed = passed + (not found), failed + bool(found)
    base = load("base")
    for mistake, (kind, path, value) in MISTAKES.items():
        found = problems(set_at(base, kind, path, value), posencd)
        print(f"{'ok     ' if found else 'FAILED '} {mistake} is found")
        passed, failed = passed + bool(found), failed + (not found)
    print(f"kubernetes: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
