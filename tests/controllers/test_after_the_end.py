"""What supervisors read, and how controllers may fail, after the simulation has ended.

Webots' library keeps the last value of a field, returns NaN for positions, and raises nothing. How a
controller ends that was asked to end is not judged there either.
"""

from __future__ import annotations

import ast
import math

import pytest

from tests.conftest import require_tool
from tests.controllers.project import Project, robot
from wbridge.wbcore.controllers.manager import Ended

BOX = 'DEF BOX Solid { translation 1 2 3 rotation 0 0 1 0.5 name "box" children [ Group { } ] }\n'
READS = """
from controller import Supervisor
supervisor = Supervisor()
node = supervisor.getFromDef("BOX")
places, turns = node.getField("translation"), node.getField("rotation")
children = node.getField("children")
for k in range(2):
    supervisor.step(16)
before = [places.getSFVec3f(), children.getMFNode(0).getTypeName(), node.getPose()]
supervisor.simulationQuit(0)
assert supervisor.step(16) == -1
after = [places.getSFVec3f(), children.getMFNode(0).getTypeName(), node.getPose()]
print([before == after, places.value, turns.getSFRotation(), node.exportString(), str(node.getPosition())])
"""


def test_fields_keep_their_last_values(project: Project):
    project.write(BOX, robot("a", "reads", "supervisor TRUE"), reads=READS)
    same, place, never_read, text, position = ast.literal_eval(project.printed())
    assert same
    assert place == [1, 2, 3]
    assert never_read == [0, 0, 0, 0]
    assert text == ""
    assert position == str([math.nan] * 3)


READS_IN_C = """
#include <stdio.h>
#include <webots/robot.h>
#include <webots/supervisor.h>
int main(void) {
  wb_robot_init();
  WbNodeRef node = wb_supervisor_node_get_from_def("BOX");
  WbFieldRef places = wb_supervisor_node_get_field(node, "translation");
  WbFieldRef turns = wb_supervisor_node_get_field(node, "rotation");
  wb_robot_step(16);
  wb_supervisor_field_get_sf_vec3f(places);
  wb_supervisor_simulation_quit(0);
  if (wb_robot_step(16) != -1) return 2;
  const double *place = wb_supervisor_field_get_sf_vec3f(places);
  const double *turn = wb_supervisor_field_get_sf_rotation(turns);
  printf("[%g, %g, %g, %g, %s, '%s']\\n", place[0], place[1], place[2], turn[3],
         wb_supervisor_node_get_pose(node, NULL) ? "True" : "False", wb_supervisor_node_export_string(node));
  wb_robot_cleanup();
  return 0;
}
"""


def test_fields_keep_their_last_values_in_c(project: Project):
    require_tool("cc", "the controller is compiled with it")
    from wbridge.running.building import build_late

    project.write(BOX, robot("a", "reads", "supervisor TRUE"))
    project.file("reads", "reads.c", READS_IN_C)
    assert ast.literal_eval(project.printed(build=build_late)) == [1, 2, 3, 0, True, ""]


FAILS = """
from controller import Supervisor
supervisor = Supervisor()
supervisor.step(16)
{request}
while supervisor.step(16) != -1:
    pass
raise ValueError("after the end")
"""


@pytest.mark.parametrize("inline", [False, True])
def test_an_exception_after_the_end_is_no_failure(
    project: Project, inline: bool, caplog: pytest.LogCaptureFixture
):
    caplog.set_level("INFO")
    text = FAILS.format(request="supervisor.simulationQuit(0)")
    project.write(robot("a", "fails", "supervisor TRUE"), fails=text)
    outcome = project.run(fail_on_error=True, inline=inline)
    assert outcome.status == 0
    assert [one for one in outcome.controllers if one.is_error] == []
    assert "ended with exit code 1 after the simulation had ended" in caplog.text


@pytest.mark.parametrize("request_text", ["simulationReset()", "worldReload()"])
def test_an_exception_after_a_reset_is_no_failure(project: Project, request_text: str):
    mark = project.folder / "mark"
    text = FAILS.format(
        request=f"""
import os
if os.path.exists({str(mark)!r}):
    supervisor.simulationQuit(0)
else:
    open({str(mark)!r}, "w").close()
    supervisor.{request_text}
"""
    )
    project.write(robot("a", "fails", "supervisor TRUE"), fails=text)
    outcome = project.run(fail_on_error=True)
    assert mark.exists()
    assert outcome.status == 0
    assert [one for one in outcome.controllers if one.is_error] == []


def test_an_exception_before_the_end_is_a_failure(project: Project):
    text = FAILS.format(request="raise ValueError()")
    project.write(robot("a", "fails", "supervisor TRUE"), fails=text)
    assert Ended("a", "fails", 1) in project.run().controllers
