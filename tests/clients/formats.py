"""Holds the representations of a running posencd against NumPy's and safetensors' own readers.

    python formats.py POSENCD

starts that program on a free port. What it checks: that npy, safetensors, raw, csv and JSON carry
the same bits for every dtype and kind of shape, and that tensors sent as npy or safetensors give
the same as those sent as JSON. Needs numpy and
safetensors; bfloat16, which NumPy lacks, is compared by its bits.
"""

import io
import json
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

import numpy
import safetensors
import safetensors.numpy

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

passed = failed = 0


def check(what, condition):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print("FAILED:", what)


class Server:
    def __init__(self, program):
        for port in range(18600, 18640):
            self.base = f"http://127.0.0.1:{port}"
            self.process = subprocess.Popen(
                [program, "--listen", f"127.0.0.1:{port}"],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            if self.answers():
                return
            self.stop()
        sys.exit("the server does not start")

    def answers(self):
        for _ in range(100):
            if self.process.poll() is not None:  # the port is taken
                return False
            try:
                return self.get("/livez").status == 200
            except OSError:
                time.sleep(0.05)
        return False

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def get(self, path, query=None, headers=None):
        url = self.base + path + "?" + urllib.parse.urlencode(query or {})
        return urllib.request.urlopen(urllib.request.Request(url, headers=headers or {}), timeout=30)

    def post(self, path, query, body, media_type):
        url = self.base + path + "?" + urllib.parse.urlencode(query)
        request = urllib.request.Request(url, body, {"Content-Type": media_type})
        return urllib.request.urlopen(request, timeout=30)


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


def check_csv(server, path, query, dtype, expected, what):
    text = server.get(path, {**query, "format": "csv"}).read().decode("ascii")
    lines = text.split("\r\n")
    rows = [line.split(",") for line in lines[1:-1] if line]
    width = expected.shape[-1] if expected.ndim > 1 else 1
    if expected.size:
        check(f"{what}: names of columns", len(lines[0].split(",")) == width)
        loaded = numpy.loadtxt(
            io.StringIO(text), delimiter=",", skiprows=1, ndmin=2, dtype="float64"
        )
        check(f"{what}: csv as loadtxt reads it", loaded.shape == (expected.size // width, width))
        loaded = rounded(numpy.array(rows, dtype="float64"), dtype)
        check(f"{what}: csv", same_bits(loaded.reshape(expected.shape), expected))
    else:
        check(f"{what}: csv has no rows", not rows)


def check_tensor(server, path, query, name, tensor, held, what):
    """One tensor in all representations of one tensor, against that of the JSON reply."""
    query = {**query, "tensor": name}
    expected = from_json(tensor)
    is_bfloat16 = tensor["dtype"] == "bfloat16"
    exact = bfloat16_bits(expected) if is_bfloat16 else expected

    raw = raw_array(server.get(path, {**query, "format": "raw"}))
    check(f"{what}: raw", same_bits(raw, exact))
    check(f"{what}: safetensors", same_bits(held, exact))
    check_csv(server, path, query, tensor["dtype"], expected, what)
    title = server.get(path, {**query, "format": "text"}).read().decode().split("\n")[0]
    shape = ", ".join(str(n) for n in tensor["shape"])
    check(f"{what}: text", title == f"{name}: {tensor['dtype']} [{shape}]")
    try:
        response = server.get(path, {**query, "format": "npy"})
        data = response.read()
        loaded = numpy.load(io.BytesIO(data), allow_pickle=False)
        check(f"{what}: npy", not is_bfloat16 and same_bits(loaded, exact))
        check(f"{what}: length of npy", int(response.headers["Content-Length"]) == len(data))
    except urllib.error.HTTPError as error:
        check(f"{what}: npy lacks only bfloat16", is_bfloat16 and error.code == 422)


def check_table(server, name, query):
    path = "/v1/" + name
    what = f"{name} {query}"
    reply = json.load(server.get(path, query))
    data = server.get(path, query, {"Accept": "application/vnd.safetensors"}).read()
    held = safetensors_arrays(data)

    check(f"{what}: names", held.keys() == reply["tensors"].keys())
    with tempfile.NamedTemporaryFile(suffix=".safetensors") as file:
        file.write(data)
        file.flush()
        with safetensors.safe_open(file.name, "numpy") as opened:
            metadata = opened.metadata()
        if query.get("dtype") != "bfloat16":
            loaded = safetensors.numpy.load_file(file.name)
            for tensor_name, array in loaded.items():
                check(f"{what}: load_file", same_bits(array, held[tensor_name]))
    check(f"{what}: echo", json.loads(metadata["parameters"]) == reply["parameters"])
    check(f"{what}: encoding", metadata["encoding"] == name)
    for tensor_name, tensor in reply["tensors"].items():
        check_tensor(server, path, query, tensor_name, tensor, held[tensor_name],
                     f"{what} {tensor_name}")


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
    server = Server(sys.argv[1])
    try:
        for name, query in TABLES:
            for dtype in DTYPES:
                check_table(server, name, {**query, "dtype": dtype})
        for shape in [(1, 2), (3, 4), (2, 3, 8), (2, 2, 5, 64), (0, 4), (2, 0, 6)]:
            for descr in APPLY_DTYPES:
                check_apply(server, shape, descr)
        check_half_types(server)
    except urllib.error.HTTPError as error:
        check(f"{error.url}: {error.code} {error.read().decode(errors='replace')}", False)
    finally:
        server.stop()
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
