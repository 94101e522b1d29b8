"""The page that shows recordings, as the start of a file that needs no server and no network.

A page from a file cannot load modules from other files. They are in it as text, each with its name, and a
small program makes modules of them, those that others import first.
"""

from __future__ import annotations

import re
import zlib
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape

from wbridge.robot_windows.page_files import pages_folder

__all__ = ["page_start"]

PAGES = pages_folder()
MAIN = "workbench/recorded.js"
STYLES = (
    "style.css",
    "vendor/uplot.css",
    "view/view.css",
    "workbench/workbench.css",
    "recording/recording.css",
)
SCRIPTS = ("vendor/uplot.js",)
IMPORT = re.compile(r"""((?:^|\n)(?:import|export)\b[^'";]*?(?:from\s*)?)'(\.{1,2}/[^']+)'""")
LOADER = """
addEventListener('DOMContentLoaded', async () => {
  const urls = {};
  let last;
  for (const one of document.querySelectorAll('script[data-module]')) {
    const bytes = Uint8Array.from(atob(one.textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    const text = await new Response(stream).text();
    const code = text.replace(/'module:([^']+)'/g, (_, name) => JSON.stringify(urls[name]));
    last = urls[one.dataset.module] = URL.createObjectURL(new Blob([code], {type: 'text/javascript'}));
    one.remove();
  }
  await import(last);
});
"""
POLICY = (
    "default-src 'none'; script-src {scripts} blob:; style-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)
START = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{policy}<title>{title}</title>
<link rel="icon" href="data:,">
{styles}</head>
<body><noscript>This page needs JavaScript.</noscript>
{scripts}"""


def page_start(title: str, is_strict: bool = False) -> str:
    """Return the HTML before the parts of a recording.

    Args:
        title: the name of the page.
        is_strict: a stranger has made the parts: the browser runs only the scripts of this start, and loads
            nothing from elsewhere.
    """
    styles = "".join(f"<style>{_read(name)}</style>\n" for name in STYLES)
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_policy()}">\n' if is_strict else ""
    return START.format(policy=policy, title=escape(title), styles=styles, scripts=_scripts())


@cache
def _scripts() -> str:
    scripts = [f"<script>{_read(name)}</script>\n" for name in SCRIPTS]
    for name, code in _modules(MAIN).items():
        text = b64encode(zlib.compress(code.encode(), 9)).decode()
        scripts.append(f'<script type="text/plain" data-module="{name}">{text}</script>\n')
    return "".join([*scripts, f"<script>{LOADER}</script>\n"])


def _policy() -> str:
    """Return which contents the browser may use: scripts by their hashes, and what these make."""
    codes = [*map(_read, SCRIPTS), LOADER]
    hashes = " ".join(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in codes)
    return POLICY.format(scripts=hashes)


def _read(name: str) -> str:
    """Return a file for an element of the page, which "</script" would end."""
    text = (PAGES / name).read_text(encoding="utf-8")
    assert "</script" not in text and "</style" not in text, name
    return text


def _modules(name: str, known: dict[str, str] | None = None) -> dict[str, str]:
    """Return a module and those that it imports, these first, by name; imports name them as 'module:NAME'."""
    known = {} if known is None else known
    if name in known:
        return known
    path = PAGES / name

    def imported(match: re.Match[str]) -> str:
        other = (path.parent / match[2]).resolve().relative_to(PAGES).as_posix()
        _modules(other, known)
        return f"{match[1]}'module:{other}'"

    code = IMPORT.sub(imported, path.read_text(encoding="utf-8"))
    known[name] = code
    return known
