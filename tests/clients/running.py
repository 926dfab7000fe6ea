"""A running posencd and the counting of checks, which the clients beside this file share."""

import http.client
import subprocess
import sys
import urllib.parse
import urllib.request

ANSWER_S = 120  # on any machine


class Checks:
    """Counts checks, names those that failed, and says so in the line that CI adds up."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, condition, detail=""):
        if condition:
            self.passed += 1
        else:
            self.failed += 1
            print("FAILED:", what, str(detail)[:1000])

    def close(self):
        """The exit status of the program."""
        print(f"{self.passed} passed, {self.failed} failed")
        return self.failed != 0


class Server:
    """Starts the program on a free port, which it tells itself; `with` stops it at the end."""

    def __init__(self, program, *flags):
        self.process = subprocess.Popen(
            [program, "--listen", "127.0.0.1:0", *flags],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        line = self.process.stdout.readline()  # when it listens
        if not line.startswith("posencd listening on "):
            sys.exit("the server does not start")
        self.base = line.split()[-1]
        self.address = ("127.0.0.1", int(self.base.rpartition(":")[2]))

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.stop()

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def open(self, request):
        return urllib.request.urlopen(request, timeout=ANSWER_S)

    def get(self, path, query=None, headers=None):
        url = self.base + path + "?" + urllib.parse.urlencode(query or {})
        return self.open(urllib.request.Request(url, headers=headers or {}))

    def post(self, path, query, body, media_type, headers=None):
        url = self.base + path + "?" + urllib.parse.urlencode(query)
        return self.open(
            urllib.request.Request(url, body, {"Content-Type": media_type, **(headers or {})})
        )

    def ask(self, method, target, body=None, headers=None):
        """The response whatever its status, its body read into `data`."""
        connection = http.client.HTTPConnection(*self.address, timeout=ANSWER_S)
        connection.request(method, target, body, headers or {})
        response = connection.getresponse()
        response.data = response.read()
        connection.close()
        return response
