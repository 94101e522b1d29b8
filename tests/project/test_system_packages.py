"""The script that installs missing system packages says which, why, and what to do where it cannot."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.project.files import CHECKOUT

SCRIPT = CHECKOUT / "scripts" / "system_packages.sh"


class Machine:
    """A machine that has only the programs put into its one folder; they are small shell scripts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        for name in ("bash", "env", "cat"):
            (folder / name).symlink_to(str(shutil.which(name)))
        self.add("id", "echo 1000")

    def add(self, name: str, text: str) -> None:
        """Put a program onto the machine."""
        (self.folder / name).write_text(f"#!{shutil.which('bash')}\n{text}\n")
        (self.folder / name).chmod(0o755)

    def add_recorder(self, name: str, then: str = "") -> None:
        """Put a program onto the machine that writes its command line into the log."""
        self.add(name, f'echo "{name} $*" >> "{self.log}"\n{then}')

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the script there."""
        command = [str(shutil.which("bash")), str(SCRIPT), *arguments]
        environment = {"PATH": str(self.folder)}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def complete(machine: Machine) -> None:
    for name in ("python3", "g++", "cmake", "avr-gcc"):
        machine.add(name, "exit 0")


def test_a_complete_machine_needs_nothing(machine: Machine):
    complete(machine)
    machine.add_recorder("apt-get")
    done = machine.run()
    assert (done.returncode, done.stdout, machine.log.exists()) == (0, "", False)


def test_without_apt_it_names_all_packages(machine: Machine):
    done = machine.run()
    assert done.returncode == 2
    assert "no apt-get" in done.stderr
    assert "python3 python3-venv python3-dev g++ cmake\n" in done.stderr


def test_each_missing_package_has_its_reason(machine: Machine):
    complete(machine)
    (machine.folder / "cmake").unlink()
    assert "missing: cmake (configures the physics engine's build)" in machine.run().stdout


def test_the_installed_ode_is_needed_only_on_request(machine: Machine):
    complete(machine)
    machine.add("g++", "exit 1")  # it finds no header
    assert machine.run().stdout == ""
    assert "missing: libode-dev (is the installed Open Dynamics Engine)" in machine.run("--ode").stdout


def test_what_only_the_tests_need_is_asked_for_by_them(machine: Machine):
    complete(machine)
    said = machine.run("--tests").stdout
    for package in ("git", "make", "openssl", "mosquitto", "umockdev"):
        assert f"missing: {package} (" in said
    assert "mosquitto" not in machine.run().stdout
    machine.add("g++", "exit 1")
    assert "missing: libsimavr-dev (emulates boards with an AVR" in machine.run("--tests").stdout


def test_without_root_and_sudo_it_says_whom_to_ask(machine: Machine):
    machine.add_recorder("apt-get")
    done = machine.run()
    assert done.returncode == 2
    assert "administrator" in done.stderr
    assert not machine.log.exists()


def test_with_sudo_it_installs_what_is_missing(machine: Machine):
    complete(machine)
    os.remove(machine.folder / "cmake")
    machine.add("sudo", '"$@"')
    machine.add_recorder("apt-get")
    assert machine.run().returncode == 0
    update, install = machine.log.read_text().splitlines()
    assert update == "apt-get update -qq"
    assert install.endswith(" cmake")


def test_root_needs_no_sudo(machine: Machine):
    machine.add("id", "echo 0")
    machine.add_recorder("apt-get")
    assert machine.run().returncode == 0
    assert "install" in machine.log.read_text()


def test_a_python_that_is_too_old_is_named(machine: Machine):
    complete(machine)
    machine.add("python3", 'if [ "$1" = --version ]; then echo Python 3.9.2; else exit 1; fi')
    done = machine.run()
    assert done.returncode == 2
    assert "needs Python 3.10 or later; python3 is Python 3.9.2" in done.stderr


@pytest.mark.parametrize(
    ("option", "some", "not_one"),
    [
        ("--tests", {"g++", "cmake", "cc", "make", "mosquitto", "avr-gcc"}, "qemu-system-arm"),
        ("--boards", {"g++", "arm-none-eabi-gcc", "qemu-system-arm", "avrdude"}, "mosquitto"),
        ("chromium", {"g++", "chromium"}, "mosquitto"),
    ],
)
def test_it_lists_the_programs_without_looking_for_them(
    machine: Machine, option: str, some: set[str], not_one: str
):
    machine.add_recorder("apt-get")
    done = machine.run("--list", option)
    listed = done.stdout.split()
    assert (done.returncode, done.stderr, machine.log.exists()) == (0, "", False)
    assert some <= set(listed)
    assert not_one not in listed


def test_a_package_of_two_programs_is_named_once(machine: Machine):
    complete(machine)
    machine.add("g++", "exit 1")
    assert machine.run("--tests").stdout.count("missing: mosquitto (") == 1
