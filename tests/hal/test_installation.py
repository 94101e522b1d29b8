"""Hints name the command that fits how wbridge was installed. Judges: the PyPA's specification of
`direct_url.json` (what pip writes for a checkout, a file, a URL and an index), and pyproject.toml."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import wbridge
from tests.project.files import CHECKOUT, hand_written, tracked
from wbridge.hal import installation as module
from wbridge.hal.installation import DISTRIBUTION, UNKNOWN, Installation, described

PYTHON = "/usr/envs/robots/bin/python"
IN_FOLDER = Installation("0.1.0", "checkout", "/src/wbridge", is_editable=True)


def direct_url(url: str, **info: object) -> str:
    return json.dumps({"url": url, **info})


@pytest.fixture
def installed_as(monkeypatch: pytest.MonkeyPatch):
    """Let the running copy be an installation in the environment of `PYTHON`."""

    def pretend(own: Installation) -> None:
        monkeypatch.setattr(module, "installation", lambda: own)
        monkeypatch.setattr(sys, "executable", PYTHON)
        monkeypatch.setattr(module.os.path, "exists", lambda path: True)

    return pretend


@pytest.mark.parametrize(
    ("text", "kind", "source", "is_editable"),
    [
        (direct_url("file:///src/wbridge", dir_info={"editable": True}), "checkout", "/src/wbridge", True),
        (direct_url("file:///src/my%20robots", dir_info={}), "checkout", "/src/my robots", False),
        (
            direct_url("file:///files/w-1.whl", archive_info={"hash": "sha256=0"}),
            "file",
            "/files/w-1.whl",
            False,
        ),
        (direct_url("https://a.b/w-1.whl", archive_info={}), "remote", "https://a.b/w-1.whl", False),
        (
            direct_url("https://a.b/w", vcs_info={"vcs": "git", "commit_id": "0"}),
            "remote",
            "git+https://a.b/w",
            False,
        ),
        (None, "index", "", False),
    ],
)
def test_the_source_is_what_pip_recorded(text: str | None, kind: str, source: str, is_editable: bool):
    assert described("2.0", text) == Installation("2.0", kind, source, is_editable)


@pytest.mark.parametrize(
    ("own", "requirement"),
    [
        (IN_FOLDER, ["-e", "/src/wbridge[gym]"]),
        (IN_FOLDER._replace(is_editable=False), ["/src/wbridge[gym]"]),
        (Installation("1", "file", "/files/my w.whl"), ["/files/my w.whl[gym]"]),
        (Installation("1", "remote", "git+https://a.b/w"), [f"{DISTRIBUTION}[gym] @ git+https://a.b/w"]),
        (Installation("1", "index"), [f"{DISTRIBUTION}[gym]"]),
    ],
)
def test_an_extra_is_installed_from_the_same_source(
    installed_as, own: Installation, requirement: list[str], monkeypatch: pytest.MonkeyPatch
):
    installed_as(own)
    monkeypatch.setattr(module, "requirements", lambda extra: [])
    assert shlex.split(module.extra_command("gym")) == [PYTHON, "-m", "pip", "install", *requirement]


def test_an_extra_of_a_checkout_in_use_compiles_nothing(installed_as, monkeypatch: pytest.MonkeyPatch):
    """pip builds what it installs from a folder again, also if it is installed."""
    installed_as(IN_FOLDER)
    monkeypatch.setattr(module, "requirements", lambda extra: [f"{extra}nasium>=1.1", "pettingzoo"])
    words = [PYTHON, "-m", "pip", "install", "gymnasium>=1.1", "pettingzoo"]
    assert shlex.split(module.extra_command("gym")) == words


def test_paths_in_the_working_folder_are_short(installed_as, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    installed_as(IN_FOLDER._replace(source=str(tmp_path)))
    monkeypatch.setattr(module, "requirements", lambda extra: [])
    monkeypatch.setattr(sys, "executable", str(tmp_path / ".venv" / "bin" / "python"))
    monkeypatch.chdir(tmp_path)
    assert module.extra_command("gym") == '.venv/bin/python -m pip install -e ".[gym]"'
    monkeypatch.chdir(tmp_path.parent)
    assert shlex.split(module.extra_command("gym"))[-1] == f"./{tmp_path.name}[gym]"


def test_a_source_that_is_gone_leaves_the_packages_of_the_extra(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "installation", lambda: Installation("1", "file", "/gone/w.whl"))
    monkeypatch.setattr(module, "requirements", lambda extra: [f"{extra}nasium>=1.1"])
    assert module.extra_command("gym").endswith('-m pip install "gymnasium>=1.1"')


def test_updates(installed_as):
    installed_as(IN_FOLDER)
    assert module.update_command() == "cd /src/wbridge && git pull && make build"
    installed_as(Installation("1", "index"))
    assert module.update_command() == f"{PYTHON} -m pip install --upgrade {DISTRIBUTION}"
    installed_as(Installation("1", "file", "/files/w.whl"))
    assert module.update_command() == f"{PYTHON} -m pip install --force-reinstall /files/w.whl"


def test_a_copy_without_metadata_is_its_source_folder(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "_own_distribution", lambda: None)
    own = module.installation.__wrapped__()
    assert own == Installation(UNKNOWN, "checkout", str(CHECKOUT), is_editable=True)
    assert module.requirements("gym") == []


def test_extras_lead_to_packages(monkeypatch: pytest.MonkeyPatch):
    class Metadata:
        requires = (
            "numpy>=1.24",
            f'{DISTRIBUTION}[render]; extra == "movie"',
            "imageio-ffmpeg>=0.4.9; extra == 'movie'",
            'PyOpenGL>=3.1.7; extra == "render"',
        )

    monkeypatch.setattr(module, "_own_distribution", Metadata)
    assert module.requirements("movie") == ["PyOpenGL>=3.1.7", "imageio-ffmpeg>=0.4.9"]


def test_the_version_is_that_of_the_distribution():
    assert wbridge.__version__ == module.installation().version
    with pytest.raises(AttributeError, match="no attribute 'version'"):
        wbridge.version  # noqa: B018


def test_the_version_of_a_source_folder_is_unknown(tmp_path: Path):
    """Without site-packages there is no distribution."""
    code = "import wbridge; print(wbridge.__version__)"
    command = [sys.executable, "-S", "-c", code]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    assert done.stdout == f"{UNKNOWN}\n"


def test_the_name_is_declared_once():
    text = (CHECKOUT / "pyproject.toml").read_text()
    assert f'\nname = "{DISTRIBUTION}"\n' in text
    extras = set(re.findall(r"^(\w+) = \[", text.split("[project.optional-dependencies]")[1], re.MULTILINE))
    code = "\n".join((CHECKOUT / file).read_text() for file in hand_written() if file.suffix == ".py")
    assert set(re.findall(r"""extra_command\(["'](\w+)["']\)""", code)) <= extras


FOREIGN = re.compile(
    r"""pip3? install[^\n|&;]*[\s"'](wbridge|wbcore)(?![\w-])|\b(wbridge|wbcore)\[[a-z]+\]"""
)
"""The names `wbridge` and `wbcore` belong to other programs on PyPI."""


@pytest.mark.parametrize(
    "text",
    [
        "pip install wbridge",
        'pip install "wbridge[gym]"',
        "the extra wbcore[render]",
        "pip3 install -U wbridge",
    ],
)
def test_the_search_knows_foreign_names(text: str):
    assert FOREIGN.search(text)


def test_no_text_installs_a_foreign_distribution():
    texts = [
        file
        for file in tracked()
        if file.suffix in {".py", ".md", ".toml", ".html", ".js", ".c", ".cpp", ".h"}
    ]
    assert [
        f"{file}: {match[0]}"
        for file in texts
        if file != Path(__file__).resolve().relative_to(CHECKOUT) and file.name != "CHANGELOG.md"
        for match in FOREIGN.finditer((CHECKOUT / file).read_text(encoding="utf-8", errors="replace"))
    ] == []


def test_the_documentation_lists_every_extra():
    text = (CHECKOUT / "pyproject.toml").read_text().split("[project.optional-dependencies]")[1]
    extras = re.findall(r"^(\w+) = \[", text.split("\n[")[0], re.MULTILINE)
    rows = re.findall(r"^\| `(\w+)` \|", (CHECKOUT / "docs" / "index.md").read_text(), re.MULTILINE)
    assert sorted(rows) == sorted(extras)
