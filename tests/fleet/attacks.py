"""Submissions that attack: other programs, the teacher's files, the mark, the computer.

    python -m tests.fleet.attacks

prints for each attack what it tries and what happens, for each way to isolate programs.
"""

from __future__ import annotations

from tests.fleet.attack import ALL, Attack
from tests.fleet.attacks_by_form import NAMES, PACKED

__all__ = ["ATTACKS"]

FILES = (
    Attack(
        "reads home",
        "to read the teacher's home",
        """\
refused(lambda: open("@HOME@/secret.txt").read())
refused(lambda: os.listdir("@HOME@"))""",
    ),
    Attack(
        "reads others",
        "to read another submission",
        'refused(lambda: open("@CLASS@/submissions/fair.py").read())',
    ),
    Attack(
        "writes outside",
        "to change a file of the teacher",
        'refused(lambda: open("@HOME@/kept.txt", "w").write("changed"))',
    ),
    Attack(
        "removes all",
        "to remove all files",
        """\
import shutil
shutil.rmtree("@CLASS@", ignore_errors=True)
shutil.rmtree("/tmp", ignore_errors=True)""",
    ),
    Attack(
        "follows a link",
        "to read through a link that it has brought",
        """\
refused(lambda: open("link.txt").read())
refused(lambda: os.lstat("link.txt"))""",
    ),
    Attack(
        "makes hard links",
        "to get a file by a second name",
        """\
refused(lambda: os.link("@HOME@/secret.txt", "own.txt"))
refused(lambda: os.link("/etc/passwd", "own.txt"))""",
    ),
    Attack(
        "makes devices",
        "to make the disk's device, and to use one that it has brought",
        """\
import stat
refused(lambda: os.mknod("disk", 0o600 | stat.S_IFBLK, os.makedev(254, 0)))
assert not os.path.lexists("pipe")""",
    ),
    Attack(
        "becomes root",
        "to run programs with the rights of root",
        """\
os.chmod("@MAIN@", 0o4755)
assert not os.stat("tool").st_mode & 0o6000
assert "NoNewPrivs:\\t1" in open("/proc/self/status").read()
refused(lambda: subprocess.run(["/bin/su", "-c", "id"], check=True, stdin=-3, stdout=-3, stderr=-3))""",
        files={
            "tool": """\
#!/bin/sh
id
"""
        },
    ),
    Attack(
        "mounts",
        "to make folders writable again, and to mount the disk",
        """\
refused(lambda: call("mount", None, b"/", None, 0x1020, None))
refused(lambda: call("mount", b"none", b"/tmp", b"tmpfs", 0, None))
refused(lambda: call("umount2", b"/usr", 2))
refused(lambda: open("/usr/own.txt", "w"))""",
    ),
    Attack(
        "makes namespaces",
        "to become root in a namespace of its own",
        'refused(lambda: call("unshare", 0x10000000))',
    ),
    Attack(
        "looks through others",
        "to reach files through other processes",
        """\
for name in filter(str.isdigit, os.listdir("/proc")):
    refused(lambda: open(f"/proc/{name}/root@HOME@/secret.txt").read())
    refused(lambda: open(f"/proc/{name}/cwd/../../secret.txt").read())""",
    ),
    Attack(
        "sets the kernel",
        "to change settings of the kernel",
        """\
refused(lambda: open("/proc/sys/kernel/hostname", "w").write("x"))
refused(lambda: open("/proc/sysrq-trigger", "w").write("b"))""",
    ),
)
NEIGHBOURS = (
    Attack(
        "reads environments",
        "to read the environment of the teacher and of other programs",
        """\
assert not {"TEACHERS_SECRET", "WBRIDGE_CONTROLLER_TOKEN"} & os.environ.keys()
for name in filter(str.isdigit, os.listdir("/proc")):
    try:
        text = open(f"/proc/{name}/environ", "rb").read()
    except OSError:
        continue
    assert b"TEACHERS_SECRET" not in text""",
    ),
    Attack(
        "signals all",
        "to kill all processes that it sees",
        """\
refused(lambda: os.kill(@TEACHER@, 9))
refused(lambda: os.kill(-1, 9))""",
    ),
    Attack(
        "signals its group",
        "to kill the processes that started it",
        """\
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.killpg(0, signal.SIGTERM)""",
    ),
    Attack(
        "traces",
        "to attach to the simulator as a debugger",
        """\
assert os.getppid() in (0, 1)
refused(lambda: call("ptrace", 16, 1, 0, 0))
refused(lambda: call("ptrace", 16, @TEACHER@, 0, 0))
refused(lambda: open("/proc/1/mem", "r+b").read(1))""",
    ),
    Attack(
        "calls tmux",
        "to type into a terminal through a socket in the file system",
        'refused(lambda: socket.socket(socket.AF_UNIX).connect("@TMUX@"))',
    ),
    Attack(
        "calls the agent",
        "to use the teacher's keys",
        """\
assert "SSH_AUTH_SOCK" not in os.environ
refused(lambda: socket.socket(socket.AF_UNIX).connect("@HOME@/agent"))""",
    ),
    Attack(
        "calls the desktop",
        "to reach X11 and D-Bus through abstract sockets",
        """\
refused(lambda: socket.socket(socket.AF_UNIX).connect("\\0@ABSTRACT@"))
assert not {"DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"} & os.environ.keys()""",
    ),
    Attack(
        "calls services",
        "to reach docker and others",
        """\
for name in ("/run/docker.sock", "/var/run/docker.sock", "/run/systemd/private"):
    refused(lambda: socket.socket(socket.AF_UNIX).connect(name))
assert not os.path.exists("/run/user")""",
    ),
    Attack(
        "uses the network",
        "to send what it knows to another computer, and to ask services of this one",
        """\
refused(lambda: socket.create_connection(("127.0.0.1", @PORT@), 1))
try:
    socket.socket(type=socket.SOCK_DGRAM).sendto(b"secret", ("127.0.0.1", @PORT@))
except OSError:
    pass""",
    ),
    Attack(
        "uses shared memory",
        "to read and write shared memory of others",
        """\
assert os.listdir("/dev/shm") == []
refused(lambda: call("shmget", @SHM@, 0, 0))""",
    ),
    Attack(
        "uses open files",
        "to write into files that were left open",
        """\
opened = os.listdir("/proc/self/fd")
refused(lambda: [os.fstat(number) for number in range(200, 1000) if os.fstat(number)])
for name in opened:
    path = os.path.join("/proc/self/fd", name)
    goal = os.readlink(path) if os.path.lexists(path) else ""
    assert not goal.startswith(("@CLASS@", "/dev/pts")), goal""",
    ),
    Attack(
        "types into terminals",
        "to type into the terminal of the teacher",
        'refused(lambda: __import__("fcntl").ioctl(open("/dev/tty"), 0x5412, b"x"))',
    ),
    Attack(
        "takes keys",
        "to read keys and tickets of the user's session",
        """\
number = {"x86_64": 250, "aarch64": 219}.get(os.uname().machine)
if number is not None:
    refused(lambda: call("syscall", number, 10, -3, b"user", b"teachers-key", 0))""",
    ),
)
SIMULATORS = (
    Attack(
        "finds simulators",
        "to sabotage the simulator of another submission through its socket",
        """\
found = [str(one) for one in pathlib.Path("/tmp").rglob("*") if one.is_socket()]
assert len({os.path.dirname(one) for one in found}) <= 2, found
assert all(pathlib.Path(one).parent.name == "cart" for one in found), found""",
    ),
    Attack(
        "replaces its socket",
        "to have the simulator write into files that it names",
        """\
folder = os.path.join(os.environ["WEBOTS_INSTANCE_PATH"], "ipc", "cart")
for name in os.listdir(folder):
    refused(lambda: os.unlink(os.path.join(folder, name)))
refused(lambda: os.symlink("@HOME@/kept.txt", os.path.join(folder, "snap.webots.camera")))""",
    ),
    Attack(
        "answers itself",
        "to write a mark into the channel of the answer",
        """\
from controller import Robot
import sys
metrics = '"travel(ROBOT.CART)": 9, "max(ROBOT.CART.translation[0])": 0'
answer = '{"status": 0, "reason": "", "exit_code": null, "steps": 50, "metrics": {' + metrics + "}}"
for number in range(1, 30):
    try:
        with open(number, "w", closefd=False) as file:
            file.write(answer + "\\\\n")
    except OSError:
        pass
robot = Robot()
while robot.step(8) != -1:
    pass
""",
        1,
        note="travel(ROBOT.CART) is 0",
        is_whole=True,
    ),
    Attack(
        "is a supervisor",
        "to move its robot, and to have the simulator write files",
        """\
from controller import Supervisor
robot = Supervisor()
for harm in (
    lambda: robot.worldSave("@HOME@/kept.txt"),
    lambda: robot.getSelf().getField("translation").setSFVec3f([9, 0, 0]),
    lambda: robot.exportImage("@HOME@/kept.txt", 100),
    lambda: robot.animationStartRecording("@HOME@/kept.txt"),
    lambda: robot.simulationQuit(0),
):
    try:
        harm()
    except Exception:
        pass
while robot.step(8) != -1:
    pass
""",
        1,
        note="travel(ROBOT.CART) is 0",
        is_whole=True,
    ),
    Attack(
        "sends nonsense",
        "to bring down its simulator",
        """\
found = [str(one) for one in pathlib.Path("/tmp").rglob("*") if one.is_socket()]
for one in found:
    for data in (b"", b"\\xff" * 10000, b"\\0" * 10000):
        with socket.socket(socket.AF_UNIX) as other:
            try:
                other.connect(one)
                other.settimeout(0.1)
                other.sendall(data)
                other.recv(100)
            except OSError:
                pass""",
    ),
)
FILES_OF_HOST = (
    Attack(
        "preloads",
        "to have its library loaded outside",
        "pass",
        files={
            "runtime.ini": """\
[environment variables]
LD_PRELOAD = @CLASS@/submissions/preloads/evil.so
LD_LIBRARY_PATH = @CLASS@/submissions/preloads
"""
        },
    ),
    Attack(
        "names folders",
        "to have its programs and libraries taken for those that isolate it",
        "pass",
        files={
            "runtime.ini": "[environment variables]\nPATH = @CLASS@/submissions/names folders:.\n"
            "LD_LIBRARY_PATH = @CLASS@/submissions/names folders:.\nPYTHONPATH = .\n",
            "bwrap": "#!/bin/sh\n/usr/bin/touch @HOME@/escaped\n",
        },
    ),
    Attack(
        "names an interpreter",
        "to have a program started outside, as its interpreter",
        "import no_such_module",
        0,
        note="exit code",
        files={
            "runtime.ini": """\
[python]
COMMAND = ./evil.sh
""",
            "evil.sh": """\
#!/bin/sh
touch @HOME@/escaped
exec /usr/bin/python3 "$@"
""",
        },
    ),
    Attack(
        "names a folder",
        "to get the teacher's home as the folder of its simulation",
        """\
import os
try:
    os.listdir("@HOME@")
except OSError:
    raise SystemExit(7)""",
        0,
        note="exit code 7",
        is_whole=True,
        files={
            "runtime.ini": """\
[environment variables]
WEBOTS_INSTANCE_PATH = @HOME@/
"""
        },
    ),
    Attack(
        "brings modules",
        "to have its modules imported outside",
        "pass",
        files={
            "sitecustomize.py": """\
import os; os.path.isdir('@HOME@') and open('@HOME@/escaped', 'w')
""",
            "usercustomize.py": """\
import os; os.path.isdir('@HOME@') and open('@HOME@/escaped', 'w')
""",
            "conftest.py": """\
import os; os.path.isdir('@HOME@') and open('@HOME@/escaped', 'w')
""",
            "wbcore.py": """\
import os; os.path.isdir('@HOME@') and open('@HOME@/escaped', 'w')
""",
            "numpy.py": """\
import os; os.path.isdir('@HOME@') and open('@HOME@/escaped', 'w')
""",
            "evil.pth": """\
import os; os.path.isdir('@HOME@') and open('@HOME@/escaped', 'w')
""",
        },
    ),
    Attack(
        "doubles values",
        "to fill the simulator's memory with what its settings refer to",
        "pass",
        files={
            "runtime.ini": "[environment variables]\nWBRIDGE_A = x\n"
            + "WBRIDGE_A = $(WBRIDGE_A)$(WBRIDGE_A)\n" * 50
        },
    ),
    Attack(
        "numpy",
        "to be imported by the simulator as a module of the current folder",
        "pass",
        files={"__init__.py": "import os; os.path.isdir('@HOME@') and open('@HOME@/escaped', 'w')\n"},
    ),
    Attack(
        "compiles",
        "to have secrets compiled, and its Makefile run",
        """\
source = '#include "@HOME@/secret.txt"'
options = {"text": True, "check": True, "stdout": -3, "stderr": -3}
refused(lambda: subprocess.run(["/usr/bin/cc", "-E", "-"], input=source, **options))""",
        files={
            "Makefile": """\
all:
	touch @HOME@/escaped
""",
            "main.c": """\
#include "@HOME@/secret.txt"
""",
        },
    ),
    Attack(
        "brings a world",
        "to have a world loaded that names files elsewhere",
        "pass",
        files={
            "worlds/ball.wbt": """\
#VRML_SIM R2025a utf8
EXTERNPROTO "@HOME@/secret.txt"
""",
            "protos/Cart.proto": """\
#VRML_SIM R2025a utf8
EXTERNPROTO "file:///etc/passwd"
""",
        },
    ),
)
LOADS = (
    Attack(
        "bombs",
        "to start processes without end",
        """\
while True:
    try:
        os.fork()
    except OSError:
        pass""",
        0,
        note="the program",
    ),
    Attack(
        "uses memory",
        "to use much memory in many processes",
        """\
for _ in range(5):
    if os.fork() == 0:
        break
kept = b"x" * 150_000_000
time.sleep(60)""",
        0,
        note="more memory",
    ),
    Attack(
        "hides memory",
        "to keep memory in files without a name and in open files",
        """\
refused(lambda: os.memfd_create("x"))
refused(lambda: call("shmget", 0, 1 << 20, 0o1600))
refused(lambda: [socket.socketpair() for _ in range(500)])""",
    ),
    Attack(
        "uses time",
        "to compute in many processes",
        """\
for _ in range(3):
    os.fork()
while True:
    pass""",
        0,
        note="more processor time",
    ),
    Attack(
        "uses time briefly",
        "to compute in processes that end soon, and that nobody waits for",
        """\
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
    try:
        if os.fork() == 0:
            while time.process_time() < 0.4:
                pass
            os._exit(0)
    except OSError:
        pass
    time.sleep(0.1)""",
        0,
        note="more processor time",
    ),
    Attack(
        "fills the disk",
        "to write many files",
        """\
for folder in (".", "/tmp", "/dev/shm"):
    try:
        for number in range(100):
            open(f"{folder}/{number}", "wb").write(b"x" * 1_000_000)
    except OSError:
        pass
time.sleep(60)""",
        0,
        note="more disk space",
    ),
    Attack(
        "nests folders",
        "to leave paths that are too long to be removed",
        """\
for _ in range(40):
    os.mkdir("d" * 200)
    os.chdir("d" * 200)""",
    ),
    Attack(
        "closes folders",
        "to leave folders that nobody may enter",
        """\
for folder in ("/tmp", "."):
    os.makedirs(f"{folder}/x/y")
    os.chmod(f"{folder}/x/y", 0)
    os.chmod(f"{folder}/x", 0)""",
    ),
    Attack(
        "writes a large file",
        "to write a file without end",
        """\
with open("large", "wb") as file:
    while True:
        file.write(b"x" * 1_000_000)
        file.flush()""",
        0,
        note="File too large",
    ),
    Attack(
        "prints without end",
        "to fill memory and logs with text",
        """\
for stream in (sys.stdout, sys.stderr):
    for _ in range(20):
        stream.write("x" * 1_000_000)
    stream.flush()""",
    ),
    Attack(
        "stays",
        "to leave processes behind",
        """\
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        os.execv("/bin/sleep", ["sleep", "@MARK@"])
    os._exit(0)""",
    ),
    Attack(
        "does not end",
        "to stay after the end of the run",
        """\
signal.signal(signal.SIGTERM, signal.SIG_IGN)
while robot.step(step) != -1:
    pass
while True:
    time.sleep(1)""",
    ),
    Attack(
        "does nothing",
        "to stop the grading by never making a step",
        "time.sleep(1000)",
        0,
        note="too long without a step",
    ),
)
ATTACKS = (*FILES, *NEIGHBOURS, *SIMULATORS, *FILES_OF_HOST, *LOADS, *NAMES, *PACKED)


def _main() -> None:
    from tests.fleet.classroom import WAYS, graded

    for way in WAYS:
        marks = graded(ATTACKS, way).marks
        print(f"\n{way}: the fair submission got {marks['fair'].points:g} of {ALL}\n")
        for one in ATTACKS:
            mark = marks[one.shown]
            note = mark.note or "in vain"
            print(f"{one.shown:28.28} {one.tries:66.66} {mark.points:g}  {note:.60}")


if __name__ == "__main__":
    _main()
