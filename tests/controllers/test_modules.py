"""A controller whose interpreter lacks a module: which interpreter that is, and how to install it."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

import pytest

from tests.controllers.project import Project, robot
from wbridge.wbcore.controllers.modules import advice, advice_on_old, missing_modules, old_packages

ABSENT = "a_module_that_nobody_has"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def lacking(script: Path) -> list[str]:
    return missing_modules(script, [sys.executable], os.environ)


def test_modules_are_found_through_those_beside_the_script(tmp_path: Path):
    write(tmp_path / "own.py", f"import json\nimport {ABSENT}.part\n")
    assert lacking(write(tmp_path / "a.py", "import os, own\nfrom own import x\n")) == [ABSENT]


@pytest.mark.parametrize(
    "text",
    [f"try:\n  import {ABSENT}\nexcept ImportError: pass\n", f"def f():\n  import {ABSENT}\n", "import ("],
)
def test_what_a_script_can_do_without_is_not_missing(tmp_path: Path, text: str):
    assert lacking(write(tmp_path / "a.py", text)) == []


def test_what_lies_elsewhere_in_the_project_is_not_to_be_installed(tmp_path: Path):
    write(tmp_path / "shared" / "helper.py", "")
    assert lacking(write(tmp_path / "controllers" / "a" / "a.py", "import helper\n")) == []


def test_the_advice_names_interpreter_package_and_file(tmp_path: Path):
    text = advice(["cv2"], "/usr/bin/python3", tmp_path)
    assert "interpreter /usr/bin/python3 does not have the module cv2" in text
    assert "/usr/bin/python3 -m pip install opencv-python" in text
    assert str(tmp_path / "runtime.ini") in text


def test_a_run_says_it_behind_the_controller_s_end(project: Project, caplog: pytest.LogCaptureFixture):
    project.write(robot("a", "c"), c=f"import {ABSENT}\n")
    with caplog.at_level(logging.INFO, "wbridge.wbcore"):
        project.run()
    assert f'robot "a": its interpreter {sys.executable} does not have the module {ABSENT};' in caplog.text


def test_a_run_says_it_once_for_robots_with_the_same_controller(
    project: Project, caplog: pytest.LogCaptureFixture
):
    project.write(robot("a", "c"), robot("b", "c"), c=f"import {ABSENT}\n")
    with caplog.at_level(logging.INFO, "wbridge.wbcore"):
        project.run()
    assert caplog.text.count("does not have the module") == 1
    assert caplog.text.count("its controller ended with exit code 1") == 2


def test_another_failure_gets_no_such_advice(project: Project, caplog: pytest.LogCaptureFixture):
    project.write(robot("a", "c"), c="import json\nraise SystemExit(1)\n")
    with caplog.at_level(logging.INFO, "wbridge.wbcore"):
        project.run()
    assert "does not have" not in caplog.text


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("from tensorflow.contrib import slim\n", ["tensorflow"]),
        ("def f():\n  from tensorflow.examples.tutorials.mnist import input_data\n", ["tensorflow"]),
        ("from stable_baselines.common.policies import MlpPolicy\n", ["tensorflow"]),
        ("import tensorflow as tf\nfrom stable_baselines3 import PPO\n", []),
    ],
)
def test_imports_tell_that_an_old_package_is_needed(tmp_path: Path, text: str, needs: list[str]):
    assert old_packages(write(tmp_path / "a.py", text)) == needs


@pytest.mark.parametrize(
    ("pins", "needs"),
    [
        ("numpy\ntensorflow==1.15.0\n", ["tensorflow"]),
        ("tensorflow-gpu == 1.14\n", ["tensorflow"]),
        ("gym==0.21.0\nTensorflow<2\n", ["gym"]),
        ("gym==0.26.2\ntensorflow==2.4\ngymnasium==0.1\n", []),
    ],
)
def test_requirements_tell_that_an_old_package_is_needed(tmp_path: Path, pins: str, needs: list[str]):
    write(tmp_path / "requirements.txt", pins)
    script = write(tmp_path / "controllers" / "a" / "a.py", "import gym\n")
    assert old_packages(script) == needs


def test_the_advice_names_an_interpreter_and_the_file_that_sets_it(tmp_path: Path):
    text = advice_on_old(["tensorflow"], tmp_path)
    assert "TensorFlow 1, which exists for Python 3.7 and earlier" in text
    assert f"name it in {tmp_path / 'runtime.ini'}: [python] COMMAND = python3.7" in text
