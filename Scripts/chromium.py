"""Chromium without a window, which scripts control by the DevTools protocol."""
import asyncio
import json
import re
import subprocess
import tempfile
import urllib.request
from contextlib import asynccontextmanager

import websockets

COMMAND = [
    "chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-port=0",
    "--remote-allow-origins=*"]


class Page:
    """A page. `events` are what it has reported since the last call of `open`."""

    def __init__(self, connection):
        self.connection = connection
        self.count = 0
        self.events = []

    async def call(self, method, **parameters):
        self.count += 1
        await self.connection.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while (answer := json.loads(await self.connection.recv())).get("id") != self.count:
            self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    async def evaluate(self, expression):
        """The value of an expression, and of the promise if it is one."""
        answer = await self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{answer['exceptionDetails']['exception'].get('description')} in {expression}")
        return answer["result"].get("value")

    async def until(self, expression):
        """Waits until an expression is true."""
        while not await self.evaluate(expression):
            await asyncio.sleep(0.02)

    async def open(self, address):
        """Opens an address, and waits until all of its files are loaded. Call `Page.enable` before."""
        self.events = []
        await self.call("Page.navigate", url=address)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(json.loads(await self.connection.recv()))

    async def press(self, key, text=""):
        """Presses a key, which is named as in KeyboardEvent.key."""
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowRight": 39}
        common = {"key": key, "code": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0].upper()))}
        await self.call("Input.dispatchKeyEvent", type="keyDown", text=text or ("\r" if key == "Enter" else ""), **common)
        await self.call("Input.dispatchKeyEvent", type="keyUp", **common)


@asynccontextmanager
async def page(address="about:blank"):
    """Starts Chromium with a page, and ends it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        chromium = subprocess.Popen([*COMMAND, f"--user-data-dir={profile}", address], stderr=subprocess.PIPE, text=True)
        try:
            place = next(filter(None, (re.search(r"ws://([^/]+)/", line) for line in chromium.stderr)))[1]
            with urllib.request.urlopen(f"http://{place}/json") as pages:
                found = next(page for page in json.load(pages) if page["type"] == "page")
            async with websockets.connect(found["webSocketDebuggerUrl"], max_size=None) as connection:
                yield Page(connection)
        finally:
            chromium.terminate()
            chromium.wait()
