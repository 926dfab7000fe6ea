"""Holds the representations of a running posencd against NumPy's and safetensors' own readers.

    python formats.py POSENCD

starts that program on a free port. What it checks: that npy, safetensors, raw, csv and JSON carry
the same bits, for every dtype, every encoding and every kind of shape, by the requests below and by
those of tests/golden; that tensors sent as npy or safetensors give the same as those sent as JSON.
Needs numpy and safetensors; bfloat16, which NumPy lacks, is compared by its bits.
"""

import csv
import glob
import io
import json
import os
import sys
import tempfile
import urllib.error

import numpy
import safetensors
import safetensors.numpy
from running import Checks, Server

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "golden", "*.jsonl")

# Of each path, golden requests that differ in which parameters they give.
GOLDEN_KINDS = 4

# Each names the tensors of one result: scalars, lists, tables, empty ones, biases with infinities.
TABLES = [
    ("sinusoidal", {"length": 7, "dim": 6, "base": 523.7}),
    ("sinusoidal", {"length": 700, "dim": 10, "offset": -3.5}),
    ("sinusoidal", {"length": 0, "dim": 4}),
    ("sinusoidal", {"length": 1, "dim": 2, "layout": "sin_cos"}),
    ("rope", {"length": 5, "dim": 8}),
    ("rope", {"positions": "9007199254740991,0.5,-7", "dim": 64, "base": 500000}),
    ("rope", {"length": 3, "dim": 8, "table_layout": "cos_sin"}),
    ("alibi", {"heads": 6, "query_length": 5, "key_length": 7}),
    ("alibi", {"heads": 3, "query_length": 1, "key_length": 9}),
    ("none", {}),
]
DTYPES = ["float64", "float32", "float16", "bfloat16"]
APPLY_DTYPES = ["<f4", "<f8", "<f2", ">f4", ">f8"]

checks = Checks()
check = checks.check
shapes = set()  # seen: the number of dimensions, and whether it is empty


class Question:
    """A request for a result, to be asked again for each of its representations."""

    def __init__(self, server, path, query=None, body=None):
        self.server, self.path, self.query, self.body = server, path, query or {}, body

    def __str__(self):
        return f"{self.path} {self.query} {self.body or ''}"[:200]

    def with_dtype(self, dtype):
        if self.body is None:
            return Question(self.server, self.path, {**self.query, "dtype": dtype})
        return Question(self.server, self.path, self.query, {**self.body, "dtype": dtype})

    def ask(self, **choice):
        query = {**self.query, **choice}
        if self.body is None:
            return self.server.get(self.path, query)
        body = json.dumps(self.body).encode()
        return self.server.post(self.path, query, body, "application/json")

    def is_accepted(self):
        try:
            return self.ask().status == 200
        except urllib.error.HTTPError as error:
            return error.code != 422 and error.code != 400


def golden_questions(server):
    """Requests of tests/golden that give tensors."""
    seen = {}
    for name in sorted(glob.glob(GOLDEN)):
        for line in open(name, encoding="utf-8"):
            golden = json.loads(line)
            request = golden["request"]
            if "tensors" not in golden["expect"] or request["path"] == "/v1/resolve":
                continue
            given = request.get("body") or request.get("query", {})
            kinds = seen.setdefault(request["path"], set())
            kind = (request["method"], *sorted(given))
            if kind in kinds or len(kinds) == GOLDEN_KINDS:
                continue
            kinds.add(kind)
            yield Question(server, request["path"], request.get("query"), request.get("body"))


def bits(array):
    """An array as unsigned integers, so that NaN equals NaN and -0 differs from 0."""
    return numpy.ascontiguousarray(array).reshape(-1).view(f"u{array.dtype.itemsize}")


def same_bits(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and numpy.array_equal(bits(a), bits(b))


def rounded(numbers, dtype):
    """Doubles rounded to a dtype; those of bfloat16 stay the float32 of the same value."""
    if dtype != "bfloat16":
        return numbers.astype(dtype)
    wide = numbers.astype("float32")
    up = bits(wide)
    up = (up + 0x7FFF + (up >> 16 & 1)) & 0xFFFF0000  # to nearest even
    keep = ~numpy.isfinite(wide)
    return numpy.where(keep, wide, up.astype("u4").view("float32").reshape(wide.shape))


def from_json(tensor):
    """A tensor of a JSON reply."""
    words = {"NaN": numpy.nan, "Infinity": numpy.inf, "-Infinity": -numpy.inf}

    def numbers(data):
        if isinstance(data, list):
            return [numbers(item) for item in data]
        return words.get(data, data)

    wide = numpy.array(numbers(tensor["data"]), dtype="float64")
    return rounded(wide, tensor["dtype"]).reshape(tensor["shape"])


def bfloat16_bits(array):
    """The upper halves of float32 values whose lower halves are empty."""
    return (bits(array.astype("float32")) >> 16).astype("u2").reshape(array.shape)


def raw_array(response):
    shape = [int(n) for n in response.headers.get("X-Tensor-Shape", "").split(",") if n]
    dtype = response.headers["X-Tensor-Dtype"]
    numpy_type = "<u2" if dtype == "bfloat16" else numpy.dtype(dtype).newbyteorder("<")
    return numpy.frombuffer(response.read(), dtype=numpy_type).reshape(shape)


def safetensors_arrays(data):
    """All tensors by the reader of safetensors; those of bfloat16 by their bits."""
    arrays = dict(safetensors.deserialize(data))
    result = {}
    for name, entry in arrays.items():
        kind = {"BF16": "<u2", "F16": "<f2", "F32": "<f4", "F64": "<f8", "I32": "<i4", "I64": "<i8"}
        result[name] = numpy.frombuffer(entry["data"], kind[entry["dtype"]]).reshape(entry["shape"])
    return result


def check_csv(question, name, dtype, expected, what):
    text = question.ask(tensor=name, format="csv").read().decode("ascii")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    width = expected.shape[-1] if expected.ndim > 1 else 1
    if expected.size:
        check(f"{what}: names of columns", len(rows[0]) == width)
        loaded = numpy.loadtxt(
            io.StringIO(text), delimiter=",", skiprows=1, ndmin=2, dtype="float64"
        )
        check(f"{what}: csv as loadtxt reads it", loaded.shape == (expected.size // width, width))
        loaded = rounded(numpy.array(rows[1:], dtype="float64"), dtype)
        check(f"{what}: csv", same_bits(loaded.reshape(expected.shape), expected))
    else:
        check(f"{what}: csv has no rows", len(rows) == 1)


def check_tensor(question, name, tensor, held, what):
    """One tensor in all representations of one tensor, against that of the JSON reply."""
    expected = from_json(tensor)
    is_bfloat16 = tensor["dtype"] == "bfloat16"
    exact = bfloat16_bits(expected) if is_bfloat16 else expected

    shapes.add((expected.ndim, expected.size == 0))
    raw = raw_array(question.ask(tensor=name, format="raw"))
    check(f"{what}: raw", same_bits(raw, exact))
    check(f"{what}: safetensors", same_bits(held, exact))
    check_csv(question, name, tensor["dtype"], expected, what)
    title = question.ask(tensor=name, format="text").read().decode().split("\n")[0]
    shape = ", ".join(str(n) for n in tensor["shape"])
    check(f"{what}: text", title == f"{name}: {tensor['dtype']} [{shape}]")
    try:
        response = question.ask(tensor=name, format="npy")
        data = response.read()
        loaded = numpy.load(io.BytesIO(data), allow_pickle=False)
        check(f"{what}: npy", not is_bfloat16 and same_bits(loaded, exact))
        check(f"{what}: length of npy", int(response.headers["Content-Length"]) == len(data))
    except urllib.error.HTTPError as error:
        check(f"{what}: npy lacks only bfloat16", is_bfloat16 and error.code == 422)


def check_safetensors(question, reply, what):
    """All tensors of the file, by their names."""
    data = question.ask(format="safetensors").read()
    held = safetensors_arrays(data)
    has_bfloat16 = any(tensor["dtype"] == "bfloat16" for tensor in reply["tensors"].values())

    check(f"{what}: names", held.keys() == reply["tensors"].keys())
    with tempfile.NamedTemporaryFile(suffix=".safetensors") as file:
        file.write(data)
        file.flush()
        with safetensors.safe_open(file.name, "numpy") as opened:
            metadata = opened.metadata()
        if not has_bfloat16:
            loaded = safetensors.numpy.load_file(file.name)
            for tensor_name, array in loaded.items():
                check(f"{what}: load_file", same_bits(array, held[tensor_name]))
    check(f"{what}: echo", json.loads(metadata["parameters"]) == reply["parameters"])
    return held


def check_result(question):
    what = str(question)
    reply = json.load(question.ask())
    held = check_safetensors(question, reply, what)

    for tensor_name, tensor in reply["tensors"].items():
        check_tensor(question, tensor_name, tensor, held[tensor_name], f"{what} {tensor_name}")


def check_golden(server):
    """As it stands, and in each dtype that it may be had in."""
    paths = set()
    for question in golden_questions(server):
        paths.add(question.path)
        check_result(question)
        for dtype in DTYPES:
            asked = question.with_dtype(dtype)
            if asked.is_accepted():
                check_result(asked)
    check_result(Question(server, "/v1/music_transformer", body={"x": [[1, 2], [3, 4.5]]}))
    paths.add("/v1/music_transformer")
    for encoding in json.load(server.get("/v1/encodings"))["encodings"]:
        path = "/v1/" + encoding["name"]
        check(f"a request of {path}", any(p.startswith(path) for p in paths))


def check_apply(server, shape, descr):
    """x, and q with k, rotated: sent as JSON, as npy in both orders, and as safetensors."""
    path = "/v1/rope/apply"
    query = {"layout": "half", "offset": 11, "dtype": "float64"}
    x = numpy.random.default_rng(7).standard_normal(shape).astype(descr)
    what = f"apply {shape} {descr}"

    tensor = {"dtype": "float64", "shape": shape, "data": x.astype("float64").ravel().tolist()}
    body = json.dumps({**query, "x": tensor}).encode()
    expected = from_json(json.load(server.post(path, {}, body, "application/json"))["tensors"]["x"])
    for order in "CF":
        file = io.BytesIO()
        numpy.save(file, numpy.asarray(x, order=order))
        answer = server.post(path, {**query, "format": "npy"}, file.getvalue(), "application/x-npy")
        check(f"{what}: npy in order {order}",
              same_bits(numpy.load(io.BytesIO(answer.read())), expected))

    native = numpy.ascontiguousarray(x.astype(x.dtype.newbyteorder("=")))
    data = safetensors.numpy.save({"q": native, "k": native})
    answer = server.post(path, {**query, "format": "safetensors"}, data,
                         "application/vnd.safetensors")
    held = safetensors_arrays(answer.read())
    check(f"{what}: safetensors",
          held.keys() == {"q", "k"} and all(same_bits(held[n], expected) for n in held))


def check_half_types(server):
    """What comes in half stays half."""
    path, query = "/v1/rope/apply", {"layout": "half", "format": "safetensors"}
    x = numpy.random.default_rng(8).standard_normal((4, 6)).astype("<f2")

    answer = server.post(path, query, safetensors.numpy.save({"x": x}),
                         "application/vnd.safetensors")
    check("float16 stays", safetensors_arrays(answer.read())["x"].dtype == numpy.float16)
    header = json.dumps(
        {"x": {"dtype": "BF16", "shape": [4, 6], "data_offsets": [0, 48]}}
    ).encode()
    data = len(header).to_bytes(8, "little") + header + bfloat16_bits(x).tobytes()
    answer = server.post(path, query, data, "application/vnd.safetensors")
    check("bfloat16 stays", dict(safetensors.deserialize(answer.read()))["x"]["dtype"] == "BF16")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with Server(sys.argv[1]) as server:
        try:
            for name, query in TABLES:
                for dtype in DTYPES:
                    check_result(Question(server, "/v1/" + name, {**query, "dtype": dtype}))
            check_golden(server)
            for shape in [(1, 2), (3, 4), (2, 3, 8), (2, 2, 5, 64), (0, 4), (2, 0, 6)]:
                for descr in APPLY_DTYPES:
                    check_apply(server, shape, descr)
            check_half_types(server)
        except urllib.error.HTTPError as error:
            check(f"{error.url}: {error.code}", False, error.read().decode(errors="replace"))
    for kind in [(1, False), (2, True), (2, False), (3, False), (4, False)]:
        check(f"a tensor with dimensions, empty: {kind}", kind in shapes, shapes)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
