"""What schemathesis needs besides the document: binary bodies, and requests that pass the checks.

Requests made up from a schema mostly contradict themselves: a model that is none, a ragged tensor,
a table of 10^15 rows. A quarter of them stay as they are; of the others the numbers become small,
what is missing is given, and tensors get one shape, mostly.
"""

import json
import math
import struct
import zlib

import schemathesis
from hypothesis import strategies

SHAPES = [(2, 4, 8), (2, 4, 8), (4, 8), (2, 4, 4), (1, 0, 8)]
BUNDLES = {"model", "config", "layer", "preset", "tensor", "numeric_version"}
SMALL = 64  # numbers up to here stay
DEFAULTS = {"number": 2.5, "boolean": True, "array": [2, 2], "object": {}}

rubbish = strategies.binary(max_size=64)
schemathesis.openapi.media_type("application/x-npy", rubbish)
schemathesis.openapi.media_type("application/vnd.safetensors", rubbish)


def numbers(shape):
    return [(i * 7 % 11 - 5) / 2 for i in range(math.prod(shape))]


def nested(values, shape):
    if len(shape) == 1:
        return values
    size = math.prod(shape[1:])
    return [nested(values[i * size : (i + 1) * size], shape[1:]) for i in range(shape[0])]


def npy(shape):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    data = struct.pack(f"<{math.prod(shape)}f", *numbers(shape))
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def safetensors(names, shape):
    size = 4 * math.prod(shape)
    header = json.dumps({
        name: {"dtype": "F32", "shape": shape, "data_offsets": [i * size, (i + 1) * size]}
        for i, name in enumerate(names)
    }).encode()
    data = struct.pack(f"<{math.prod(shape)}f", *numbers(shape))
    return struct.pack("<Q", len(header)) + header + data * len(names)


def small(value):
    """The value with numbers near zero; a query's numbers are texts."""
    if isinstance(value, list):
        return [small(item) for item in value[:4]]
    if isinstance(value, dict):
        return {name: small(item) for name, item in value.items()}
    if isinstance(value, str):
        try:
            return ",".join(json.dumps(small(json.loads(piece))) for piece in value.split(",")[:4])
        except ValueError:
            return value
    if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) <= SMALL:
        return value
    return value % 8 + 1 if math.isfinite(value) else 1


def is_tensor(schema):
    return "TensorInput" in json.dumps([schema.get("$ref"), schema.get("anyOf")])


def some_value(schema, shape):
    if is_tensor(schema):
        return nested(numbers(shape), shape)
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if "enum" in schema:
        return schema["enum"][0]
    return DEFAULTS.get(kind, max(8, schema.get("minimum", 8)))


def properties(document, name):
    """Of a request: name -> (schema, whether a request should give it)."""
    schema = document["components"]["schemas"].get(name, {})
    told = "TensorInput" in json.dumps(schema)  # tensors tell most of what may be left out
    word = "Required" if told else "equired"
    return {
        name: (member, word in member.get("description", "") or name in schema.get("required", []))
        for name, member in schema.get("properties", {}).items()
        if "/properties/" not in member.get("$ref", "")  # an alias
    }


def own(document, name, values):
    """What a request may have; one that names an encoding has also what that takes."""
    found = properties(document, name)
    if name.startswith("analysis.") and "encoding" in found:
        found = {
            name: member for name, member in found.items()
            if "own operation" not in member[0].get("description", "")
        }
        values.setdefault("encoding", found["encoding"][0]["enum"][0])
        for other, member in properties(document, str(values["encoding"])).items():
            found.setdefault(other, member)
    return found


def tame(values, members, shape, is_query, room):
    """Changes names and values in place, and leaves `room` of those that need not be given."""
    for name in list(values):
        known = members.get(name.split(".")[0], (None, False))
        room -= not known[1]
        if room < 0 and not known[1]:
            del values[name]
        elif name in BUNDLES or name.split(".")[0] not in members:
            del values[name]
        elif is_tensor(members[name.split(".")[0]][0]):
            del values[name]
        else:
            values[name] = small(values[name])
    for name, (schema, is_due) in members.items():
        if not is_due or values.get(name) is not None or (is_query and is_tensor(schema)):
            continue
        value = some_value(schema, shape)
        if is_query and isinstance(value, dict):
            continue
        is_list = is_query and isinstance(value, list)
        values[name] = ",".join(map(str, value)) if is_list else value


def tensors(members):
    return [name for name, (schema, is_due) in members.items() if is_due and is_tensor(schema)]


@schemathesis.hook
def before_call(context, case, kwargs):
    document = case.operation.schema.raw_schema
    name = case.operation.path.removeprefix("/v1/").replace("/", ".")
    chance = zlib.crc32(repr((case.query, case.body)).encode())
    shape = SHAPES[chance // 4 % len(SHAPES)]
    room = chance // 20 % 4

    if chance % 4 == 0 or name not in document["components"]["schemas"]:
        return
    if isinstance(case.body, dict):
        members = own(document, name, case.body)
        tame(case.body, members, shape, False, room)
        if name == "attention":
            encodings = ["rope", "alibi", "none", "sinusoidal", "sandwich"]
            case.body["encoding"] = encodings[chance // 80 % len(encodings)]
            case.body["parameters"] = {"layout": "half"} if case.body["encoding"] == "rope" else {}
        if case.query:
            case.query.clear()
    elif isinstance(case.query, dict):
        members = own(document, name, case.query)
        tame(case.query, members, shape, True, room)
        if case.media_type == "application/x-npy":
            case.body = npy(shape)
        elif case.media_type == "application/vnd.safetensors":
            case.body = safetensors(tensors(members) or ["x"], shape)
