"""Asks a server for the same few things again and again, and counts what is not answered rightly.

load.py URL SECONDS [REQUESTS] - with so many requests a connection; ends by itself after that time; one closing line, and 0 when nothing failed. The
answers must be, byte for byte, those to its first requests, so a body cut short counts as failed.
"""

import http.client
import sys
import threading
import time
import urllib.parse

CLIENTS = 4
REQUESTS_A_SECOND = 40  # of each client: a load to notice failures by, not one to measure with
REQUESTS_A_CONNECTION = 25  # unless told; then a new connection: both kinds meet what happens
PATIENCE_S = 20
FAILURES_SHOWN = 10

# Each answer leaves in one write, head and body: what a server that is killed has begun to send in
# parts nobody can repeat for a client that has the first of them.
APPLY = b'{"layout":"half","offset":3,"x":[[1,2,3,4],[5,6,7,8]]}'
JSON = {"Content-Type": "application/json"}
ASKED = (
    ("GET", "/v1/sinusoidal?length=4&dim=8", None, {}),
    ("GET", "/v1/rope?length=128&dim=128&format=npy&tensor=cos", None, {}),
    ("POST", "/v1/rope/apply", APPLY, JSON),
    ("GET", "/v1/alibi?heads=8&query_length=6&key_length=6", None, {"Accept": "application/json"}),
)


class Client(threading.Thread):
    def __init__(self, host, until, wanted, requests_a_connection=1):
        super().__init__()
        self.host, self.until, self.wanted = host, until, wanted
        self.requests_a_connection = requests_a_connection
        self.connection, self.answered, self.slowest_s, self.failures = None, 0, 0.0, []

    def ask(self, asked):
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.host, timeout=PATIENCE_S)
        method, path, body, headers = asked
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def leave(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None

    def run(self):
        count = 0
        while time.monotonic() < self.until:
            asked, begin = ASKED[count % len(ASKED)], time.monotonic()
            count += 1
            try:
                got = self.ask(asked)
                if got == self.wanted[asked[1]]:
                    self.answered += 1
                else:
                    self.failures.append(f"{asked[0]} {asked[1]}: {got[0]}, {len(got[1])} bytes")
            except (OSError, http.client.HTTPException) as error:
                self.failures.append(f"{asked[0]} {asked[1]}: {error!r}")
                self.leave()
            took_s = time.monotonic() - begin
            self.slowest_s = max(self.slowest_s, took_s)
            if count % self.requests_a_connection == 0:
                self.leave()
            time.sleep(max(0.0, 1 / REQUESTS_A_SECOND - took_s))
        self.leave()


def main():
    host = urllib.parse.urlsplit(sys.argv[1]).netloc
    first = Client(host, 0, {})
    wanted = {asked[1]: first.ask(asked) for asked in ASKED}
    first.leave()
    if any(status != 200 for status, _ in wanted.values()):
        print("the first answers are wrong already:", {path: got[0] for path, got in wanted.items()})
        return 1
    until = time.monotonic() + float(sys.argv[2])
    requests = int(sys.argv[3]) if len(sys.argv) > 3 else REQUESTS_A_CONNECTION
    clients = [Client(host, until, wanted, requests) for _ in range(CLIENTS)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    failures = [failure for client in clients for failure in client.failures]
    for failure in failures[:FAILURES_SHOWN]:
        print("        " + failure)
    answered = sum(client.answered for client in clients)
    slowest_ms = 1000 * max(client.slowest_s for client in clients)
    print(f"        {answered} answered, {len(failures)} not, slowest {slowest_ms:.0f} ms")
    return 1 if failures or not answered else 0


if __name__ == "__main__":
    sys.exit(main())
