"""Uses a running posencd by Triton's own client of the Open Inference Protocol.

    python inference.py POSENCD

starts that program on a free port. What it checks: health, metadata and the list of models as the
client reads them; that every table comes as the same bits as from /v1, as bytes and as JSON, in
every datatype, also where values are not finite; that tensors of every datatype go in, as bytes and
as JSON; that parameters can be tensors; that faults arrive as the client's exceptions; compression;
many requests at once. Needs numpy, ml_dtypes and tritonclient[http].
"""

import json
import sys

import ml_dtypes
import numpy
import tritonclient.http as triton
from running import Checks, Server
from tritonclient.utils import InferenceServerException, triton_to_np_dtype

TABLES = [
    ("sinusoidal", {"length": 7, "dim": 6, "base": 523.7}),
    ("sinusoidal", {"length": 0, "dim": 4}),
    ("sinusoidal", {"positions": "0.5,-3,9007199254740991", "dim": 64}),
    ("rope", {"length": 5, "dim": 8, "scaling.rope_type": "linear", "scaling.factor": 4}),
    ("rope", {"model": "llama-3.1-8b", "positions": "40000"}),
    ("alibi", {"heads": 6, "query_length": 5, "key_length": 7, "mask": "causal"}),
    ("t5", {"query_length": 5, "key_length": 7, "bidirectional": False}),
    ("swin", {"window": "2,3"}),
    ("timestep", {"timesteps": "1,250.5", "dim": 8, "preset": "ddpm"}),
    ("none", {}),
]
DATATYPES = {"float64": "FP64", "float32": "FP32", "float16": "FP16", "bfloat16": "BF16"}

checks = Checks()
check = checks.check


def tensor(name, array, is_binary=True):
    """An input of the client."""
    bits = {"bfloat16": "BF16"}
    given = triton.InferInput(
        name, list(array.shape), bits.get(str(array.dtype)) or datatype_of(array.dtype)
    )
    return given.set_data_from_numpy(array, binary_data=is_binary)


def datatype_of(dtype):
    names = ["BOOL", "UINT8", "UINT16", "UINT32", "UINT64", "INT8", "INT16", "INT32", "INT64",
             "FP16", "FP32", "FP64"]
    return next(name for name in names if numpy.dtype(triton_to_np_dtype(name)) == dtype)


def wanted(*names, is_binary):
    return [triton.InferRequestedOutput(name, binary_data=is_binary) for name in names]


def same_bits(one, other):
    return one.shape == other.shape and one.dtype == other.dtype and one.tobytes() == other.tobytes()


def raises(call):
    """The status and the words of the client's exception."""
    try:
        call()
    except InferenceServerException as fault:
        return str(fault.status()), fault.message()
    return None, ""


# What there is.


def check_health(client):
    check("the server is live", client.is_server_live())
    check("the server is ready", client.is_server_ready())
    check("a model is ready", client.is_model_ready("rope.apply"))
    check("a version is ready", client.is_model_ready("rope.apply", "2"))
    check("another version is not", not client.is_model_ready("rope.apply", "1"))
    check("no other model is", not client.is_model_ready("rope.applied"))
    metadata = client.get_server_metadata()
    check("the server has a name", metadata["name"] == "posenc", metadata)


def check_models(client):
    index = client.get_model_repository_index()
    check("there are many models", len(index) > 40, len(index))
    for entry in index:
        metadata = client.get_model_metadata(entry["name"], entry["version"])
        check(f"{entry['name']} has metadata", metadata["name"] == entry["name"], metadata)
        for side in ("inputs", "outputs"):
            for one in metadata[side]:
                known = triton_to_np_dtype(one["datatype"]) is not None
                check(f"{entry['name']}: {one['name']} has a datatype", known, one)


# What goes out.


def v1(server, path, query, name, dtype):
    """The tensor as /v1 gives it."""
    query = {key: str(value).lower() if value is False else value for key, value in query.items()}
    with server.get(path, {**query, "tensor": name, "format": "raw"}) as response:
        shape = response.headers.get("X-Tensor-Shape", "")
        data = numpy.frombuffer(response.read(), dtype)
        return data.reshape([int(length) for length in shape.split(",") if length])


def check_tables(server, client):
    for name, parameters in TABLES:
        for dtype in DATATYPES:
            asked = {**parameters, "dtype": dtype} if name not in ("none", "swin") else parameters
            for is_binary in (True, False):
                if name == "alibi" and dtype == "bfloat16" and not is_binary:
                    continue  # ml_dtypes, by which the client reads BF16, makes no number of a text
                check_table(server, client, name, asked, is_binary)


def check_table(server, client, name, parameters, is_binary):
    what = f"{name} {parameters} {'bytes' if is_binary else 'JSON'}"
    first = client.infer(name, [], parameters=parameters, request_id="one")
    outputs = [output["name"] for output in first.get_response()["outputs"]]
    check(f"{what}: the id comes back", first.get_response()["id"] == "one")
    if not outputs:
        return
    result = client.infer(
        name, [], outputs=wanted(*reversed(outputs), is_binary=is_binary), parameters=parameters
    )
    got = [output["name"] for output in result.get_response()["outputs"]]
    check(f"{what}: outputs in the order asked for", got == outputs[::-1], got)
    for output in outputs:
        values = result.as_numpy(output)
        dtype = triton_to_np_dtype(result.get_output(output)["datatype"])
        expected = v1(server, f"/v1/{name}", parameters, output, dtype)
        check(f"{what}: {output}", same_bits(values, expected), (values, expected))
        check(f"{what}: {output}, all at once", same_bits(first.as_numpy(output), expected))


def check_echo(client):
    """What was answered is a request again."""
    first = client.infer("rope", [], parameters={"positions": "[0.5, 7]", "dim": 8,
                                                 "dtype": "float32",
                                                 "scaling": '{"rope_type": "linear", "factor": 4}'})
    echo = first.get_response()["parameters"]
    check("the echo has scalars alone", not [v for v in echo.values() if isinstance(v, (list, dict))])
    derived = json.loads(echo.pop("derived"))
    check("what followed is there", "region" in derived, derived)
    echo.pop("warnings", None)
    again = client.infer("rope", [], parameters=echo)
    check("the echo gives the same", same_bits(first.as_numpy("cos"), again.as_numpy("cos")))


# What comes in.


def check_inputs(client):
    x = numpy.arange(-6, 6).reshape(1, 3, 4)
    expected = None
    for dtype in (numpy.float64, numpy.float32, numpy.float16, ml_dtypes.bfloat16, numpy.int8,
                  numpy.int16, numpy.int32, numpy.int64):
        for is_binary in (True, False):
            if dtype == ml_dtypes.bfloat16 and not is_binary:
                continue  # which the client does not send
            result = client.infer(
                "rope.apply",
                [tensor("x", x.astype(dtype), is_binary)],
                outputs=wanted("x", is_binary=is_binary),
                parameters={"layout": "half", "offset": 3, "dtype": "float64"},
            ).as_numpy("x")
            expected = result if expected is None else expected
            what = f"{numpy.dtype(dtype).name} as {'bytes' if is_binary else 'JSON'}"
            check(f"x of {what}", same_bits(result, expected), result)
    for dtype in (numpy.uint8, numpy.uint16, numpy.uint32, numpy.uint64):
        result = client.infer("sinusoidal", [tensor("positions", numpy.array([3, 250], dtype))],
                              parameters={"dim": 8})
        other = client.infer("sinusoidal", [], parameters={"dim": 8, "positions": "3,250"})
        check(f"positions of {numpy.dtype(dtype).name}",
              same_bits(result.as_numpy("encoding"), other.as_numpy("encoding")))


def check_halves(client):
    for dtype in (numpy.float16, ml_dtypes.bfloat16):
        x = numpy.ones((2, 4), dtype)
        result = client.infer("rope.apply", [tensor("x", x)], parameters={"layout": "half"})
        name = result.get_output("x")["datatype"]
        check(f"{numpy.dtype(dtype).name} stays", name == ("FP16" if dtype == numpy.float16 else "BF16"))


def check_unfinite(client):
    scores = numpy.array([[[numpy.nan, numpy.inf], [-numpy.inf, 1]]], numpy.float32)
    for is_binary in (True, False):
        result = client.infer("none.apply", [tensor("x", scores, is_binary)],
                              outputs=wanted("x", is_binary=is_binary)).as_numpy("x")
        check("NaN and infinities come and go", numpy.array_equal(result, scores, equal_nan=True),
              result)


def check_tensors_alone(client):
    """Clients that can send nothing but tensors."""
    result = client.infer("sinusoidal", [tensor("length", numpy.array([3])),
                                         tensor("dim", numpy.array([8], numpy.int32))])
    other = client.infer("sinusoidal", [], parameters={"length": 3, "dim": 8})
    check("parameters can be tensors",
          same_bits(result.as_numpy("encoding"), other.as_numpy("encoding")))
    mask = numpy.array([[True, False], [True, True]])
    for is_binary in (True, False):
        result = client.infer("sinusoidal_grid", [tensor("grid", numpy.array([2, 2])),
                                                  tensor("mask", mask, is_binary)],
                              parameters={"preset": "detr", "dim": 8})
        check("a mask of truths", numpy.isfinite(result.as_numpy("encoding")).all())


# Faults, and the rest of HTTP.


def check_faults(client):
    ones = numpy.ones((2, 4), numpy.float32)
    rows = [
        ("404", "", lambda: client.infer("sinusoid", [])),
        ("422", "did you mean 'dim'", lambda: client.infer("sinusoidal", [], parameters={"dm": 4})),
        ("422", "no output 'x'", lambda: client.infer(
            "sinusoidal", [], outputs=wanted("x", is_binary=True),
            parameters={"length": 1, "dim": 2})),
        ("422", "layout", lambda: client.infer("rope.apply", [tensor("x", ones)])),
        ("422", "", lambda: client.infer("sinusoidal", [], parameters={"length": 1, "dim": 2},
                                         timeout=5)),
        ("422", "twice", lambda: client.infer("rope.apply", [tensor("x", ones), tensor("x", ones)],
                                              parameters={"layout": "half"})),
        ("404", "", lambda: client.get_model_metadata("rope", "7")),
    ]
    for status, words, call in rows:
        got = raises(call)
        check(f"a fault of status {status}: {words}", got[0] == status and words in got[1] and got[1],
              got)


def check_compression(client):
    for coding in (None, "gzip"):
        result = client.infer("sinusoidal", [tensor("positions", numpy.arange(2000.0), False)],
                              outputs=wanted("encoding", is_binary=False), parameters={"dim": 4},
                              request_compression_algorithm=coding,
                              response_compression_algorithm=coding)
        check(f"coding {coding}", result.as_numpy("encoding").shape == (2000, 4))


def check_many(client):
    x = numpy.ones((64, 128), numpy.float32)
    requests = [
        client.async_infer("rope.apply", [tensor("x", x * i)],
                           parameters={"layout": "half", "offset": 3})
        for i in range(64)
    ]
    results = [request.get_result().as_numpy("x") for request in requests]
    check("many at once", all(same_bits(result, results[1] * numpy.float32(2**k))
                              for k, result in ((0, results[1]), (1, results[2]), (2, results[4]))))


def check_raw(server):
    """A body of bytes alone, which Triton's client does not send in this form."""
    positions = numpy.array([0.5, 7.0])
    response = server.ask("POST", "/v2/models/sinusoidal/infer?dim=8", positions.tobytes(),
                          {"Content-Type": "application/octet-stream",
                           "Inference-Header-Content-Length": "0"})
    result = triton.InferenceServerClient.parse_response_body(
        response.data,
        header_length=int(response.headers["Inference-Header-Content-Length"]),
    ).as_numpy("encoding")
    with server.get("/v1/sinusoidal", {"dim": 8, "positions": "0.5,7", "format": "raw"}) as plain:
        check("a raw request", result.tobytes() == plain.read() and result.shape == (2, 8), result)


def main(program):
    with Server(program) as server:
        client = triton.InferenceServerClient("%s:%d" % server.address, concurrency=8)
        check_health(client)
        check_models(client)
        check_tables(server, client)
        check_echo(client)
        check_inputs(client)
        check_halves(client)
        check_unfinite(client)
        check_tensors_alone(client)
        check_faults(client)
        check_compression(client)
        check_many(client)
        check_raw(server)
        client.close()
    return checks.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
