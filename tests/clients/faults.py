"""The whole server while system calls and allocations fail under it, and while the clock jumps.

    python3 tests/clients/faults.py PROGRAM

Needs Debian's fiu-utils and faketime. Whatever fails, an answer is right, or says 503, or
the connection ends early; the process lives, and ends on SIGTERM with status 0.
"""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from running import Checks

FIU = pathlib.Path("/usr/lib/fiu")
REQUESTS = 140
REQUESTS_MAX = 5000  # where so much fails that few are answered
DEADLINES = ["--head-timeout=2", "--body-timeout=2", "--send-timeout=2", "--idle-timeout=2"]
TARGETS = [
    "/livez",
    "/v1/sinusoidal?length=64&dim=16",
    "/v1/sinusoidal?length=2048&dim=64&format=npy",
    "/v1/rope?length=4&dim=8&layout=half&scaling.type=linear&scaling.factor=2",
    "/v1/alibi?heads=4&query_length=8&format=png",
    "/v1/sinusoidal?positions=1e-310,3e-320&dim=4&dtype=float64&format=raw",
    "/nowhere",
]
BODY = b'{"length": 3, "dim": 4, "layout": "half_sin_cos"}'


class Wrapped:
    """A server behind a wrapper, which may take several tries to start where allocations fail."""

    def __init__(self, wrapper, program, deadlines=DEADLINES, environment=None, tries=5000):
        for _ in range(tries):
            self.process = subprocess.Popen(
                [*wrapper, program, "--listen", "127.0.0.1:0", *deadlines],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **(environment or {})},
            )
            line = self.process.stdout.readline().decode()
            if line.startswith("posencd listening on "):
                self.address = ("127.0.0.1", int(line.rsplit(":", 1)[1]))
                return
            self.process.kill()
            self.process.wait()
        sys.exit(f"the server does not start behind {wrapper}")

    def exchange(self, request):
        """Status and body of a whole answer, or (0, what came) when the connection ended early."""
        try:
            with socket.create_connection(self.address, timeout=20) as client:
                client.sendall(request)
                return read_answer(client)
        except OSError:
            return 0, b""

    def stop(self):
        """The exit status; None when it does not end in time."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=40)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None


def read_answer(client):
    got = b""
    while b"\r\n\r\n" not in got:
        piece = client.recv(65536)
        if not piece:
            return 0, got
        got += piece
    head, body = got.split(b"\r\n\r\n", 1)
    lengths = [l for l in head.split(b"\r\n") if l.lower().startswith(b"content-length:")]
    length = int(lengths[0].split(b":")[1]) if lengths else None
    while length is None or len(body) < length:
        piece = client.recv(65536)
        if not piece:
            break
        body += piece
    if length is None or len(body) != length:
        return 0, body
    return int(head.split()[1]), body


def make_requests():
    end = b" HTTP/1.1\r\nHost: a\r\nX-Request-Id: same\r\nConnection: close\r\n"
    requests = [b"GET " + target.encode() + end + b"\r\n" for target in TARGETS]
    post = b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(BODY)
    return [*requests, b"POST /v1/sinusoidal" + end + post + BODY]


def ask_all(server, requests, right, checks, what):
    """Asks in turn; every answer that is whole must be the right one, or a 503."""
    whole = refused = cut = 0
    for i in range(REQUESTS_MAX):
        if i >= REQUESTS and whole > 0:
            break
        status, body = server.exchange(requests[i % len(requests)])
        if status == 0:
            cut += 1
        elif status == 503:
            refused += 1
            problem = json.loads(body)["type"].startswith("urn:posenc:problem:")
            checks.check(f"{what}: a 503 is a problem document", problem, body)
        else:
            whole += 1
            same = (status, body) == right[i % len(requests)]
            checks.check(f"{what}: request {i} has the right answer", same, (status, body))
    print(f"{what}: {whole} right, {refused} with 503, {cut} cut")
    return whole


def try_profile(program, names, probability, requests, right, checks):
    commands = "".join(f"enable_random name={name},probability={probability}\n" for name in names)
    what = f"{' '.join(names)} at {probability}"
    # What fiu-run does, but for a shell in between, which would get the signals.
    environment = {
        "LD_PRELOAD": ":".join(str(FIU / f"fiu_{part}_preload.so") for part in ("run", "posix")),
        "FIU_ENABLE": commands,
    }
    begin = time.monotonic()
    server = Wrapped([], program, environment=environment)
    whole = ask_all(server, requests, right, checks, what)
    checks.check(f"{what}: some are answered", whole > 0)
    checks.check(f"{what}: it lives", server.process.poll() is None)
    status = server.stop()
    checks.check(f"{what}: it ends with status 0", status == 0, status)
    print(f"{what}: {time.monotonic() - begin:.1f} s")


def jump_clock(program, checks):
    """R21: an hour back and a year ahead; what has a deadline has it still, and nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        clock = pathlib.Path(folder, "clock")
        clock.write_text("+0s")
        library = subprocess.run(
            ["faketime", "-f", "+0s", "printenv", "LD_PRELOAD"], capture_output=True, text=True
        ).stdout.strip()
        server = Wrapped(
            [],
            program,
            deadlines=["--head-timeout=2", "--idle-timeout=60"],
            environment={
                "LD_PRELOAD": library,
                "FAKETIME_TIMESTAMP_FILE": str(clock),
                "FAKETIME_NO_CACHE": "1",
                "DONT_FAKE_MONOTONIC": "1",
            },
        )
        for offset in ("-1h", "+365d"):
            with socket.create_connection(server.address, timeout=20) as idle, \
                    socket.create_connection(server.address, timeout=20) as slow:
                idle.sendall(b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
                checks.check("before the jump", idle.recv(4096).startswith(b"HTTP/1.1 200"))
                begin = time.monotonic()
                slow.sendall(b"GET /livez HTTP/1.1\r\nX:")
                clock.write_text(offset)
                time.sleep(0.5)  # in which sweeps look at the clock
                idle.sendall(b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
                checks.check(f"{offset}: an idle connection lives on",
                             idle.recv(4096).startswith(b"HTTP/1.1 200"))
                checks.check(f"{offset}: a slow head is cut", b" 408 " in slow.recv(4096))
                taken = time.monotonic() - begin
                checks.check(f"{offset}: at its deadline", 1.5 < taken < 15, taken)
        checks.check("it ends with status 0", server.stop() == 0)


ODD_ENVIRONMENT = """
#include <fenv.h>
#include <xmmintrin.h>
static void __attribute__((constructor)) begin(void)
{
    fesetround(FE_UPWARD);
    _mm_setcsr(_mm_getcsr() | 0x8040); /* subnormals are zeros, on the way in and out */
}
"""


def change_arithmetic(program, requests, right, checks):
    """R25: a library that changes rounding and subnormals before the program begins."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = pathlib.Path(folder, "odd.c"), pathlib.Path(folder, "odd.so")
        source.write_text(ODD_ENVIRONMENT)
        command = ["cc", "-shared", "-fPIC", "-o", library, source, "-lm"]
        if os.uname().machine != "x86_64":
            return
        checks.check("a library is made", subprocess.run(command).returncode == 0)
        server = Wrapped([], program, environment={"LD_PRELOAD": str(library)})
        for request, expected in zip(requests, right):
            checks.check("odd arithmetic does not show", server.exchange(request) == expected)
        checks.check("it ends with status 0", server.stop() == 0)


def main(program):
    checks = Checks()
    if not FIU.exists() or not shutil.which("faketime"):
        sys.exit("install fiu-utils and faketime")
    requests = make_requests()
    plain = Wrapped([], program)
    right = [plain.exchange(request) for request in requests]
    checks.check("all are answered", all(status for status, _ in right), right)
    checks.check("it ends with status 0", plain.stop() == 0)
    for names, probability in (
        (["libc/mm/*"], 0.02),
        (["libc/mm/*"], 0.2),
        (["posix/io/net/send", "posix/io/net/sendmsg"], 0.05),
        (["posix/io/net/recv"], 0.05),
        (["posix/io/net/accept"], 0.05),
        (["posix/io/net/poll"], 0.05),
        (["posix/io/rw/writev", "posix/io/rw/readv"], 0.05),
        (["posix/io/rw/*/reduce"], 0.5),
    ):
        try_profile(program, names, probability, requests, right, checks)
    jump_clock(program, checks)
    change_arithmetic(program, requests, right, checks)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
