"""`wbridge run` builds, finds and loads physics plugins, and carries packets to and from them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.physics_plugins.projects import WORLD, complete, project

ROBOT = """
Robot {
  translation -2 0 1
  controller "talk"
  children [ Emitter { range -1 channel 0 } Receiver { channel 7 } ]
}
"""
TALK = """
from controller import Robot
robot = Robot()
emitter, receiver = robot.getDevice("emitter"), robot.getDevice("receiver")
receiver.enable(8)
for text in ("up", "down", None, None):
    if text:
        emitter.send(text)
    robot.step(8)
    while receiver.getQueueLength():
        print(robot.getTime(), receiver.getString(), flush=True)
        receiver.nextPacket()
"""
ECHO = """
#include <string.h>
void webots_physics_init() { dWebotsSend(7, "hello", 5); }
void webots_physics_step() {
  int size;
  const char *data = (const char *)dWebotsReceive(&size);
  if (data) dWebotsSend(7, data, size);
}
"""


def run(world: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run `wbridge run` with a world."""
    command = [sys.executable, "-m", "wbridge", "run", str(world), *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_packets_travel_to_the_plugin_and_back(tmp_path: Path):
    """Manual, 6.4.5: the plugin receives channel 0; what it sends arrives as from an emitter."""
    world = project(tmp_path, complete(ECHO), world=WORLD + ROBOT)
    (tmp_path / "controllers" / "talk").mkdir(parents=True)
    (tmp_path / "controllers" / "talk" / "talk.py").write_text(TALK)
    done = run(world)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:3] == ["0.008 hello", "0.008 up", "0.016 down"]


def test_a_changed_source_is_built_again(tmp_path: Path):
    texts = []
    for word in ("first", "second"):
        source = f'void webots_physics_init() {{ dWebotsConsolePrintf("{word}"); }}'
        world = project(tmp_path, complete(source))
        file = tmp_path / "plugins" / "physics" / "probe" / "probe.c"
        library = file.with_name("libprobe.so")
        if library.exists():
            os.utime(library, (0, 0))
        done = run(world, "--steps", "1")
        texts.append(done.stdout.splitlines()[0])
        assert "building" in done.stderr
    assert texts == ["[probe] first", "[probe] second"]
    assert "building" not in run(world, "--steps", "1").stderr


def test_a_makefile_says_what_belongs_to_the_plugin(tmp_path: Path):
    world = project(
        tmp_path,
        complete('const char *word(); void webots_physics_init() { dWebotsConsolePrintf("%s", word()); }'),
    )
    folder = tmp_path / "plugins" / "physics" / "probe"
    (folder / "more").mkdir()
    (folder / "more" / "word.c").write_text('const char *word() { return "made"; }')
    (folder / "Makefile").write_text(
        "C_SOURCES = probe.c more/word.c\n"
        "include $(WEBOTS_HOME_PATH)/projects/default/plugins/physics/Makefile.include\n"
    )
    done = run(world, "--steps", "1")
    assert done.stdout.startswith("[probe] made\n"), done.stderr


def test_a_failed_plugin_ends_the_run(tmp_path: Path):
    source = "static int n; void webots_physics_step() { if (n++ == 2) *(volatile int *)0 = 1; }"
    world = project(tmp_path, complete(source))
    record = tmp_path / "kept.csv"
    for options in (["--no-controllers"], []):
        done = run(world, "--steps", "9", "--record", str(record), *options)
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1] == (
            'wbridge: physics plugin "probe": webots_physics_step crashed in step 2: Segmentation fault'
        )
        assert len(record.read_text().splitlines()) == 4  # head, start, two steps


def test_a_world_whose_plugin_is_missing_is_refused(tmp_path: Path):
    world = project(tmp_path, "")
    (tmp_path / "plugins" / "physics" / "probe" / "probe.c").unlink()
    done = run(world, "--steps", "1")
    assert done.returncode == 2
    assert "the physics plugin 'probe' was not found; searched: " in done.stderr
    assert run(world, "--steps", "1", "--allow-missing").returncode == 0
