"""Where PROTO models are found, and what is said when they are not."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scene.helpers import HEADER, messages
from wbridge.wbcore.scene.cache import ModelCache
from wbridge.wbcore.scene.load import LoadOptions, World, load_world


def proto(name: str, mark: str) -> str:
    return f'{HEADER}PROTO {name} [ ] {{ Solid {{ name "{mark}" }} }}'


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def mark(loaded: World) -> str:
    """The name that shows which file a model came from."""
    return str(loaded.nodes[-1].root.get("name"))


def test_the_order_of_the_search(tmp_path: Path) -> None:
    url = "https://example.org/models/Thing.proto"
    cache = tmp_path / "cache"
    options = LoadOptions(cache=cache)
    path = write(tmp_path / "project" / "worlds" / "w.wbt", f'{HEADER}EXTERNPROTO "{url}"\nThing {{ }}')
    write(ModelCache(cache).path(url), proto("Thing", "cache"))
    assert mark(load_world(path, options)) == "cache"
    write(path.parent / "Thing.proto", proto("Thing", "beside"))
    assert mark(load_world(path, options)) == "beside"
    write(tmp_path / "project" / "protos" / "deep" / "er" / "Thing.proto", proto("Thing", "project"))
    assert mark(load_world(path, options)) == "project"
    write(path, f'{HEADER}EXTERNPROTO "../other/Thing.proto"\nThing {{ }}')
    write(tmp_path / "project" / "other" / "Thing.proto", proto("Thing", "declared"))
    assert mark(load_world(path, options)) == "declared"


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("webots://projects/objects/solids/protos/SolidBox.proto", "box"),
        ("https://raw.githubusercontent.com/cyberbotics/webots/R2023b/projects/x/SolidBox.proto", "box"),
        ("https://raw.githubusercontent.com/me/mine/main/protos/SolidBox.proto", "project"),
    ],
)
def test_a_model_declared_from_webots_is_not_the_project_s_own(tmp_path: Path, url: str, found: str) -> None:
    """Webots opens what the address names; 55 of 451 public worlds have a changed copy in protos/ as well."""
    world = write(tmp_path / "worlds" / "w.wbt", f'{HEADER}EXTERNPROTO "{url}"\nSolidBox {{ }}')
    write(tmp_path / "protos" / "SolidBox.proto", proto("SolidBox", "project"))
    assert mark(load_world(world)) == found
    # An address of Webots that neither is bundled nor was downloaded leaves the project's own model.
    write(world, world.read_text().replace("SolidBox", "MyOwnBox"))
    write(tmp_path / "protos" / "MyOwnBox.proto", proto("MyOwnBox", "project"))
    assert mark(load_world(world)) == "project"


def test_bundled_models_stand_for_any_address(tmp_path: Path) -> None:
    for url in (
        "https://example.org/x/SolidBox.proto",
        "webots://projects/SolidBox.proto",
        "gone/SolidBox.proto",
    ):
        path = write(tmp_path / "w.wbt", f'{HEADER}EXTERNPROTO "{url}"\nSolidBox {{ }}')
        loaded = load_world(path)
        assert messages(loaded) == []
        assert loaded.nodes[0].is_a("Solid")


def test_old_worlds_need_no_declaration_and_new_ones_get_a_warning(tmp_path: Path) -> None:
    write(tmp_path / "protos" / "Thing.proto", proto("Thing", "project"))
    old = write(tmp_path / "worlds" / "old.wbt", "#VRML_SIM R2021b utf8\nThing { }")
    new = write(tmp_path / "worlds" / "new.wbt", f"{HEADER}Thing {{ }} Thing {{ }}")
    assert messages(load_world(old)) == []
    assert [(d.severity, d.code, d.line) for d in load_world(new).report] == [
        ("warning", "undeclared-proto", 2)
    ]


def test_all_missing_models_are_named_in_one_message(tmp_path: Path) -> None:
    text = f'{HEADER}EXTERNPROTO "https://example.org/Alpha.proto"\nAlpha {{ }}\n'
    text += "Group { children [ SolidBx { } Alpha { } ] }"
    loaded = load_world(write(tmp_path / "w.wbt", text))
    (found,) = loaded.report
    assert (found.severity, found.code, found.line) == ("error", "missing-model", 3)
    assert found.message.startswith(
        "2 models are missing: Alpha (line 3), SolidBx (line 4; did you mean 'SolidBox'?); "
    )
    assert "--fetch" in found.message and "--allow-missing" in found.message


def test_a_misspelt_node_is_told_with_the_right_name(tmp_path: Path) -> None:
    loaded = load_world(write(tmp_path / "w.wbt", f"{HEADER}Lidr {{ }}"))
    assert "did you mean 'Lidar'?" in loaded.report.errors[0].message


def test_stand_ins_keep_pose_name_and_children(tmp_path: Path) -> None:
    text = (
        f'{HEADER}Drone {{ translation 1 2 3 rotation 0 0 1 2 name "d" speed 5 '
        'children [ Solid { name "inner" } ] arm Box { } }'
    )
    loaded = load_world(write(tmp_path / "w.wbt", text), LoadOptions(allow_missing=True))
    assert [(d.severity, d.code) for d in loaded.report] == [("warning", "missing-model")]
    root = loaded.nodes[0].root
    assert (root.type, root.get("translation"), root.get("rotation")) == ("Solid", (1, 2, 3), (0, 0, 1, 2))
    assert root.get("name") == "d" and root.get("children")[0].get("name") == "inner"
    assert loaded.nodes[0].get("speed") == 5


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A trusted web server on loopback with one model, which names another relative to itself."""
    monkeypatch.setenv("WBRIDGE_FETCH_HOSTS", "127.0.0.1")
    folder = tmp_path / "www"
    write(
        folder / "a" / "Outer.proto",
        f'{HEADER}EXTERNPROTO "../b/Inner.proto"\nPROTO Outer [ ] {{ Inner {{ }} }}',
    )
    write(folder / "b" / "Inner.proto", proto("Inner", "fetched"))

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args: object, **named: object) -> None:
            super().__init__(*args, directory=str(folder), **named)  # type: ignore[arg-type]

        def log_message(self, *_: object) -> None:
            pass

    running = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{running.server_port}"
    running.shutdown()
    running.server_close()
    thread.join()


def test_models_are_fetched_only_when_asked_for_and_then_cached(tmp_path: Path, server: str) -> None:
    path = write(tmp_path / "w.wbt", f'{HEADER}EXTERNPROTO "{server}/a/Outer.proto"\nOuter {{ }}')
    cache = tmp_path / "cache"
    assert [d.code for d in load_world(path, LoadOptions(cache=cache)).report] == ["missing-model"]
    fetched = load_world(path, LoadOptions(cache=cache, fetch=True))
    assert messages(fetched) == [] and mark(fetched) == "fetched"
    again = load_world(path, LoadOptions(cache=cache))
    assert messages(again) == [] and mark(again) == "fetched"


def test_a_failed_download_is_an_error_at_the_declaration(tmp_path: Path, server: str) -> None:
    path = write(tmp_path / "w.wbt", f'{HEADER}EXTERNPROTO "{server}/a/Gone.proto"\nGone {{ }}')
    loaded = load_world(path, LoadOptions(cache=tmp_path / "cache", fetch=True))
    assert [(d.code, d.line) for d in loaded.report] == [("not-fetched", 2), ("missing-model", 3)]
    assert "404" in loaded.report.errors[0].message


def test_only_safe_addresses_are_fetched(tmp_path: Path) -> None:
    path = write(tmp_path / "w.wbt", f'{HEADER}EXTERNPROTO "ftp://example.org/Gone.proto"\nGone {{ }}')
    loaded = load_world(path, LoadOptions(cache=tmp_path / "cache", fetch=True))
    assert "only https" in loaded.report.errors[0].message


def test_a_pipe_or_a_folder_in_the_place_of_a_model_does_not_block(tmp_path: Path) -> None:
    import os

    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    (tmp_path / "protos").mkdir()
    os.mkfifo(tmp_path / "protos" / "Pipe.proto")
    loaded = load_world(write(tmp_path / "worlds" / "w.wbt", "#VRML_SIM R2021b utf8\nPipe { }"))
    assert [(d.code, "not a regular file" in d.message) for d in loaded.report] == [("unreadable", True)]


@pytest.mark.parametrize("name", ["gone.wbt", "folder.wbt", "nul\0.wbt"])
def test_unreadable_worlds_are_a_finding(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.wbt").mkdir()
    loaded = load_world(tmp_path / name)
    assert [d.code for d in loaded.report] == ["unreadable"]
    assert loaded.nodes == []


def test_files_that_are_not_utf8_are_read_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "w.wbt"
    path.write_bytes(HEADER.encode() + b'Solid { name "caf\xe9" }')
    loaded = load_world(path)
    assert [(d.severity, d.code) for d in loaded.report] == [("warning", "encoding")]
    assert "line 2" in loaded.report.warnings[0].message
    assert loaded.nodes[0].get("name") == "café"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_in_utf_16_is_read_and_told(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "test.wbt"
    mark = "" if encoding == "utf-16" else "\ufeff"
    path.write_text(mark + HEADER + 'Solid { name "café" }', encoding=encoding)
    loaded = load_world(path)
    assert loaded.nodes[0].get("name") == "café"
    assert [one.message for one in loaded.report.warnings] == [
        "UTF-16, read as that; Webots reads UTF-8 only, so save it as UTF-8"
    ]


def test_half_a_character_of_utf_16_is_no_crash(tmp_path: Path) -> None:
    path = tmp_path / "test.wbt"
    path.write_bytes(b"\xff\xfe#")
    assert load_world(path).report.errors[0].code == "no-header"
