"""Is the bill of materials in an image's tree valid, and does it name the tree's programs and no others?

sbom.py TREE - needs cyclonedx-python-lib[json-validation]; ends with 0 when all holds.
"""

import hashlib
import json
import pathlib
import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

PLACE = "usr/share/doc/posenc/sbom.cdx.json"
PROGRAM = "usr/local/bin/posencd"
AUTHORITIES = "etc/ssl/certs/ca-certificates.crt"
STATIC = ("libgcc-", "libstdc++-")


def programs(tree):
    """Whatever the processor runs, by its first bytes, and the certificates."""
    for path in tree.rglob("*"):
        if path.is_file() and not path.is_symlink():
            name = str(path.relative_to(tree))
            if path.open("rb").read(4) == b"\x7fELF" or name == AUTHORITIES:
                yield "/" + name, hashlib.sha256(path.read_bytes()).hexdigest()


def listed(components):
    for component in components:
        for part in component.get("components", []):
            yield part["name"], part["hashes"][0]["content"]


def problems(tree):
    text = (tree / PLACE).read_text()
    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if error:
        yield f"not valid: {error.data.message if hasattr(error.data, 'message') else error}"
        return
    bom = json.loads(text)
    root = bom["metadata"]["component"]
    there, named = dict(programs(tree)), dict(listed([root] + bom["components"]))
    for name in sorted(there.keys() | named.keys()):
        if there.get(name) != named.get(name):
            yield f"{name} is {there.get(name)} in the tree and {named.get(name)} in the list"
    if not {"/" + PROGRAM, "/" + AUTHORITIES} < there.keys() or len(there) < 10:
        yield f"only {len(there)} programs found"
    for component in bom["components"]:
        name, url = component["name"], PackageURL.from_string(component["purl"])
        if (url.type, url.namespace, url.name, url.version) != ("deb", "debian", name, component["version"]):
            yield f"{name}: {component['purl']}"
        if not component.get("components") and not name.startswith(STATIC):
            yield f"{name}: no files"
        if not (tree / "usr/share/doc" / name / "copyright").is_file():
            yield f"{name}: no copyright in the tree"
    for static in STATIC:
        if not any(c["name"].startswith(static) for c in bom["components"]):
            yield f"{static} is linked into the program and not named"
    if set(bom["dependencies"][0]["dependsOn"]) != {c["bom-ref"] for c in bom["components"]}:
        yield "dependencies and components differ"


def main():
    found = list(problems(pathlib.Path(sys.argv[1])))
    for problem in found:
        print(f"        {problem}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
