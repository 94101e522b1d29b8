"""Recordings made by strangers: `wbridge view` shows their data and runs none of their scripts.

Judge: what a browser does with the page (`make test-browser`), and the start of a page of our own.
"""

from __future__ import annotations

import re
import subprocess
import zlib
from base64 import b64encode
from pathlib import Path

import pytest

from tests.conftest import require_tool
from wbridge.main import main
from wbridge.robot_windows.recording_page import page_start
from wbridge.wbcore.recordings import page_parts
from wbridge.wbcore.recordings.page_parts import MOST_BYTES, parts_of

BALL = Path(__file__).resolve().parents[2] / "worlds" / "ball_on_a_ramp.wbt"
HARM = "document.documentElement.dataset.harm = 1"
HOSTILE = f"""\
<script>{HARM}</script>
<img src="x" onerror="{HARM}">
<svg onload="{HARM}"></svg>
<iframe srcdoc="<script>parent.{HARM}</script>"></iframe>
<base href="http://192.0.2.1/"><meta http-equiv="refresh" content="3600; url=http://192.0.2.1/">
<link rel="stylesheet" href="http://192.0.2.1/a.css">
<style>body {{ background: url(http://192.0.2.1/b) }}</style>
<script type="text/plain" data-part="lines" data-size="4" onclick="{HARM}">AAAA</script>
<script type="text/plain" data-part="lines" data-size="4" data-x=""><script>{HARM}</script>">AAAA</script>
<script type="text/plain" data-part="lines" data-size="5">AAAA<</script>
<script type="text/plain" data-part="other" data-size="4">AAAA</script>
<script type="text/plain" data-module="x.js">AAAA</script>
"""
PARTS = re.compile(r'<script type="text/plain" data-part=[^\n]*\n')


def part(kind: str, data: bytes, **attributes: str) -> str:
    text = b64encode(zlib.compress(data)).decode()
    more = "".join(f' data-{name}="{value}"' for name, value in attributes.items())
    return f'<script type="text/plain" data-part="{kind}" data-size="{len(text)}"{more}>{text}</script>\n'


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording between whose parts a stranger has put scripts."""
    folder = tmp_path_factory.mktemp("recordings")
    own, strange = folder / "own.html", folder / "strange.html"
    command = ["run", str(BALL), "--duration", "0.2", "--no-controllers", "--quiet", "--record", str(own)]
    assert main(command) == 0
    text = own.read_text("utf-8")
    first = text.index('<script type="text/plain" data-part=')
    parts = PARTS.findall(text)
    strange.write_text(
        text[:first].replace("<head>", f"<head>{HOSTILE}") + HOSTILE.join(parts) + HOSTILE, "utf-8"
    )
    return strange


@pytest.fixture(scope="module")
def page(recording: Path) -> Path:
    """What `wbridge view` opens."""
    shown = recording.with_name("page.html")
    assert main(["view", str(recording), "--output", str(shown), "--no-open", "--quiet"]) == 0
    return shown


def test_only_the_data_of_a_recording_is_used(recording: Path, page: Path):
    text = page.read_text("utf-8")
    start = page_start("Ball on a ramp", is_strict=True)
    assert text.startswith(start)
    assert "".join(PARTS.findall(text)) == text[len(start) :]
    own = recording.with_name("own.html").read_text("utf-8")
    assert PARTS.findall(text) == PARTS.findall(own)
    assert HARM not in text
    assert "192.0.2.1" not in text


def test_the_title_is_text(tmp_path: Path):
    strange, shown = tmp_path / "a.html", tmp_path / "b.html"
    strange.write_text(part("head", b'{"title": "</title><script>harm()</script>"}'))
    assert main(["view", str(strange), "--output", str(shown), "--no-open", "--quiet"]) == 0
    assert "<title>&lt;/title&gt;&lt;script&gt;harm()" in shown.read_text("utf-8")


def test_parts_that_grow_are_left_out(tmp_path: Path):
    """A part of 0.3 MB with more zeros than a browser can show."""
    strange = tmp_path / "a.html"
    packed = zlib.compressobj()
    data = b"".join(packed.compress(bytes(1 << 20)) for _ in range((MOST_BYTES >> 20) + 1)) + packed.flush()
    text = b64encode(data).decode()
    large = (
        f'<script type="text/plain" data-part="file" data-size="{len(text)}" data-name="a">{text}</script>\n'
    )
    damaged = b64encode(zlib.compress(b"head")[:-3]).decode()
    torn = f'<script type="text/plain" data-part="file" data-size="{len(damaged)}">{damaged}</script>\n'
    strange.write_text(part("head", b"{}") + large + torn + part("file", b"small", name="b"))
    assert [(one.kind, one.attributes) for one in parts_of(strange)] == [
        ("head", {}),
        ("file", {"name": "b"}),
    ]


@pytest.mark.parametrize("kinds", [("head", "frames", "frames"), ("head",) * 3])
def test_all_parts_together_are_bounded(
    kinds: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    """Parts of an allowed size, of which a small file has very many."""
    monkeypatch.setattr(page_parts, "MOST_BYTES_OF_ALL", 2500)
    strange = tmp_path / "a.html"
    strange.write_text("".join(part(kind, bytes(1000)) for kind in kinds))
    assert main(["view", str(strange), "--output", str(tmp_path / "b.html"), "--no-open"]) == 2
    assert "its parts unpack to more than the allowed 2,500 bytes" in capsys.readouterr().err


@pytest.mark.parametrize("text", ['<p data-part="head">', part("scene", b"{}") + part("head", b"{}")])
def test_other_pages_are_refused(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "a.html").write_text(text, "utf-8")
    assert main(["view", str(tmp_path / "a.html"), "--no-open"]) == 2
    assert "is not a recording" in capsys.readouterr().err


def test_a_recording_is_not_replaced(recording: Path, capsys: pytest.CaptureFixture[str]):
    before = recording.read_bytes()
    assert main(["view", str(recording), "--output", str(recording), "--no-open"]) == 2
    assert "choose another --output" in capsys.readouterr().err
    assert recording.read_bytes() == before


@pytest.mark.browser
def test_a_browser_runs_none_of_its_scripts(recording: Path, page: Path, tmp_path: Path):
    """The recording itself does harm; the page of `wbridge view` shows it without."""
    assert "data-harm" in rendered(recording, tmp_path)
    shown = rendered(page, tmp_path)
    assert "data-ready" in shown
    assert "data-harm" not in shown


def rendered(page: Path, folder: Path) -> str:
    """The element `html` of a page after its scripts have run."""
    options = ["--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    options += ["--virtual-time-budget=20000", f"--user-data-dir={folder / 'profile'}", "--dump-dom"]
    chromium = require_tool("chromium", "it shows recordings")
    done = subprocess.run([chromium, *options, page.as_uri()], capture_output=True, text=True, check=True)
    found = re.search(r"<html[^>]*>", done.stdout)
    assert found is not None
    return found[0]
