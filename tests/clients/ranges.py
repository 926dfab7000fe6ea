"""Reassembles a file of 1 GiB from random ranges, as a download manager would.

    python ranges.py POSENCD

starts that program on a free port. Pieces of random sizes are asked for in random order over a few
connections, each with If-Range, in the three forms of RFC 9110, section 14.1.2; the file they make
must be the one that comes in one piece, and one that safetensors can open. Needs safetensors and
numpy.
"""

import hashlib
import http.client
import mmap
import os
import random
import sys
import tempfile

import numpy
import safetensors
from running import Checks, Server

ROWS, COLUMNS = 2097152, 128
PATH = f"/v1/sinusoidal?length={ROWS}&dim={COLUMNS}&format=safetensors"
PIECES = 400
CONNECTIONS = 3
BLOCK = 1 << 20

checks = Checks()
check = checks.check


def take_whole(server):
    """The digest of all bytes in one piece, their number, and their tag."""
    connection = http.client.HTTPConnection(*server.address, timeout=60)
    connection.request("GET", PATH)
    response = connection.getresponse()
    digest = hashlib.sha256()
    while block := response.read(BLOCK):
        digest.update(block)
    length = int(response.getheader("Content-Length"))
    check("ranges are offered", response.getheader("Accept-Ranges") == "bytes")
    return digest.hexdigest(), length, response.getheader("ETag")


def cut(length, generator):
    """Ranges (first, end) that cover all bytes, in random order; some of one byte."""
    cuts = {generator.randrange(1, length) for _ in range(PIECES)}
    cuts |= {at + 1 for at in list(cuts)[:20] if at + 1 < length}
    edges = [0, *sorted(cuts), length]
    pieces = list(zip(edges, edges[1:]))
    generator.shuffle(pieces)
    return pieces


def header_of(first, end, length, generator):
    """One of the forms that mean these bytes."""
    if end == length:
        return generator.choice([f"bytes={first}-", f"bytes=-{end - first}"])
    return f"bytes={first}-{end - 1}"


def take_piece(connection, piece, length, tag, generator, out):
    first, end = piece
    headers = {"Range": header_of(first, end, length, generator), "If-Range": tag}
    connection.request("GET", PATH, headers=headers)
    response = connection.getresponse()
    said = response.getheader("Content-Range")
    if response.status != 206 or said != f"bytes {first}-{end - 1}/{length}":
        check(f"range {piece}", False, (response.status, said))
        response.read()
        return
    at = first
    while block := response.read(BLOCK):
        out[at : at + len(block)] = block
        at += len(block)
    check(f"range {piece}", at == end, at)


def check_file(path):
    """As a user of the file would open it: some rows against the formula, in double precision."""
    waves = 10000.0 ** (-2 * numpy.arange(COLUMNS // 2) / COLUMNS)
    with safetensors.safe_open(path, "numpy") as opened:
        table = opened.get_slice("encoding")
        check("shape", table.get_shape() == [ROWS, COLUMNS], table.get_shape())
        for row in [0, 1, 40000, ROWS - 1]:
            values = table[row : row + 1][0]
            near = numpy.abs(values[0::2] - numpy.sin(row * waves)).max() < 1e-6
            check(f"row {row}", near and numpy.abs(values[1::2] - numpy.cos(row * waves)).max() < 1e-6)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    generator = random.Random(20)
    with Server(sys.argv[1]) as server, tempfile.NamedTemporaryFile(suffix=".safetensors") as file:
        digest, length, tag = take_whole(server)
        check("the file has 1 GiB", length > ROWS * COLUMNS * 4, length)
        os.truncate(file.fileno(), length)
        connections = [
            http.client.HTTPConnection(*server.address, timeout=60) for _ in range(CONNECTIONS)
        ]
        with mmap.mmap(file.fileno(), length) as out:
            for piece in cut(length, generator):
                take_piece(generator.choice(connections), piece, length, tag, generator, out)
            check("the bytes are the same", hashlib.sha256(out).hexdigest() == digest)
        check_file(file.name)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
