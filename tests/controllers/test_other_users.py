"""Other users of the machine reach neither a simulator nor a controller. Judge: the kernel's user numbers."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT, absent
from wbridge.hal.connection.address import Address
from wbridge.hal.connection.connect import CannotConnect, connect
from wbridge.hal.protocol.peer_user import is_own_user, user_of_peer
from wbridge.wbcore.controllers.instance import OWNER, TEMPORARY, Instance

if sys.platform != "win32":
    import fcntl

STRANGER = 65534
PYTHON = "/usr/bin/python3"
"""An interpreter that every user may start."""
CONNECT = """
import socket, sys
connection = socket.create_connection((sys.argv[1], int(sys.argv[2])))
connection.recv(1)
"""
LISTEN = """
import socket, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen()
print("ready", flush=True)
listener.accept()[0].recv(1)
"""


@pytest.fixture(autouse=True)
def as_root() -> None:
    """Only root can start programs of other users."""
    if os.geteuid():
        absent("these tests start programs of another user, which needs root")


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
@pytest.mark.parametrize("user", [None, STRANGER])
def test_the_user_of_a_connection_over_tcp(host: str, user: int | None):
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as listener:
        port = str(listener.getsockname()[1])
        with subprocess.Popen([PYTHON, "-c", CONNECT, host, port], user=user, cwd="/") as process:
            connection, _ = listener.accept()
            with connection:
                assert user_of_peer(connection) == (os.getuid() if user is None else user)
                assert is_own_user(connection) == (user is None)
            process.wait()


def test_a_simulator_of_another_user_is_refused(tmp_path: Path):
    folder = tmp_path / "ipc" / "robot"
    folder.mkdir(parents=True)
    path = folder / "intern"
    with listening(path), pytest.raises(CannotConnect, match="belongs to a simulator of another user"):
        connect(Address("intern", "robot", f"{tmp_path}/"), attempts=1)


@contextmanager
def listening(path: Path) -> Iterator[None]:
    """A program of a stranger listens at a local socket."""
    for folder in path.parents:
        if "pytest" in str(folder):
            folder.chmod(0o777)
    command = [PYTHON, "-c", LISTEN, str(path)]
    with subprocess.Popen(command, user=STRANGER, cwd="/", stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield
        process.kill()


@pytest.fixture
def foreign(tmp_path: Path) -> Iterator[Path]:
    """A folder for temporary files, in which a stranger has made the folder of all users."""
    shared = tmp_path / "webots"
    shared.mkdir(mode=0o1777)
    os.chown(shared, STRANGER, STRANGER)
    yield tmp_path


def test_a_shared_folder_of_another_user_is_avoided(foreign: Path, caplog: pytest.LogCaptureFixture):
    instance = Instance(4001, foreign)
    assert instance.folder.is_relative_to(foreign / f"{OWNER}-{os.getuid()}")
    assert (foreign / f"{OWNER}-{os.getuid()}").stat().st_mode & 0o777 == 0o700
    assert "belongs to another user" in caplog.text
    instance.remove()


def test_a_private_folder_of_another_user_is_refused(foreign: Path):
    private = foreign / f"{OWNER}-{os.getuid()}"
    private.mkdir()
    os.chown(private, STRANGER, STRANGER)
    with pytest.raises(PermissionError, match="belongs to another user"):
        Instance(4001, foreign)


def test_a_shared_folder_in_which_others_may_rename_is_avoided(tmp_path: Path):
    """Without the sticky bit, whoever may write into a folder may replace what is in it (POSIX, unlink)."""
    shared = tmp_path / "webots"
    shared.mkdir()
    shared.chmod(0o777)
    Instance(4001, tmp_path).remove()
    assert shared.stat().st_mode & 0o7777 == 0o1777, "its own folder is mended"


@pytest.mark.parametrize("mode", [0o600, 0o666])
def test_another_user_cannot_hold_the_lock(tmp_path: Path, mode: int):
    shared = tmp_path / "webots"
    shared.mkdir()
    shared.chmod(0o1777)
    lock = shared / f".{OWNER}-{os.getuid()}.lock"
    lock.touch()
    lock.chmod(mode)
    os.chown(lock, STRANGER, STRANGER)
    with lock.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        Instance(4001, tmp_path).remove()


def test_runs_with_other_names_of_the_user_share_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """In some terminals the variable USER is not set; the folders of older libraries are the same."""
    for name in ("ann", ""):
        monkeypatch.setenv("USER", name)
        monkeypatch.setenv("USERNAME", name)
        Instance(4001, tmp_path).remove()
    assert len(list(tmp_path.rglob("*.lock"))) == 1


def test_a_folder_that_others_may_enter_is_closed(tmp_path: Path):
    own = tmp_path / "webots" / (os.environ.get("USER") or os.environ.get("USERNAME") or "default")
    own.mkdir(parents=True, mode=0o755)
    Instance(4001, tmp_path).remove()
    assert own.stat().st_mode & 0o777 == 0o700


WORLD = """#VRML_SIM R2025a utf8
WorldInfo { }
Robot { name "r" controller "<extern>" supervisor TRUE }
"""
ATTACKER = """
import os, pathlib, socket, sys
folder, older, port, process = sys.argv[1:]
for place in (folder, older, f"/proc/{process}/environ"):
    try:
        print(place, os.listdir(place) if os.path.isdir(place) else open(place).read())
    except OSError as error:
        print("refused", error.strerror)
for path in (f"{folder}/ipc/r/extern", f"{older}/ipc/r/extern"):
    try:
        socket.socket(socket.AF_UNIX).connect(path)
        print("connected", path)
    except OSError as error:
        print("refused", error.strerror)
arguments = pathlib.Path(f"/proc/{process}/cmdline").read_text()
print("token in the command line" if "token=" in arguments else "refused: no secret in the command line")
for name in ("", "r", "r?token=x", "r%3Ftoken%3Dx"):
    for stays in (True, False):
        client = socket.create_connection(("127.0.0.1", int(port)))
        client.sendall(b"CTR" + (b"\\nRobot-Name: " + name.encode() if name else b""))
        if not stays:  # the kernel says that a socket without a program belongs to root
            client.close()
            continue
        try:
            print("answered" if client.recv(100) else "refused")
        except OSError as error:
            print("refused", error.strerror)
print("done", flush=True)
"""


@pytest.mark.parametrize("who", ["others", "always", "never"])
def test_another_user_finds_no_way_into_a_run(tmp_path: Path, who: str):
    """Sockets, the port, the environment and the command line; with and without tokens."""
    world = tmp_path / "extern.wbt"
    world.write_text(WORLD)
    command = [sys.executable, "-m", "wbridge", "run", str(world), "--token", who]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=CHECKOUT) as run:
        assert run.stderr is not None
        line = next(text for text in run.stderr if "waits for its controller" in text)
        port = line.partition("ipc://")[2].partition("/")[0]
        user = os.environ.get("USER") or os.environ.get("USERNAME") or "default"
        folders = [str(TEMPORARY / "webots" / user / port), str(TEMPORARY / f"webots-{port}")]
        assert all(Path(folder).is_dir() for folder in folders)
        arguments = [PYTHON, "-c", ATTACKER, *folders, port, str(run.pid)]
        attack = subprocess.run(
            arguments, user=STRANGER, group=STRANGER, extra_groups=[], cwd="/", capture_output=True, text=True
        )
        run.terminate()
        rest = run.stderr.read()
    *attempts, last = attack.stdout.splitlines()
    assert last == "done", attack.stderr
    assert len(attempts) == 10
    assert [text for text in attempts if not text.startswith("refused")] == []
    assert "a controller of another user of this computer was refused" in rest
