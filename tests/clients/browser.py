"""Chromium, without a window, driven through a pair of pipes (its DevTools protocol)."""

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PATIENCE = 60  # seconds until what a test waits for must be there


class Browser:
    """One page. `with` ends the browser, and takes its profile away."""

    def __init__(self, width=1280, height=900, scripts=True):
        self.profile = tempfile.mkdtemp()
        self.troubles = []  # what the console, the policy and exceptions said
        self.number = itertools.count(1)
        self.rest = b""
        self.rule = None
        self.held = []  # requests that wait for release()
        ours, theirs = os.pipe(), os.pipe()
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$0" "$@" 3<&{ours[0]} 4>&{theirs[1]}', "chromium", "--headless=new",
             "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-extensions", "--disable-background-networking", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile}", f"--window-size={width},{height}", "about:blank"],
            pass_fds=(ours[0], theirs[1]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(ours[0])
        os.close(theirs[1])
        self.to, self.fro = ours[1], theirs[0]
        self.session = None
        pages = [t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page"]
        page = pages[0]["targetId"] if pages else self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.resize(width, height)
        if not scripts:
            self.call("Emulation.setScriptExecutionDisabled", value=True)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.process.terminate()
        self.process.wait()
        os.close(self.to)
        os.close(self.fro)
        shutil.rmtree(self.profile, ignore_errors=True)

    def send(self, method, **parameters):
        number = next(self.number)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        rest = json.dumps(message).encode() + b"\0"
        while rest:
            rest = rest[os.write(self.to, rest):]
        return number

    def call(self, method, **parameters):
        number = self.send(method, **parameters)
        while True:
            answer = self.read()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def read(self):
        deadline = time.monotonic() + PATIENCE
        while b"\0" not in self.rest:
            if not select.select([self.fro], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the browser says nothing")
            part = os.read(self.fro, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.rest += part
        line, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(line)
        self.note(message.get("method"), message.get("params", {}))
        return message

    def note(self, method, event):
        if method == "Fetch.requestPaused":
            self.meet(event["requestId"], self.rule(event["request"]) if self.rule else None)
        elif method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            self.troubles.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and event["type"] in ("error", "warning", "assert"):
            self.troubles.append(" ".join(str(a.get("value")) for a in event["args"]))
        elif method == "Log.entryAdded" and event["entry"]["level"] in ("error", "warning"):
            # A refusal that the page asked for and shows is no trouble.
            if event["entry"]["source"] != "network":
                self.troubles.append(event["entry"]["text"])

    def intercept(self, rule=None):
        """From now on rule(request) says what a request, {"url", "method", "headers"}, meets: None lets it
        pass, "fail" breaks the connection, "hold" keeps it until release(), (status, type, text) answers.
        Without a rule all pass."""
        self.rule = rule
        self.call("Fetch.enable" if rule else "Fetch.disable")

    def meet(self, request, answer):
        if answer == "hold":
            self.held.append(request)
        elif answer == "fail":
            self.send("Fetch.failRequest", requestId=request, errorReason="ConnectionRefused")
        elif answer is None:
            self.send("Fetch.continueRequest", requestId=request)
        else:
            status, media_type, text = answer
            self.send("Fetch.fulfillRequest", requestId=request, responseCode=status,
                      responseHeaders=[{"name": "Content-Type", "value": media_type}],
                      body=base64.b64encode(text.encode()).decode())

    def release(self, answer=None):
        """Lets the held requests meet that."""
        held, self.held = self.held, []
        for request in held:
            self.meet(request, answer)

    def resize(self, width, height, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, url):
        self.call("Page.navigate", url=url)

    def evaluate(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description", script))
        return answer["result"].get("value")

    def wait(self, script, patience=PATIENCE):
        """What the script comes to say, once that is true; what it says in the end otherwise."""
        deadline = time.monotonic() + patience
        while True:
            try:
                value = self.evaluate(script)
            except RuntimeError:  # the page is being replaced
                value = None
            if value or time.monotonic() > deadline:
                return value
            time.sleep(0.02)

    def key(self, name, code, modifiers=0):
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name,
                      windowsVirtualKeyCode=code, modifiers=modifiers)

    def text(self, text):
        self.call("Input.insertText", text=text)

    def picture(self, path, whole=False):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
