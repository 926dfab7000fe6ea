"""Holds /metrics of a running posencd against promtool and Prometheus' own parsers.

    python metrics.py POSENCD

starts that program on a free port, makes requests whose number is known, and scrapes both formats.
What it checks: that promtool finds no fault with the older one; that the strict parser of
prometheus_client reads the newer one; that both tell the same; that counters say what was asked.
Needs prometheus_client, and promtool on the path.
"""

import http.client
import subprocess
import sys
import time

from prometheus_client import parser as text_parser
from prometheus_client.openmetrics import parser as openmetrics_parser

TEXT = "text/plain; version=0.0.4; charset=utf-8"
OPENMETRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"

# What scrapers send, and what they must get.
ACCEPTS = [
    (None, TEXT),
    ("*/*", TEXT),
    ("text/html", TEXT),
    ("application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
     "text/plain;version=0.0.4;q=0.5,*/*;q=0.1", OPENMETRICS),
    ("application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
     "application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
     OPENMETRICS),
    ("text/plain;version=0.0.4, application/openmetrics-text;q=0.5", TEXT),
]

# method, target, headers, body, route, status, reason of the problem
REQUESTS = [
    ("GET", "/livez", {}, None, "/livez", 200, None),
    ("HEAD", "/livez", {}, None, "/livez", 200, None),
    ("OPTIONS", "/livez", {}, None, "/livez", 204, None),
    ("GET", "/v1/sinusoidal?length=300&dim=64&format=raw", {}, None, "/v1/{encoding}", 200, None),
    ("GET", "/v1/sinusoidal?length=2&dim=0", {}, None, "/v1/{encoding}", 422, "out-of-range"),
    ("GET", '/nowhere/"quoted"', {}, None, "unmatched", 404, "not-found"),
    ("DELETE", "/livez", {}, None, "/livez", 405, "method-not-allowed"),
    ("BREW", "/livez", {}, None, "none", 501, "unknown-method"),
    ("POST", "/v1/rope", {"Content-Type": "application/json"}, "{", "/v1/{encoding}", 400,
     "malformed-body"),
    ("POST", "/v1/rope", {"Content-Type": "text/plain"}, "x" * 1000, "/v1/{encoding}", 415,
     "unsupported-media-type"),
]
TIMES = 3
TABLE_BYTES = 300 * 64 * 4

passed = failed = 0


def check(what, condition, detail=""):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print("FAILED:", what, str(detail)[:1000])


class Server:
    def __init__(self, program):
        self.process = subprocess.Popen(
            [program, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        self.address = line.strip().rpartition("/")[2]

    def stop(self):
        self.process.terminate()
        return self.process.wait()

    def ask(self, method, target, body=None, headers=None):
        connection = http.client.HTTPConnection(self.address, timeout=30)
        connection.request(method, target, body, headers or {})
        response = connection.getresponse()
        response.data = response.read()
        connection.close()
        return response

    def scrape(self, accept=None):
        return self.ask("GET", "/metrics", None, {"Accept": accept} if accept else {})


def samples(families):
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }


def check_formats(server):
    for accept, expected in ACCEPTS:
        response = server.scrape(accept)
        check(f"{accept}: the format", response.headers["Content-Type"] == expected,
              response.headers["Content-Type"])
        check(f"{accept}: kept by no cache", response.headers["Cache-Control"] == "no-store")
        openmetrics = expected == OPENMETRICS
        check(f"{accept}: the end", response.data.endswith(b"# EOF\n") == openmetrics)
        check(f"{accept}: one line end at the end", not response.data.endswith(b"\n\n"))


def check_promtool(text):
    run = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True)
    check("promtool finds no fault", run.returncode == 0 and not run.stdout + run.stderr,
          run.stdout + run.stderr)


def parse_both(server):
    text = server.scrape().data
    check_promtool(text)
    old = samples(text_parser.text_string_to_metric_families(text.decode()))
    new = samples(openmetrics_parser.text_string_to_metric_families(
        server.scrape(ACCEPTS[3][0]).data.decode()))
    # The families of the first scrape, whose own request the second one counts.
    check("both formats have the same samples", not set(old) - set(new), set(old) - set(new))
    check("no sample is there twice", len(new) > 100)
    return new


def wait_until_idle(server):
    """A request is counted once its answer has been sent, a moment after the client has it."""
    for _ in range(1000):
        families = text_parser.text_string_to_metric_families(server.scrape().data.decode())
        if samples(families)[("posenc_http_requests_in_flight", ())] == 1:  # this one
            return
        time.sleep(0.02)


def key(name, **labels):
    return (name, tuple(sorted(labels.items())))


def check_counts(server):
    for method, target, headers, body, *_ in REQUESTS * TIMES:
        server.ask(method, target, body, headers)
    wait_until_idle(server)
    seen = parse_both(server)
    for method, target, _, _, route, status, reason in REQUESTS:
        label = "other" if method == "BREW" else method
        counted = seen.get(key("posenc_http_requests_total", route=route, method=label,
                               status=str(status)))
        check(f"{method} {target} is counted", counted == TIMES, counted)
        if reason:
            counted = seen.get(key("posenc_http_problems_total", reason=reason))
            check(f"{reason} is counted", counted == TIMES, counted)
    check_histograms(seen)
    check("bodies that came are counted",
          seen[key("posenc_http_received_body_bytes_total")] == TIMES * 1001,
          seen[key("posenc_http_received_body_bytes_total")])
    held = seen[key("posenc_memory_bytes")]  # by the scrape itself
    check("bytes held are given back", 0 < held < 100000, held)
    check("bytes sent are counted", seen[key("posenc_http_sent_body_bytes_total")]
          >= TIMES * TABLE_BYTES)


def check_histograms(seen):
    name, route = "posenc_http_response_size_bytes", "/v1/{encoding}"
    below = seen[key(name + "_bucket", route=route, le="65536.0")]
    above = seen[key(name + "_bucket", route=route, le="262144.0")]
    count = seen[key(name + "_count", route=route)]
    check("tables stand in their bucket", above - below == TIMES, (below, above))
    check("every answer stands in a bucket", count == TIMES * 4 and above == count, count)
    check("seconds are summed", 0 < seen[key("posenc_http_request_duration_seconds_sum",
                                             route=route)] < 60)


def check_process(server):
    seen = parse_both(server)
    now = time.time()
    check("the start is near", 0 <= now - seen[key("process_start_time_seconds")] < 300)
    check("memory is used", 1e6 < seen[key("process_resident_memory_bytes")] < 1e9)
    check("descriptors are open",
          5 < seen[key("process_open_fds")] < seen[key("process_max_fds")])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    server = Server(sys.argv[1])
    try:
        check_formats(server)
        check_counts(server)
        check_process(server)
    finally:
        check("the server ends well", server.stop() == 0)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
