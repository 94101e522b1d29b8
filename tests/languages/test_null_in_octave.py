"""[] and values of wrong types in Octave are errors with the function's name, and never end the program.

The judge is the table of functions: each is called with 1 to 5 arguments, one of which is wrong. Numbers that
are no references of the library were followed as pointers.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT, require_tool
from tests.languages.running import simulate
from wbridge.libcontroller.octave_building import need_octave_library

pytestmark = pytest.mark.languages

WORLD = Path(__file__).parents[1] / "peers" / "all_devices.wbt"
ENDS = re.compile(
    r"wb_robot_(step|init|cleanup)|wait_for_user|quit|(world|simulation)_(load|reload|reset)|load_world|revert|"
    r"restart_controller|^wbu_(driver|car)_"
)
"""Functions that end or hold the run, and those of cars."""
TABLE = CHECKOUT / "libcontroller" / "octave" / "generated.h"
CONTROLLER = """wb_robot_step(32);
names = strsplit(strtrim(fileread('names.txt')), "\\n");
for i = 1:numel(names)
  for count = 1:5
    for place = 1:count
      for wrong = {[], {1}, 'text', 1e15}
        values = num2cell(ones(1, count));
        values{place} = wrong{1};
        fprintf(stderr, '@%s %s\\n', names{i}, class(wrong{1}));
        try
          feval(names{i}, values{:});
        catch problem
          fprintf(stderr, 'error: %s\\n', problem.message);
        end_try_catch
      end
    end
  end
end
fprintf(stderr, '@end\\n');
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    require_tool("octave-cli", "runs the controllers")
    require_tool("mkoctfile", "compiles the functions for Octave")
    need_octave_library()  # not within the time limit of a run
    folder = tmp_path / "controllers" / "nulls"
    folder.mkdir(parents=True)
    (folder / "nulls.m").write_text(CONTROLLER)
    (folder / "names.txt").write_text("\n".join(_names()))
    (tmp_path / "worlds").mkdir()
    (tmp_path / "worlds" / "a.wbt").write_text(WORLD.read_text().replace("<extern>", "nulls"))
    return tmp_path


def _names() -> list[str]:
    listed = re.findall(r"^[A-Z]+\((wbu?_\w+)", TABLE.read_text(), re.M)
    return [name for name in listed if not ENDS.search(name)]


def test_wrong_values_are_errors_with_the_function_s_name(project: Path):
    # Reports of the run itself could come between two pieces of a line of Octave.
    done = simulate(project, "--duration", "1", "--quiet")
    assert "@end\n" in done.stderr, done.stderr[-2000:]
    calls = done.stderr.partition("@end\n")[0].split("\n@")[1:]
    assert {call.split()[0] for call in calls} == set(_names())
    unnamed, silent = set(), set()
    for call in calls:
        name, kind = call.partition("\n")[0].split()
        errors = [line for line in call.splitlines() if line.startswith("error: ")]
        unnamed |= {line for line in errors if not line.startswith(f"error: {name}: ")}
        if kind == "cell" and not errors:  # no function takes one
            silent.add(name)
    assert (unnamed, silent) == (set(), set())
