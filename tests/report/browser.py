"""A headless Chromium on a pipe: opens a page of ours and says what a reader would see and what went wrong.

It speaks the DevTools protocol over two file descriptors, so nothing is listened to on any port.
"""

import base64
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--remote-debugging-pipe"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars"),
    *("--disable-dev-shm-usage", "--disable-extensions", "--mute-audio"),
)

# For every text that is seen: its contrast with what is painted behind it, as WCAG 2.1 computes it.
CONTRAST = """
(() => {
  const parse = c => (c.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
  const linear = x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4;
  const light = c => { const v = c.slice(0, 3).map(x => linear(x / 255));
                       return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
  const behind = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor);
                        if (c.length < 4 || c[3] > 0) return c; }
                        return parse(getComputedStyle(document.body).backgroundColor); };
  const poor = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let seen = 0;
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !e.getClientRects().length || e.closest('title')) continue;
    const style = getComputedStyle(e), svg = e.closest('svg');
    let ground = behind(e);
    const on = svg && [...e.classList].find(c => /^on\\d$/.test(c));
    if (on) ground = parse(getComputedStyle(svg.querySelector('.shade' + on[2])).fill);
    const ink = parse(svg ? style.fill : style.color);
    const [a, b] = [light(ink), light(ground)].sort((x, y) => y - x);
    const ratio = (a + .05) / (b + .05);
    seen += 1;
    const large = parseFloat(style.fontSize) >= 24;
    if (ratio < (large ? 3 : 4.5)) poor.push([walk.currentNode.data.trim().slice(0, 40), ratio.toFixed(2)]);
  }
  return {seen, poor};
})()
"""

# What those miss who do not see the page, or have no mouse.
ACCESS = """
(() => {
  const wrong = [], all = s => [...document.querySelectorAll(s)];
  if (all('main').length !== 1 || all('main h1, body > header h1').length !== 1) wrong.push('one main part, one title');
  if (!document.documentElement.lang || !document.title.trim()) wrong.push('language and title');
  all('section').forEach(e => e.querySelector('h2') || wrong.push('a section without a heading'));
  let level = 1;
  all('h1, h2, h3, h4').forEach(h => { const n = +h.tagName[1];
    if (n > level + 1) wrong.push('a heading is skipped: ' + h.textContent); level = n; });
  all('svg').forEach(e => (e.getAttribute('role') === 'img' && e.getAttribute('aria-label')) ||
    e.getAttribute('aria-hidden') || wrong.push('a figure without words'));
  all('img').forEach(e => e.alt || wrong.push('a picture without words'));
  all('th').forEach(e => e.scope || wrong.push('a head of no column: ' + e.textContent));
  all('nav a').forEach(e => document.getElementById(e.hash.slice(1)) || wrong.push('leads nowhere: ' + e.hash));
  all('.scroll').forEach(e => e.scrollWidth <= e.clientWidth || e.tabIndex >= 0 ||
    wrong.push('scrolls for a mouse only: ' + e.textContent.trim().slice(0, 30)));
  return wrong;
})()
"""


class Browser:
    """One browser with one page."""

    def __enter__(self) -> "Browser":
        self._home = tempfile.mkdtemp(prefix="chromium-")
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()

        def placed() -> None:  # Chromium reads from 3 and writes to 4
            a, b = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(a, 3)
            os.dup2(b, 4)

        assert CHROMIUM
        self._process = subprocess.Popen(
            [CHROMIUM, *FLAGS, f"--user-data-dir={self._home}", "about:blank"],
            preexec_fn=placed,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._in, self._out = os.fdopen(ours_in, "rb"), os.fdopen(ours_out, "wb")
        self._number, self._session, self.events = 0, None, []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        return self

    def __exit__(self, *stopped: object) -> None:
        self._process.terminate()
        self._process.wait(timeout=20)
        self._in.close()
        self._out.close()
        shutil.rmtree(self._home, ignore_errors=True)

    def ask(self, method: str, **words: Any) -> Any:
        """One command and its answer; what happens meanwhile is kept in ``events``."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": words}
        if self._session:
            message["sessionId"] = self._session
        self._out.write(json.dumps(message).encode() + b"\0")
        self._out.flush()
        while True:
            heard = self._hear()
            if heard.get("id") == self._number:
                assert "error" not in heard, heard
                return heard["result"]

    def _hear(self) -> Any:
        text = bytearray()
        while (byte := self._in.read(1)) != b"\0":
            assert byte, "the browser went away"
            text += byte
        heard = json.loads(text)
        if "method" in heard:
            self.events.append(heard)
        return heard

    def open(self, page: Path, width: int = 1200, dark: bool = False) -> None:
        """Open a file as a screen of this width would."""
        self.events.clear()
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 500)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])
        self.ask("Page.navigate", url=page.resolve().as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self._hear()

    def value(self, words: str) -> Any:
        """What an expression comes to in the page."""
        answer = self.ask("Runtime.evaluate", expression=words, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def complaints(self) -> list[str]:
        """What a console would show: errors, warnings, exceptions, what a policy blocked."""
        self.value("1")
        kinds = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
        return [json.dumps(event["params"])[:300] for event in self.events if event["method"] in kinds]

    def requests(self) -> list[str]:
        """Every address that was asked for beside the page itself and what is written into it."""
        sent = [
            event["params"]["request"]["url"] for event in self.events if event["method"] == "Network.requestWillBeSent"
        ]
        return [url for url in sent[1:] if not url.startswith("data:")]

    def picture(self, path: Path, tallest: int = 9000) -> None:
        """The whole page as a PNG."""
        box = self.ask("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": box["width"], "height": min(box["height"], tallest), "scale": 1}
        taken = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        path.write_bytes(base64.b64decode(taken["data"]))
