"""Building the library and controllers: when, from what, and what is said when that is not possible."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT, require_tool
from wbridge.hal import folders
from wbridge.hal.folders import cache_folder
from wbridge.libcontroller import compiling

MAIN = "#include <webots/robot.h>\nint main(void) {\n  wb_robot_init();\n  return 0;\n}\n"
WEBOTS_MAKEFILE = """
null :=
space := $(null) $(null)
WEBOTS_HOME_PATH?=$(subst $(space),\\ ,$(strip $(subst \\,/,$(WEBOTS_HOME))))
include $(WEBOTS_HOME_PATH)/resources/Makefile.include
"""


def controller(folder: Path, text: str = MAIN, name: str = "mine.c") -> Path:
    """The folder of a controller."""
    place = folder / "mine"
    place.mkdir()
    (place / name).write_text(text)
    return place


def starts(program: Path) -> bool:
    """It is linked with the library, which says that there is no simulator of this name."""
    environment = {**os.environ, "WEBOTS_CONTROLLER_URL": "nonsense://x"}
    done = subprocess.run([str(program)], env=environment, capture_output=True, text=True, check=False)
    wanted = 'Error: WEBOTS_CONTROLLER_URL is "nonsense://x"; expected ipc://1234/robot'
    return done.returncode == 1 and done.stderr.startswith(wanted)


def test_the_library_shows_the_api_and_nothing_else(c_home: Path):
    require_tool("nm", "the library's names are read with it")
    done = subprocess.run(
        ["nm", "-D", "--defined-only", compiling.library_path()], capture_output=True, text=True, check=True
    )
    names = [line.split()[-1] for line in done.stdout.splitlines()]
    assert len(names) > 400
    # wbh_ is for programs in Python that load plugins in C.
    assert [name for name in names if not re.match(r"wb[urh]?_", name)] == []


def test_the_library_is_built_once(c_home: Path):
    compiling.home_path.cache_clear()
    before = compiling.library_path().stat().st_mtime_ns
    compiling.home_path.cache_clear()
    assert compiling.library_path().stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("variable", "folder"),
    [("WBRIDGE_CACHE", "a"), ("XDG_CACHE_HOME", "a/wbridge"), ("HOME", "a/.cache/wbridge")],
)
def test_the_cache_is_the_user_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, folder: str):
    for name in ("WBRIDGE_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, str(tmp_path / "a"))
    assert cache_folder() == tmp_path / folder


@pytest.mark.parametrize(
    ("variables", "why"),
    [
        ({"HOME": "FOLDER/file"}, "FOLDER/file is not a folder"),
        ({"HOME": "~"}, "this user has no home folder"),
    ],
)
def test_without_a_cache_files_are_kept_in_a_temporary_folder(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    variables: dict[str, str],
    why: str,
):
    """As for a user whom the system does not know: `docker run --user`, systemd's DynamicUser."""
    (tmp_path / "file").touch()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(folders, "_told", set())
    for name in ("WBRIDGE_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value.replace("FOLDER", str(tmp_path)))
    made = cache_folder()
    assert (made.parent, made.stat().st_mode & 0o777) == (tmp_path, 0o700)
    assert cache_folder() == made
    (line,) = caplog.messages
    assert line.startswith(
        f"{why.replace('FOLDER', str(tmp_path))}; storing files in {made} (set WBRIDGE_CACHE"
    )


@pytest.mark.parametrize("name", ["mine.c", "mine.cpp", "mine.cc"])
def test_sources_become_a_program_in_the_cache(c_home: Path, tmp_path: Path, name: str):
    folder = controller(tmp_path, name=name)
    program = compiling.compile_controller(folder)
    assert program is not None
    assert program.name == "mine"
    assert starts(program)
    assert [one.name for one in folder.iterdir()] == [name]


def test_several_sources_and_a_header_go_together(c_home: Path, tmp_path: Path):
    folder = controller(tmp_path, '#include "other.h"\nint main(void) { return other(); }\n')
    (folder / "other.h").write_text("int other(void);\n")
    (folder / "other.c").write_text("int other(void) { return 7; }\n")
    program = compiling.compile_controller(folder)
    assert program is not None
    assert subprocess.run([str(program)], check=False).returncode == 7


def test_a_program_is_built_anew_when_its_source_has_changed(c_home: Path, tmp_path: Path):
    folder = controller(tmp_path)
    first = compiling.compile_controller(folder)
    assert compiling.compile_controller(folder) == first
    (folder / "mine.c").write_text("int main(void) { return 3; }\n")
    second = compiling.compile_controller(folder)
    assert second is not None
    assert second != first
    assert subprocess.run([str(second)], check=False).returncode == 3


def test_a_program_can_be_put_elsewhere(c_home: Path, tmp_path: Path):
    folder, place = controller(tmp_path), tmp_path / "mine" / "build" / "release"
    program = compiling.compile_controller(folder, place)
    assert program == place / "mine"
    made = program.stat().st_mtime_ns
    assert compiling.compile_controller(folder, place) == program
    assert program.stat().st_mtime_ns == made
    (folder / "mine.c").write_text("int main(void) { return 3; }\n")
    compiling.compile_controller(folder, place)
    assert subprocess.run([str(program)], check=False).returncode == 3


def test_a_makefile_of_webots_finds_what_it_includes(c_home: Path, tmp_path: Path):
    require_tool("make", "the controller has a Makefile")
    folder = controller(tmp_path)
    (folder / "part.c").write_text("int part(void) { return 1; }\n")
    (folder / "Makefile").write_text("C_SOURCES = mine.c part.c\nCFLAGS = -Wall\n" + WEBOTS_MAKEFILE)
    program = compiling.compile_controller(folder)
    assert program == folder / "mine"
    assert starts(program)


OLD_MAKEFILE = """
space :=
space +=
WEBOTS_HOME_PATH=$(subst $(space),\\ ,$(strip $(subst \\,/,$(WEBOTS_HOME))))
include $(WEBOTS_HOME_PATH)/resources/{place}Makefile.include
"""


@pytest.mark.parametrize("place", ["", "controllers/", "projects/default/controllers/"])
def test_makefiles_of_older_webots_work(c_home: Path, tmp_path: Path, place: str):
    require_tool("make", "the controller has a Makefile")
    folder = controller(tmp_path)
    (folder / "Makefile").write_text(OLD_MAKEFILE.format(place=place))
    program = compiling.compile_controller(folder)
    assert program == folder / "mine"
    assert starts(program)


@pytest.mark.parametrize("makefile", [WEBOTS_MAKEFILE, OLD_MAKEFILE.format(place="")])
def test_a_makefile_works_where_paths_have_blanks(
    c_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, makefile: str
):
    require_tool("make", "the controller has a Makefile")
    home = tmp_path / "the home"
    home.symlink_to(c_home)
    monkeypatch.setattr(compiling, "home_path", lambda: home)
    (tmp_path / "all projects").mkdir()
    folder = controller(tmp_path / "all projects")
    (folder / "Makefile").write_text(makefile)
    program = compiling.compile_controller(folder)
    assert program == folder / "mine"
    assert starts(program)


def test_a_makefile_finds_sources_in_the_folders_of_others(c_home: Path, tmp_path: Path):
    require_tool("make", "the controller has a Makefile")
    folder = controller(tmp_path, "int other(void);\nint main(void) { return other(); }\n")
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "first.c").write_text("int first(void) { return 4; }\n")
    (shared / "other.c").write_text("int first(void);\nint other(void) { return first() + 1; }\n")
    (folder / "Makefile").write_text("C_SOURCES = mine.c ../shared/first.c other.c\n" + WEBOTS_MAKEFILE)
    program = compiling.compile_controller(folder)
    assert program is not None
    assert subprocess.run([str(program)], check=False).returncode == 5


@pytest.mark.parametrize(
    ("said", "name"), [("webots/SuperVisor.hpp", "webots/Supervisor.hpp"), ("Math.h", "math.h")]
)
def test_a_header_that_differs_in_capitals_is_named(c_home: Path, tmp_path: Path, said: str, name: str):
    folder = controller(tmp_path, f"#include <{said}>\n", "mine.cpp")
    with pytest.raises(compiling.BuildError, match=f"The header is named {re.escape(name)}: file names"):
        compiling.compile_controller(folder)


HEADERS = sorted(
    one.relative_to(place)
    for place in (CHECKOUT / "libcontroller" / "include", CHECKOUT / "libcontroller" / "cpp" / "include")
    for one in place.rglob("*.h*")
)


@pytest.mark.parametrize("spelling", [str.lower, str.capitalize], ids=["lower", "capitalized"])
def test_headers_are_also_found_as_case_insensitive_systems_find_them(
    c_home: Path, tmp_path: Path, spelling: Callable[[str], str]
):
    names = [str(one.with_name(spelling(one.stem) + one.suffix)) for one in HEADERS if one.stem != "Sketch"]
    text = "".join(f"#include <{one}>\n" for one in names) + "int main() { return 0; }\n"
    assert compiling.compile_controller(controller(tmp_path, text, "mine.cpp"))


def test_the_sources_of_the_library_are_read_once(c_home: Path, monkeypatch: pytest.MonkeyPatch):
    compiling._home(["cc"])
    monkeypatch.setattr(compiling, "_digest", lambda *_: pytest.fail("read again"))
    assert compiling._home(["cc"]).name.startswith("library-")


def test_a_program_is_linked_anew_when_the_library_is_another(
    c_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    folder = with_makefile(controller(tmp_path), True)
    before = tmp_path / "cache" / "c" / f"library-{'0' * 16}"
    before.parent.mkdir(parents=True)
    before.symlink_to(c_home)
    with monkeypatch.context() as once:
        once.setattr(compiling, "home_path", lambda: before)
        program = compiling.compile_controller(folder)
    assert program is not None
    assert compiling.is_outdated(program)
    before.unlink()
    assert compiling.compile_controller(folder) == program
    assert not compiling.is_outdated(program)
    assert starts(program)


def test_a_folder_without_sources_has_no_program(c_home: Path, tmp_path: Path):
    assert compiling.compile_controller(controller(tmp_path, name="mine.py")) is None


def test_a_wrong_source_is_told_in_the_compiler_s_words(c_home: Path, tmp_path: Path):
    folder = controller(tmp_path, "int main(void) { return nothing; }\n")
    with pytest.raises(compiling.BuildError, match=r"mine\.c:1:.*error.*nothing"):
        compiling.compile_controller(folder)


def test_the_first_error_is_shown_below_many_warnings(c_home: Path, tmp_path: Path):
    """The message holds a part of the compiler's output; warnings before the error may be longer than
    that.
    """
    warnings = "".join(f'  printf("%d\\n", "this is no number {i}");\n' for i in range(60))
    text = f"#include <stdio.h>\nint main(void) {{\n{warnings}  return nothing;\n}}\n"
    with pytest.raises(compiling.BuildError, match=r"mine\.c:63:.*error: 'nothing' undeclared"):
        compiling.compile_controller(controller(tmp_path, text))


THREADS = """
#include <stdio.h>
#include <unistd.h>
#include <webots/robot.h>
static WbMutexRef mutex;
static volatile int count, done;
static void work(void *param) {
  for (int i = 0; i < 10000; ++i) {
    wb_robot_mutex_lock(mutex);
    count += *(int *)param;
    wb_robot_mutex_unlock(mutex);
  }
  wb_robot_mutex_lock(mutex);
  ++done;
  wb_robot_mutex_unlock(mutex);
}
int main(void) {
  int step = 2;
  mutex = wb_robot_mutex_new();
  for (int i = 0; i < 4; ++i)
    wb_robot_task_new(work, &step);
  while (done < 4)
    usleep(100);
  wb_robot_mutex_delete(mutex);
  printf("%d\\n", count);
  return 0;
}
"""


def test_threads_take_turns_at_a_mutex(c_home: Path, tmp_path: Path):
    program = compiling.compile_controller(controller(tmp_path, THREADS))
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout == "80000\n"


API_UNDECLARED = "int main(void) { return wb_robot_get_name() != 0; }\n"
UNDECLARED = "int main(void) { return seven(); }\nint seven() { return 7; }\n"


def with_makefile(folder: Path, makefile: bool) -> Path:
    """The controller's folder, with a Makefile or none."""
    if makefile:
        require_tool("make", "the controller has a Makefile")
        (folder / "Makefile").write_text(WEBOTS_MAKEFILE)
    return folder


@pytest.mark.parametrize("makefile", [False, True])
def test_a_call_of_the_api_without_its_header_is_an_error(c_home: Path, tmp_path: Path, makefile: bool):
    folder = with_makefile(controller(tmp_path, API_UNDECLARED), makefile)
    for _ in range(2):  # what make has built is no excuse
        with pytest.raises(
            compiling.BuildError,
            match=r"(?s)implicit declaration.*header that declares wb_robot_g\w+: #include <webots/robot\.h>",
        ):
            compiling.compile_controller(folder)


@pytest.mark.parametrize("makefile", [False, True])
def test_a_variable_in_a_header_is_shared(c_home: Path, tmp_path: Path, makefile: bool):
    text = '#include "all.h"\nint main(void) { set(); return shared; }\n'
    folder = with_makefile(controller(tmp_path, text), makefile)
    (folder / "all.h").write_text("int shared;\nvoid set(void);\n")
    (folder / "other.c").write_text('#include "all.h"\nvoid set(void) { shared = 6; }\n')
    if makefile:
        (folder / "Makefile").write_text("C_SOURCES = mine.c other.c\n" + WEBOTS_MAKEFILE)
    program = compiling.compile_controller(folder)
    assert program is not None
    assert subprocess.run([str(program)], check=False).returncode == 6


@pytest.mark.parametrize("makefile", [False, True])
def test_other_functions_may_be_called_undeclared(
    c_home: Path, tmp_path: Path, makefile: bool, caplog: pytest.LogCaptureFixture
):
    program = compiling.compile_controller(with_makefile(controller(tmp_path, UNDECLARED), makefile))
    assert program is not None
    assert subprocess.run([str(program)], check=False).returncode == 7
    assert "mine.c:1:" in caplog.text and "implicit declaration of function 'seven'" in caplog.text


def test_a_function_that_is_not_offered_is_an_error_of_the_linker(c_home: Path, tmp_path: Path):
    folder = controller(
        tmp_path,
        "#include <webots/plugins/robot_window/generic_robot_window/generic.h>\n"
        "int main(void) { wbu_generic_robot_window_init(); return 0; }\n",
    )
    with pytest.raises(
        compiling.BuildError,
        match=r"undefined reference to `wbu_generic_robot_window_init'(.|\n)*docs/c-api\.md",
    ):
        compiling.compile_controller(folder)


CLASSES = """#include <webots/Robot.hpp>
int main() {
  webots::Robot robot;
  return robot.step(8);
}
"""


def test_classes_work_with_a_makefile_of_webots(c_home: Path, tmp_path: Path):
    require_tool("make", "controllers with a Makefile are built with it")
    folder = controller(tmp_path, CLASSES, "mine.cpp")
    (folder / "Makefile").write_text(WEBOTS_MAKEFILE)
    program = compiling.compile_controller(folder)
    assert program == folder / "mine"
    assert starts(program)


def test_the_library_of_classes_is_built_when_it_is_needed_and_once(c_home: Path, tmp_path: Path):
    compiling.compile_controller(controller(tmp_path, CLASSES, "mine.cpp"))
    library = c_home / "lib" / "controller" / compiling.CXX_NAME
    before = library.stat().st_mtime_ns
    compiling.need_cxx_library()
    assert library.stat().st_mtime_ns == before


def test_every_method_of_a_class_is_in_the_library(c_home: Path):
    require_tool("nm", "the library's names are read with it")
    compiling.need_cxx_library()
    library = c_home / "lib" / "controller" / compiling.CXX_NAME
    done = subprocess.run(
        ["nm", "-DC", "--defined-only", library], capture_output=True, text=True, check=True
    )
    defined = set(re.findall(r"webots::(\w+::~?\w+)(?:\[\w+:\w+\])?\(", done.stdout))
    declared = set()
    for header in (c_home / "include" / "controller" / "cpp").rglob("*.hpp"):
        if header.stem == "Sketch" or header.is_symlink():
            continue  # defines the program of a sketch in the header, or is another spelling of a name
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL).partition("private:")[0]
        declared |= {f"{header.stem}::{name}" for name in re.findall(r"(\w+)\([^;{]*\)(?: const)?;", text)}
    assert len(declared) > 400
    assert declared - defined == set()


CAR = """#include <webots/vehicle/car.h>
#include <webots/vehicle/driver.h>
int main(void) {
  wbu_driver_init();
  return wbu_car_get_type() == WBU_CAR_TRACTION && wbu_driver_get_indicator() == LEFT ? 0 : 1;
}
"""
CAR_CLASSES = """#include <webots/vehicle/Car.hpp>
enum { LEFT, RIGHT, SPEED, OFF };  // names that the header leaves to others
int main() {
  webots::Car *car = new webots::Car();
  car->setIndicator(webots::Driver::INDICATOR_LEFT);
  return webots::Driver::getDriverInstance() == car && car->getType() == webots::Car::TRACTION ? LEFT : RIGHT;
}
"""
CAR_MAKEFILE = """
include $(WEBOTS_HOME_PATH)/resources/Makefile.os.include
LIBRARIES = {libraries}
LIBRARIES += -Wl,-rpath,$(WEBOTS_LIB_PATH) -L"$(WEBOTS_CONTROLLER_LIB_PATH)"
"""


OLD_CAR = """#include <webots/car.h>
#include <webots/driver.h>
int main(void) {
  wbu_driver_init();
  wbu_driver_set_indicator_warning(true);
  return wbu_driver_step(50);
}
"""
OLD_CAR_CLASSES = """#include <webots/Driver.hpp>
#include <webots/Car.hpp>
int main() {
  webots::Car car;
  car.setIndicatorWarning(true);
  car.setBrake(car.getBrake());
  return car.step();
}
"""


@pytest.mark.parametrize(("name", "text"), [("mine.c", OLD_CAR), ("mine.cpp", OLD_CAR_CLASSES)])
def test_controllers_of_cars_from_before_r2018a_work(c_home: Path, tmp_path: Path, name: str, text: str):
    program = compiling.compile_controller(controller(tmp_path, text, name))
    assert program is not None
    assert starts(program)


CALLS_OF_WEBOTS_8 = """#include <webots/display.h>
#include <webots/robot.h>
#include <webots/supervisor.h>
static void paste(WbImageRef image) {
  wb_display_image_paste(1, image, 0, (2 + 3));
  wb_display_image_paste(1, image, 0, 0, false);
}
static int count(WbNodeRef node) {
  wb_supervisor_set_label(1, "a, b", 0, 0, 0.1, 0, 0);
  wb_supervisor_set_label(1, "a, b", 0, 0, 0.1, 0, 0, "Impact");
  return wb_supervisor_node_get_number_of_contact_points(node) +
         wb_supervisor_node_get_number_of_contact_points(node, true);
}
int main(void) {
  wb_robot_init();
  paste(0);
  return count(0);
}
"""


@pytest.mark.parametrize("name", ["mine.c", "mine.cpp"])
def test_calls_may_lack_what_came_after_webots_8(c_home: Path, tmp_path: Path, name: str):
    program = compiling.compile_controller(controller(tmp_path, CALLS_OF_WEBOTS_8, name))
    assert program is not None
    assert starts(program)


@pytest.mark.parametrize("name", ["mine.c", "mine.cpp"])
def test_controllers_of_cars_need_no_options(c_home: Path, tmp_path: Path, name: str):
    program = compiling.compile_controller(
        controller(tmp_path, CAR if name == "mine.c" else CAR_CLASSES, name)
    )
    assert program is not None
    assert starts(program)


@pytest.mark.parametrize(
    ("name", "libraries"),
    [
        ("mine.c", ""),
        ("mine.c", "-ldriver -lcar"),
        ("mine.cpp", "-ldriver -lcar -lCppDriver"),
        ("mine.cpp", "-lCppDriver -lCppCar -ldriver -lcar"),
    ],
)
def test_makefiles_of_cars_name_webots_libraries(c_home: Path, tmp_path: Path, name: str, libraries: str):
    require_tool("make", "the controller has a Makefile")
    folder = controller(tmp_path, CAR if name == "mine.c" else CAR_CLASSES, name)
    (folder / "Makefile").write_text(CAR_MAKEFILE.format(libraries=libraries) + WEBOTS_MAKEFILE)
    program = compiling.compile_controller(folder)
    assert program is not None
    assert starts(program)


def test_a_library_of_cars_is_the_whole_library(c_home: Path):
    folder = c_home / "lib" / "controller"
    library = ctypes.CDLL(str(folder / "libdriver.so"))
    assert library.wbu_driver_step is not None
    assert library._handle == ctypes.CDLL(str(folder / "libController.so"))._handle


def test_a_missing_compiler_is_told_with_its_package(
    c_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    folder = controller(tmp_path, name="mine.cpp")
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(compiling.BuildError, match=r"no-such-compiler is not installed.*install g\+\+"):
        compiling.compile_controller(folder)
