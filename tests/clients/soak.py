"""Good and bad requests, half and half, for SOAK_SECONDS; memory and descriptors must stay flat.

    python3 tests/clients/soak.py PROGRAM SECONDS

Prints the slopes of both over the second half of the time, and the slowest probe.
"""

import pathlib
import random
import socket
import sys
import threading
import time

from running import Checks, Server

WORKERS = 8
SAMPLE_S = 1.0
SLOPE_BYTES_AN_HOUR_MAX = 8 << 20
GROWTH_BYTES_MIN = 2 << 20  # below this, over the time measured, it is no slope but noise
HEAD = b" HTTP/1.1\r\nHost: a\r\n"
GOOD = [
    (b"GET /livez" + HEAD + b"\r\n", 200),
    (b"GET /v1/sinusoidal?length=64&dim=64&format=npy" + HEAD + b"\r\n", 200),
    (b"GET /v1/sinusoidal?length=16&dim=16" + HEAD + b"Accept-Encoding: gzip\r\n\r\n", 200),
    (b"GET /v1/rope?length=16&dim=16&layout=half&format=safetensors" + HEAD + b"\r\n", 200),
    (b"GET /v1/alibi?heads=4&query_length=16&format=png" + HEAD + b"\r\n", 200),
    (b"POST /v1/sinusoidal" + HEAD + b"Content-Type: application/json\r\n"
     b"Content-Length: 20\r\n\r\n" + b'{"length":1,"dim":2}', 200),
    (b"GET /openapi.json" + HEAD + b"\r\n", 200),
]
BAD = [
    (b"GET /nowhere" + HEAD + b"\r\n", 404),
    (b"GET /v1/sinusoidal?length=-1&dim=4" + HEAD + b"\r\n", 422),
    (b"POST /v1/sinusoidal" + HEAD + b"Content-Type: application/json\r\n"
     b"Content-Length: 3\r\n\r\n{]}", 400),
    (b"GET /livez%00" + HEAD + b"\r\n", 400),
    (b"POST /v1/sinusoidal" + HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    (b"POST /v1/sinusoidal" + HEAD + b"Content-Length: 99999999999\r\n\r\n", 413),
]
RUDE = [  # no answer is due: gone in the head, in the body, in the answer
    b"GET /li",
    b"POST /v1/sinusoidal" + HEAD + b"Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{",
    b"GET /v1/sinusoidal?length=1048576&dim=64&format=npy" + HEAD + b"\r\n",
]


def read_status(client):
    """The status of one whole answer."""
    got = b""
    while b"\r\n\r\n" not in got:
        piece = client.recv(65536)
        if not piece:
            return 0
        got += piece
    head, body = got.split(b"\r\n\r\n", 1)
    length = [l for l in head.split(b"\r\n") if l.lower().startswith(b"content-length:")]
    chunked = b"transfer-encoding: chunked" in head.lower()
    while (not body.endswith(b"0\r\n\r\n")) if chunked else len(body) < int(length[0].split(b":")[1]):
        piece = client.recv(65536)
        if not piece:
            return 0
        body += piece
    return int(head.split()[1])


class Worker(threading.Thread):
    def __init__(self, address, until, seed):
        super().__init__()
        self.address, self.until, self.random = address, until, random.Random(seed)
        self.asked = self.wrong = 0

    def run(self):
        while time.monotonic() < self.until:
            with socket.create_connection(self.address, timeout=30) as client:
                self.converse(client)

    def converse(self, client):
        for _ in range(self.random.randint(1, 20)):
            kind = self.random.random()
            if kind < 0.05:
                client.sendall(self.random.choice(RUDE))
                return
            request, status = self.random.choice(GOOD if kind < 0.5 else BAD)
            client.sendall(request)
            answer = read_status(client)
            self.asked += 1
            self.wrong += answer != status
            if status in (400, 413):  # some of these close
                return


def sample(pid):
    pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096, len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir()))


def slope(samples):
    """Least squares, a second."""
    times = [t for t, _ in samples]
    values = [v for _, v in samples]
    mean_t, mean_v = sum(times) / len(times), sum(values) / len(values)
    spread = sum((t - mean_t) ** 2 for t in times)
    return sum((t - mean_t) * (v - mean_v) for t, v in samples) / spread


def main(program, seconds):
    checks = Checks()
    with Server(program) as server:
        begin = time.monotonic()
        workers = [Worker(server.address, begin + seconds, seed) for seed in range(WORKERS)]
        memory, descriptors, slowest = [], [], 0
        for worker in workers:
            worker.start()
        while time.monotonic() < begin + seconds:
            time.sleep(SAMPLE_S)
            now = time.monotonic()
            checks.check("a probe is answered", server.get("/livez").status == 200)
            slowest = max(slowest, time.monotonic() - now)
            resident, fds = sample(server.process.pid)
            memory.append((now - begin, resident))
            descriptors.append((now - begin, fds))
        for worker in workers:
            worker.join()
        time.sleep(2)
        half = len(memory) // 2
        bytes_an_hour, fds_an_hour = (3600 * slope(s[half:]) for s in (memory, descriptors))
        grown = bytes_an_hour / 3600 * seconds / 2
        asked, wrong = (sum(getattr(w, name) for w in workers) for name in ("asked", "wrong"))
        print(f"soak: {asked} requests in {seconds} s, resident {memory[-1][1] >> 10} KiB, "
              f"{bytes_an_hour / 1024:.0f} KiB an hour, {fds_an_hour:.2f} descriptors an hour, "
              f"slowest probe {1000 * slowest:.0f} ms")
        checks.check("every answer has its status", wrong == 0, f"{wrong} of {asked}")
        checks.check("memory is flat",
                     bytes_an_hour < SLOPE_BYTES_AN_HOUR_MAX or grown < GROWTH_BYTES_MIN,
                     bytes_an_hour)
        checks.check("descriptors come back", sample(server.process.pid)[1] <= descriptors[0][1],
                     descriptors[-1])
        checks.check("it still lives", server.process.poll() is None)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
