"""Controllers of worlds from before R2023a get what they expect."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.controllers.project import Project, robot, steps
from wbridge.hal.project_release import is_older

LISTENS = """
import warnings
warnings.simplefilter("ignore")  # an old spelling
receiver = robot.getDevice("receiver")
receiver.enable(16)
text = robot.wwiReceiveText()
robot.step(16)
robot.step(16)
print(repr(text), repr(receiver.getData()), flush=True)
"""
TALKS = steps(3, "robot.getDevice('emitter').send(b'ab')")


@pytest.mark.parametrize(
    ("release", "told"), [("V8.3", "'' b'ab'\n"), ("R2022b", "'' b'ab'\n"), ("R2023a", "None 'ab'\n")]
)
def test_the_values_of_old_functions_are_those_of_the_release(tmp_path: Path, release: str, told: str):
    project = Project(tmp_path)
    talker = robot("talker", "talk", children='Emitter { name "emitter" }')
    listener = robot("listener", "listen", children='Receiver { name "receiver" }')
    header = f"#VRML_SIM {release} utf8\n"
    project.write(talker, listener, header=header, talk=TALKS, listen=steps(2, LISTENS))
    assert project.printed() == told


def test_a_world_that_is_not_known_is_a_new_one(tmp_path: Path):
    (tmp_path / "odd.wbt").write_text("WorldInfo { }")
    assert not is_older("", "R2023a")
    assert not is_older(str(tmp_path / "none.wbt"), "R2023a")
    assert not is_older(str(tmp_path / "odd.wbt"), "R2023a")
