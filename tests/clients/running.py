"""A running posencd and the counting of checks, which the clients beside this file share."""

import http.client
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

PORTS = range(18600, 18700)


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
    """Starts the program on the first free port; `with` stops it at the end."""

    def __init__(self, program, *flags):
        for port in PORTS:
            self.address = ("127.0.0.1", port)
            self.base = f"http://127.0.0.1:{port}"
            self.process = subprocess.Popen(
                [program, "--listen", f"127.0.0.1:{port}", *flags],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            if self.answers():
                return
            self.stop()
        sys.exit("the server does not start")

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.stop()

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

    def open(self, request):
        return urllib.request.urlopen(request, timeout=30)

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
        connection = http.client.HTTPConnection(*self.address, timeout=30)
        connection.request(method, target, body, headers or {})
        response = connection.getresponse()
        response.data = response.read()
        connection.close()
        return response
