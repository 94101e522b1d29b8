"""A class to grade: a world, a rubric, a teacher with secrets, and submissions, one of them fair."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from tests.fleet import unprivileged
from tests.fleet.attack import FAIR, Attack
from tests.fleet.learning_worlds import SPEED, cart, rail
from wbridge.wbfleet.grading.sandbox.plan import BUBBLEWRAP, OWN

__all__ = ["RUBRIC", "SECRET", "WAYS", "Evidence", "Mark", "graded", "marks_of"]

DURATION = 0.4
SECRET = "forty-two and a half"
KEPT = "kept"
WAYS = (BUBBLEWRAP, OWN)
RUBRIC = f"""\
world = "worlds/ball.wbt"
duration = {DURATION}
timeout = 20
[limits]
cpu_s = 3
memory_mb = 600
disk_mb = 24
processes = 40
[[criterion]]
name = "drives"
metric = "travel(ROBOT.CART)"
at_least = {0.9 * SPEED * DURATION}
points = 4
[[criterion]]
name = "does not go too far"
metric = "max(ROBOT.CART.translation[0])"
at_most = 1
"""
LIBRARY = """\
#include <fcntl.h>
__attribute__((constructor)) static void escape(void) { open("%s/escaped", O_CREAT | O_WRONLY, 0600); }
"""
ADD_KEY, UNLINK_KEY = {"x86_64": (248, 250), "aarch64": (217, 219)}, 9
SESSION_KEYRING = -3
SHARED_MEMORY_KEY = 0x57B1
CREATE, REMOVE = 0o1666, 0


class Mark(NamedTuple):
    """What a submission got."""

    points: float
    note: str


class Evidence(NamedTuple):
    """What is there after the grading."""

    marks: dict[str, Mark]
    output: str
    """All that was printed and written into reports."""
    harm: list[str]
    """What has changed outside of the programs."""


def marks_of(output: bytes) -> dict[str, Mark]:
    """Return the marks that `wbridge grade --json` prints."""
    grades = json.loads(output)["grades"]
    return {
        one["name"]: Mark(one["points"], next((note for row in one["results"] for note in row["notes"]), ""))
        for one in grades
    }


def graded(
    attacks: Sequence[Attack], way: str, around: Sequence[str] = (), options: Sequence[str] = ()
) -> Evidence:
    """Grade attacking submissions and a fair one.

    Args:
        attacks: the submissions.
        way: to isolate them.
        around: command line in front of that of the ordinary user.
        options: of the command.
    """
    with unprivileged.folder_of_user() as folder, ExitStack() as stack:
        (home := folder / "home").mkdir()
        for name, text in (("secret.txt", f"#error {SECRET}\n"), ("kept.txt", KEPT)):
            (home / name).write_text(text)
        teacher = stack.enter_context(_process())
        doors, places = _doors(home, stack)
        places |= {"CLASS": str(folder), "HOME": str(home), "TEACHER": str(teacher.pid)}
        places["MARK"] = mark = f"{1000 + os.getpid()}.125"
        stack.enter_context(_shared_memory())
        stack.enter_context(_key())
        rail(folder, cart())
        (folder / "rubric.toml").write_text(RUBRIC)
        for one in attacks:
            _submit(folder / "submissions", one, places)
        (folder / "submissions" / "fair.py").write_text(FAIR)
        unprivileged.give(folder)
        for one in (folder / "submissions" / "belongs to another").glob("*.py"):
            one.chmod(0)
            if not os.geteuid():
                os.chown(one, 1, 1)
        before = _content(folder / "submissions")
        variables = {"HOME": str(home), "TEACHERS_SECRET": SECRET, "SSH_AUTH_SOCK": str(home / "agent")}
        if way == OWN:
            variables["PATH"] = unprivileged.PATH_WITHOUT_BUBBLEWRAP
        reports = ["--csv", str(home / "a.csv"), "--junit", str(home / "a.xml")]
        command = ["grade", str(folder / "rubric.toml"), str(folder / "submissions"), "--json", *reports]
        done = unprivileged.run([*command, *options], folder / "submissions", variables, around)
        assert done.returncode == 0, done.stderr.decode()
        harm = [*_harm(home, doors, mark), *["a process of the teacher"] * (teacher.poll() is not None)]
        harm += ["submissions"] * (_content(folder / "submissions") != before)
        texts = [(home / one).read_text() for one in ("a.csv", "a.xml")]
        output = (done.stdout + done.stderr).decode() + "".join(texts)
        return Evidence(marks_of(done.stdout), output, harm)


def _submit(folder: Path, attack: Attack, places: dict[str, str]) -> None:
    """Write a submission: a file, or a folder if it has further files."""
    here = folder / attack.name
    main = f"{attack.name}.py"
    files = {name: _filled(text, main, places) for name, text in {**attack.files, main: attack.text}.items()}
    if attack.is_packed:
        folder.mkdir(exist_ok=True)
        with zipfile.ZipFile(here.with_name(f"{attack.name}.zip"), "w", zipfile.ZIP_DEFLATED) as packed:
            for name, text in files.items():
                packed.writestr(_filled(name, main, places), text)
        return
    here.mkdir(parents=True)
    for name, text in files.items():
        file = here / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)
    if attack.name == "follows a link":
        (here / "link.txt").symlink_to(f"{places['HOME']}/secret.txt")
    elif attack.name == "makes devices":
        os.mkfifo(here / "pipe")
        if not os.geteuid():
            os.mknod(here / "disk0", 0o060666, os.stat("/dev/null").st_rdev)
    elif attack.name == "becomes root":
        (here / "tool").chmod(0o6755)
    elif attack.name in ("preloads", "names folders"):
        source = LIBRARY % places["HOME"]
        build = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(here / "evil.so")]
        subprocess.run(build, input=source, text=True, check=True)
        for name in ("libcap.so.2", "libselinux.so.1"):
            shutil.copy(here / "evil.so", here / name)


def _filled(text: str, main: str, places: dict[str, str]) -> str:
    for place, value in (*places.items(), ("MAIN", main)):
        text = text.replace(f"@{place}@", value)
    return text


def _content(folder: Path) -> dict[str, bytes]:
    return {
        os.fsdecode(one): one.read_bytes()
        for one in folder.rglob("*")
        if one.is_file() and not one.is_symlink()
    }


@contextmanager
def _process() -> Iterator[subprocess.Popen[bytes]]:
    """A process of the teacher."""
    with subprocess.Popen([*unprivileged.prefix(), "sleep", "1000"], cwd="/") as process:
        try:
            yield process
        finally:
            process.kill()


def _doors(home: Path, stack: ExitStack) -> tuple[list[socket.socket], dict[str, str]]:
    """Sockets at which nobody may knock, and their names."""
    tmux, abstract = home.parent / "tmux", f"wbridge-test-{os.getpid()}"
    doors = []
    for address in (str(tmux), str(home / "agent"), f"\0{abstract}"):
        door = stack.enter_context(socket.socket(socket.AF_UNIX))
        door.bind(address)
        if not address.startswith("\0"):
            os.chmod(address, 0o777)
        doors.append(door)
    tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    udp = stack.enter_context(socket.socket(type=socket.SOCK_DGRAM))
    udp.bind(tcp.getsockname())
    for door in (*doors, tcp):
        door.listen()
    doors += [tcp, udp]
    for door in doors:
        door.setblocking(False)
    return doors, {
        "SHM": str(SHARED_MEMORY_KEY),
        "TMUX": str(tmux),
        "ABSTRACT": abstract,
        "PORT": str(tcp.getsockname()[1]),
    }


@contextmanager
def _shared_memory() -> Iterator[None]:
    """Memory shared by its number (System V)."""
    libc = ctypes.CDLL(None)
    number = libc.shmget(SHARED_MEMORY_KEY, 4096, CREATE)
    try:
        yield
    finally:
        libc.shmctl(number, REMOVE, None)


@contextmanager
def _key() -> Iterator[None]:
    """A key in the keyring of the session."""
    numbers = ADD_KEY.get(os.uname().machine)
    if numbers is None:
        yield
        return
    libc = ctypes.CDLL(None)
    key = libc.syscall(numbers[0], b"user", b"teachers-key", SECRET.encode(), len(SECRET), SESSION_KEYRING)
    try:
        yield
    finally:
        libc.syscall(numbers[1], UNLINK_KEY, key, SESSION_KEYRING)


def _harm(home: Path, doors: Sequence[socket.socket], mark: str) -> Iterator[str]:
    if (home / "kept.txt").read_text() != KEPT:
        yield "a file of the teacher has changed"
    if (home / "escaped").exists():
        yield "something ran outside"
    for door in doors:
        with suppress(BlockingIOError):
            if door.type == socket.SOCK_DGRAM:
                door.recv(1)
            else:
                door.accept()
            yield f"somebody has called {door.getsockname()!r}"
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark.encode() in (process / "cmdline").read_bytes().split(b"\0"):
                yield "a process is left behind"
                os.kill(int(process.name), signal.SIGKILL)
