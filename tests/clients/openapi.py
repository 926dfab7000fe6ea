"""Holds /openapi.json of a running posencd against validators, and the server against it.

    python openapi.py POSENCD

starts that program on a free port. What it checks: that the document is OpenAPI 3.1; that every
golden request has a path, a method and a status there, and that its reply is as the document says;
that what was answered with 200 is a request as the document says, and its echo one that can be sent
again; that schemathesis, which makes requests up from the document, finds no fault. Needs
openapi-spec-validator, jsonschema and schemathesis.
"""

import copy
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse

import jsonschema
import openapi_spec_validator
import referencing
import referencing.jsonschema
from running import ANSWER_S, Checks, Server

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(HERE, os.pardir, "golden", "*.jsonl")
LOCATION = "urn:posenc:openapi"

# Of schemathesis: made-up requests of each operation, and the seconds in which it must be done.
EXAMPLES = 15
FUZZ_SECONDS = 900
FUZZ_CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
]

checks = Checks()
check = checks.check


def point(*steps):
    """A reference to a part of the document."""
    return LOCATION + "#/" + "/".join(s.replace("~", "~0").replace("/", "~1") for s in steps)


class Document:
    def __init__(self, text):
        self.root = json.loads(text, object_pairs_hook=refuse_duplicates)
        known = copy.deepcopy(self.root)
        known["components"]["schemas"].update(self.echoes())
        resource = referencing.jsonschema.DRAFT202012.create_resource(known)
        self.registry = referencing.Registry().with_resource(LOCATION, resource)
        self.validators = {}
        self.templates = [(template_pattern(path), path) for path in self.root["paths"]]

    def echoes(self):
        """Of each request's schema what any of its properties may be, none of which is required."""
        return {
            f"echo.{name}": {
                "properties": schema["properties"],
                "additionalProperties": schema["additionalProperties"],
            }
            for name, schema in self.root["components"]["schemas"].items()
            if "properties" in schema and schema.get("additionalProperties") is False
        }

    def follow(self, part):
        """What a part is, where it is a reference."""
        while "$ref" in part:
            steps, part = part["$ref"].split("/")[1:], self.root
            for step in steps:
                part = part[step]
        return part

    def fault(self, value, *steps):
        """Why a value does not have the schema at that place; None when it does."""
        if steps not in self.validators:
            self.validators[steps] = jsonschema.Draft202012Validator(
                {"$ref": point(*steps)}, registry=self.registry
            )
        error = jsonschema.exceptions.best_match(self.validators[steps].iter_errors(value))
        return error and f"{error.json_path}: {error.message[:400]}"

    def path_of(self, path):
        """The path item's key; None when no path of the document fits."""
        exact = [key for pattern, key in self.templates if key == path]
        return next(iter(exact + [k for p, k in self.templates if p.fullmatch(path)]), None)


def refuse_duplicates(pairs):
    assert len(dict(pairs)) == len(pairs), [name for name, _ in pairs]
    return dict(pairs)


def template_pattern(path):
    return re.compile("".join("[^/]+" if part[:1] == "{" else re.escape(part)
                              for part in re.split(r"(\{[^}]*\})", path)))


def check_document(document, text):
    errors = list(openapi_spec_validator.OpenAPIV31SpecValidator(document.root).iter_errors())
    check("the document is OpenAPI 3.1", not errors, errors[:1])
    ids = [
        operation["operationId"]
        for item in document.root["paths"].values()
        for method, operation in item.items()
        if method != "parameters"
    ]
    check("ids of operations are unique", len(set(ids)) == len(ids))
    check("every encoding is there", len(document.root["paths"]) > 50 and text.endswith(b"\n"))


# Golden requests.


def target_of(request):
    query = request.get("query_text") or urllib.parse.urlencode(request.get("query", {}))
    return request["path"] + ("?" + query if query else "")


def read_json(data):
    try:
        return json.loads(data)
    except ValueError:
        return None


def check_headers(document, response, declared, what):
    for name, header in declared.get("headers", {}).items():
        value = response.headers.get(name)
        schema = document.follow(header)["schema"]
        if value is not None and "pattern" in schema:
            check(f"{what}: {name}", re.search(schema["pattern"], value), value)


def check_reply(document, response, steps, what):
    """A reply against the responses object at `steps`."""
    part = document.root
    for step in steps:
        part = part[step]
    status = str(response.status)
    if status not in part:
        check(f"{what}: the status {status} is declared", False, response.data[:300])
        return
    declared = document.follow(part[status])
    if declared is not part[status]:
        steps = ["components", "responses", part[status]["$ref"].split("/")[-1]]
    else:
        steps = [*steps, status]
    check_headers(document, response, declared, what)
    media_type = (response.headers.get("Content-Type") or "").split(";")[0]
    if media_type not in declared.get("content", {}):
        check(f"{what}: the type {media_type!r} is declared", not response.data and not media_type)
        return
    fault = None
    if "schema" in declared["content"][media_type]:
        fault = document.fault(
            read_json(response.data) if media_type.endswith("json") else response.data.decode(),
            *steps, "content", media_type, "schema")
    check(f"{what}: the reply is as declared", fault is None, fault)


def declared_names(document, item, operation):
    """Names that a query may have: canonical ones and aliases."""
    names = set()
    for parameter in item.get("parameters", []) + operation.get("parameters", []):
        parameter = document.follow(parameter)
        *before, last = parameter["name"].split(".")
        for name in [last, *parameter.get("x-aliases", [])]:
            names.add(".".join([*before, name]))
    return names


def check_request(document, request, path, what):
    """A request that was answered with 200."""
    item = document.root["paths"][path]
    operation = item[request["method"].lower()]
    names = declared_names(document, item, operation)
    for name in request.get("query", {}):
        check(f"{what}: the query name {name} is declared", name in names)
    if "body" in request:
        fault = document.fault(
            request["body"], "paths", path, request["method"].lower(),
            "requestBody", "content", "application/json", "schema")
        check(f"{what}: the request is as declared", fault is None, fault)


def check_echo(document, data, path, what):
    name = path.removeprefix("/v1/").replace("/", ".")
    reply = read_json(data)  # None where it is text
    if f"echo.{name}" in document.echoes() and reply and "parameters" in reply:
        fault = document.fault(reply["parameters"], "components", "schemas", f"echo.{name}")
        check(f"{what}: the echo is a request", fault is None, fault)


def check_exchange(document, server, request, what):
    headers = dict(request.get("headers", {}))
    body = request.get("body_text")
    if "body" in request:
        body = json.dumps(request["body"])
        headers.setdefault("Content-Type", "application/json")
    response = server.ask(request["method"], target_of(request), body and body.encode(), headers)
    path = document.path_of(request["path"])
    method = request["method"].lower()
    if path is None or method not in document.root["paths"][path]:
        check(f"{what}: only what is not there is undeclared", response.status in (404, 405, 501),
              response.status)
        fault = document.fault(read_json(response.data), "components", "schemas", "Problem")
        check(f"{what}: the problem is as declared", fault is None, fault)
        return
    check_reply(document, response, ["paths", path, method, "responses"], what)
    if response.status == 200:
        check_request(document, request, path, what)
        check_echo(document, response.data, path, what)


def check_golden(document, server):
    for name in sorted(glob.glob(GOLDEN)):
        with open(name, encoding="utf-8") as lines:
            for line in lines:
                case = json.loads(line)
                check_exchange(document, server, case["request"], case["id"])


def check_documents(document, server):
    """Every route that needs nothing but its path."""
    for path, item in document.root["paths"].items():
        for parameter in item.get("get", {}).get("parameters", []):
            if parameter.get("in") == "path":
                for name in parameter["schema"]["enum"]:
                    filled = path.replace("{" + parameter["name"] + "}", name)
                    request = {"method": "GET", "path": filled}
                    check_exchange(document, server, request, request["path"])
        if "get" in item and "{" not in path:
            check_exchange(document, server, {"method": "GET", "path": path}, path)


def check_representations(document, server):
    """Every format, and what comes instead of a whole result."""
    path = "/v1/rope"
    steps = ["paths", path, "get", "responses"]
    query = "?length=3&dim=8&format="
    formats = document.root["components"]["parameters"]["format"]["schema"]["enum"]
    for name in formats:
        response = server.ask("GET", f"{path}{query}{name}")
        check(f"{name}: there is such a format", response.status == 200, response.data)
        check_reply(document, response, steps, name)
        tag = {"If-None-Match": response.headers["ETag"]}
        response = server.ask("GET", f"{path}{query}{name}", None, tag)
        check(f"{name}: it is kept", response.status == 304, response.status)
        check_reply(document, response, steps, name)
    for status, headers in [
        (206, {"Range": "bytes=1-3"}),
        (416, {"Range": "bytes=5000-"}),
        (406, {"Accept": "text/html"}),
    ]:
        chosen = query + "raw" if "Range" in headers else "?length=3&dim=8"
        response = server.ask("GET", path + chosen, None, headers)
        check(f"there is a {status}", response.status == status, response.status)
        check_reply(document, response, steps, f"{status} of {path}")


# Made-up requests.


def check_fuzz(server):
    """The words of schemathesis are shown where it finds a fault."""
    command = [
        os.path.join(os.path.dirname(sys.executable), "schemathesis"), "run",
        "http://{}:{}/openapi.json".format(*server.address),
        "--checks", ",".join(FUZZ_CHECKS), "--max-examples", str(EXAMPLES), "--seed", "1",
        "--phases", "fuzzing", "--generation-database", "none", "--no-color",
        "--continue-on-failure", "--warnings", "off", "--suppress-health-check", "all",
        "--request-timeout", str(ANSWER_S),
    ]
    environment = {
        **os.environ,
        "SCHEMATHESIS_HOOKS": "openapi_hooks",
        "PYTHONPATH": HERE,
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:  # it writes where it stands
        run = subprocess.run(command, env=environment, cwd=scratch, capture_output=True, text=True)
    seconds = time.monotonic() - begin
    if run.returncode != 0:
        print(run.stdout[-20000:], run.stderr[-2000:])
    print(f"schemathesis took {seconds:.0f} s", *re.findall("Test cases:\n.*", run.stdout))
    check("schemathesis finds no fault", run.returncode == 0)
    check("schemathesis is done in time", seconds < FUZZ_SECONDS, seconds)
    check("the server still runs", server.process.poll() is None)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    # A search that is stopped for its time would be a 503, which is no fault here.
    with Server(sys.argv[1], "--compute-timeout", str(ANSWER_S)) as server:
        text = server.ask("GET", "/openapi.json").data
        document = Document(text)
        check_document(document, text)
        check_documents(document, server)
        check_golden(document, server)
        check_representations(document, server)
        check_fuzz(server)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
