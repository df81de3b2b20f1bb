"""Drives Chromium by its debugging pipe, for the tests of pages. No socket is opened.

    with Browser(profile_folder) as browser:
        page = browser.open("file:///...")
        page.run("1 + 1")

Whatever the page writes to its console, and whatever it throws, is in `page.said`.
"""
import base64
import json
import os
import select
import shutil
import subprocess
import time


def find():
    """Path of a browser, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    def __init__(self, profile, width=1200, height=1600):
        self.profile, self.size = profile, f"--window-size={width},{height}"

    def __enter__(self):
        to_read, self.out = os.pipe()
        self.back, to_write = os.pipe()
        # The browser reads from 3 and writes to 4.
        command = [find(), "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
                   "--hide-scrollbars", self.size, f"--user-data-dir={self.profile}", "about:blank"]
        shell = f"exec 3<&{to_read} 4>&{to_write}; exec \"$@\""
        self.process = subprocess.Popen(["bash", "-c", shell, "browser", *command], pass_fds=(to_read, to_write),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.number, self.left, self.pages = 0, b"", {}
        return self

    def __exit__(self, *_):
        try:
            self.ask("Browser.close")
        except (OSError, EOFError, TimeoutError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def message(self, until):
        while b"\0" not in self.left:
            ready, _, _ = select.select([self.back], [], [], max(0, until - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            got = os.read(self.back, 1 << 20)
            if not got:
                raise EOFError("the browser ended")
            self.left += got
        text, self.left = self.left.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, session=None, seconds=60, **given):
        self.number += 1
        wanted = {"id": self.number, "method": method, "params": given}
        if session:
            wanted["sessionId"] = session
        os.write(self.out, json.dumps(wanted).encode() + b"\0")
        until = time.monotonic() + seconds
        while True:
            message = self.message(until)
            if message.get("id") == wanted["id"]:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            if message.get("sessionId") in self.pages:
                self.pages[message["sessionId"]].heard(message)

    def open(self, address, seconds=60):
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, session)
        for part in ("Runtime", "Log", "Page"):
            page.ask(f"{part}.enable")
        page.ask("Page.navigate", seconds=seconds, url=address)
        return page


class Page:
    def __init__(self, browser, session):
        self.browser, self.session, self.said = browser, session, []

    def heard(self, message):
        given = message.get("params", {})
        if message["method"] == "Runtime.consoleAPICalled":
            self.said.append(" ".join(str(a.get("value", a.get("description"))) for a in given["args"]))
        elif message["method"] == "Runtime.exceptionThrown":
            details = given["exceptionDetails"]
            self.said.append(details.get("exception", {}).get("description", details["text"]))
        elif message["method"] == "Log.entryAdded":
            self.said.append(given["entry"]["text"])

    def ask(self, method, **given):
        return self.browser.ask(method, self.session, **given)

    def run(self, expression, seconds=60):
        """Value of an expression; promises are waited for."""
        got = self.ask("Runtime.evaluate", seconds=seconds, expression=expression, awaitPromise=True,
                       returnByValue=True)
        if "exceptionDetails" in got:
            details = got["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return got["result"].get("value")

    def wait(self, expression, seconds=60):
        """Waits until an expression is true."""
        until = time.monotonic() + seconds
        while True:
            try:
                if self.run(expression):
                    return
            except RuntimeError:  # between two documents
                pass
            if time.monotonic() > until:
                raise TimeoutError(f"never true: {expression}")
            time.sleep(0.03)

    def mouse(self, kind, x, y, **given):
        self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, **given)

    def drag(self, start, *stops):
        self.mouse("mouseMoved", *start)
        self.mouse("mousePressed", *start, button="left", buttons=1, clickCount=1)
        for stop in stops:
            self.mouse("mouseMoved", *stop, button="left", buttons=1)
        self.mouse("mouseReleased", *stops[-1], button="left", clickCount=1)

    def key(self, key, **given):
        self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, **given)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, **given)

    def picture(self, path, width, height):
        """The top of the page, as a PNG; what redraws itself at another size should be given a moment."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        time.sleep(1)
        got = self.ask("Page.captureScreenshot")
        with open(path, "wb") as file:
            file.write(base64.b64decode(got["data"]))
