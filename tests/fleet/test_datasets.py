"""Datasets of LeRobot: what pyarrow, pandas and ffmpeg read is what robots saw and did."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.fleet.learning_worlds import STEP_MS, rail
from wbridge.gym import DatasetEnv, DatasetError, DatasetWriter, RobotEnv, Task, Verdict, read_dataset
from wbridge.main import main
from wbridge.wbfleet.gym.picture_env import PictureEnv

pytestmark = pytest.mark.training
ROOT = Path(__file__).resolve().parents[2]
SIZE = 48, 64


class Along(Task):
    """Be worth the number of the step."""

    def begin(self, simulation, random):
        """Begin to count."""
        self.count = 0

    def judge(self, simulation, robot, action):
        """Count; the third step is the last one."""
        self.count += 1
        return Verdict(float(self.count), self.count == 3)


def written(folder: Path, episodes: int, fps: float = 10) -> list[np.ndarray]:
    """Write episodes of 4, 5, ... frames with a picture; return the states of each."""
    states = []
    with DatasetWriter(folder, fps, ["x", "y"], ["force"], {"front": SIZE}, "cart", True) as writer:
        for episode in range(writer.episodes, writer.episodes + episodes):
            rows = np.random.default_rng(episode).normal(size=(4 + episode, 2)).astype(np.float32)
            for number, row in enumerate(rows):
                picture = np.full((*SIZE, 3), (20 * number, 100, 40 * episode), np.uint8)
                writer.add(row, [number], {"front": picture}, number, number == len(rows) - 1)
            writer.end_episode("push" if episode else "pull")
            states.append(rows)
    return states


def test_pyarrow_and_pandas_read_what_was_written(tmp_path: Path):
    import pandas as pd
    import pyarrow.parquet as pq

    states = written(tmp_path / "data", 2)
    table = pq.read_table(tmp_path / "data" / "data" / "chunk-000" / "file-001.parquet")
    assert np.array_equal(np.array(table["observation.state"].to_pylist(), np.float32), states[1])
    assert table["action"].to_pylist() == [0, 1, 2, 3, 4]
    assert table["next.done"].to_pylist() == [False] * 4 + [True]
    assert np.allclose(table["timestamp"].to_pylist(), np.arange(5) / 10)
    assert table["index"].to_pylist() == [4, 5, 6, 7, 8] and table["task_index"].to_pylist() == [1] * 5
    tasks = pd.read_parquet(tmp_path / "data" / "meta" / "tasks.parquet")
    assert list(tasks.index) == ["pull", "push"] and list(tasks["task_index"]) == [0, 1]
    info = json.loads((tmp_path / "data" / "meta" / "info.json").read_text())
    assert (info["total_episodes"], info["total_frames"], info["splits"]) == (2, 9, {"train": "0:2"})
    stats = json.loads((tmp_path / "data" / "meta" / "stats.json").read_text())["observation.state"]
    both = np.concatenate(states).astype(float)
    assert np.allclose(stats["mean"], both.mean(0)) and np.allclose(stats["std"], both.std(0))
    assert np.array_equal(stats["min"], both.min(0)) and stats["count"] == [9]


def test_pictures_and_numbers_are_read_back_and_continued(tmp_path: Path):
    states = written(tmp_path / "data", 1)
    states += written(tmp_path / "data", 1)
    dataset = read_dataset(tmp_path / "data")
    assert len(dataset) == 2 and dataset.frames == 9 and dataset.tasks == ["pull", "push"]
    for episode, rows in zip(dataset, states, strict=True):
        assert np.array_equal(episode["observation.state"], rows)
        pictures = episode.pictures("front").astype(int)
        expected = [(20 * number, 100, 40 * episode.index) for number in range(len(rows))]
        assert np.abs(pictures - np.array(expected)[:, None, None]).max() <= 6  # of 255: H.264 loses little
    with pytest.raises(DatasetError, match="did you mean 'front'"):
        dataset[0].pictures("frnt")


def test_a_folder_of_another_kind_is_refused(tmp_path: Path):
    written(tmp_path / "data", 1)
    with pytest.raises(DatasetError, match="features differs"):
        DatasetWriter(tmp_path / "data", 10, ["x"], ["force"])
    with pytest.raises(DatasetError, match="not empty"):
        DatasetWriter(tmp_path, 10, ["x"], ["force"])
    (tmp_path / "data" / "meta" / "info.json").write_text('{"codebase_version": "v2.1"}')
    with pytest.raises(DatasetError, match=r"version v2\.1"):
        read_dataset(tmp_path / "data")
    with pytest.raises(DatasetError, match="not a dataset"):
        read_dataset(tmp_path)


def test_an_episode_without_end_is_forgotten(tmp_path: Path):
    with DatasetWriter(tmp_path / "data", 10, ["x"], ["force"]) as writer:
        writer.add([1], [1])
        writer.end_episode("push")
        writer.add([2], [2])
    (episode,) = read_dataset(tmp_path / "data")
    assert episode["observation.state"].tolist() == [1]


def test_an_environment_is_recorded_and_its_actions_repeat_it(tmp_path: Path):
    """A frame has what was seen before the action, and what the action was worth."""
    env = DatasetEnv(RobotEnv(rail(tmp_path), Along(), step_ms=4 * STEP_MS), tmp_path / "data", "move")
    seen, done, worth = [], [], []
    env.action_space.seed(1)
    for seed in (5, 6):
        observation, _ = env.reset(seed=seed)
        is_over = False
        while not is_over:
            action = env.action_space.sample()
            seen.append(observation)
            done.append(action)
            observation, reward, is_over, _, _ = env.step(action)
            worth.append(reward)
    env.close()
    dataset = read_dataset(tmp_path / "data")
    assert [episode.frames for episode in dataset] == [3, 3] and dataset.tasks == ["move"]
    for column, rows in (("observation.state", seen), ("action", done), ("next.reward", worth)):
        values = np.concatenate([episode[column].reshape(3, -1) for episode in dataset])
        assert np.array_equal(values, np.array(rows, np.float32).reshape(6, -1))
    again = RobotEnv(rail(tmp_path), Along(), step_ms=4 * STEP_MS)
    observation, _ = again.reset(seed=6)
    for row, action in zip(dataset[1]["observation.state"].reshape(3, -1), done[3:], strict=True):
        assert np.array_equal(observation, row)
        observation = again.step(action)[0]


def test_cameras_become_videos(tmp_path: Path):
    env = PictureEnv(RobotEnv(ROOT / "worlds" / "ball_seeker.wbt", Along(), step_ms=64))
    camera = next(name for name in env.observation_space if name != "sensors")
    recorded = DatasetEnv(env, tmp_path / "data")
    kept = [recorded.reset(seed=1)[0][camera].copy()]
    for _ in range(2):
        kept.append(recorded.step(recorded.action_space.sample())[0][camera].copy())
    recorded.close()
    dataset = read_dataset(tmp_path / "data")
    assert dataset.cameras == [camera]
    pictures = dataset[0].pictures(camera).astype(int)
    assert len(pictures) == 2
    assert np.abs(pictures - np.array(kept[:2])).mean() < 4  # of 255


def test_recordings_of_robots_become_episodes(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The columns have the numbers that the recording of the same run as a table has."""
    world, logs = str(ROOT / "worlds" / "epuck_arena.wbt"), [tmp_path / f"{i}.mcap" for i in range(2)]
    for seconds, log in zip(("1", "0.8"), logs, strict=True):
        assert main(["run", world, "--duration", seconds, "--inline", "--record", str(log), "--quiet"]) == 0
    table = tmp_path / "run.npz"
    assert main(["run", world, "--duration", "1", "--inline", "--record", str(table), "--quiet"]) == 0
    capsys.readouterr()
    words = ["dataset", *map(str, logs), "--out", str(tmp_path / "data"), "--task", "drive", "--json"]
    assert main(words) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["episodes"], facts["tasks"], facts["robot"]) == (2, ["drive"], "e-puck")
    state = facts["columns"]["observation.state"]
    assert "ps0.value" in state and "left wheel motor.velocity" in facts["columns"]["action"]
    with np.load(table) as archive:
        judge = archive["values"][:, list(archive["columns"]).index("e-puck/ps0.value")]
    column = read_dataset(tmp_path / "data")[0]["observation.state"][:, state.index("ps0.value")]
    assert len(column) == len(judge) - 1  # the last readings are followed by no command
    assert np.array_equal(column[1:], judge[1:-1].astype(np.float32))


def test_the_command_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "run.mcap").write_bytes(b"no recording")
    assert main(["dataset", str(tmp_path / "run.mcap")]) == 2
    assert "--out FOLDER" in capsys.readouterr().err
    assert main(["dataset", str(tmp_path / "run.mcap"), "--out", str(tmp_path / "data")]) == 2
    assert "not an MCAP recording" in capsys.readouterr().err


def test_the_program_of_the_page_runs(tmp_path: Path):
    page = (ROOT / "docs" / "learning.md").read_text()
    programs = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (program,) = (program for program in programs if "DatasetEnv" in program)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "base motor.velocity" in done.stdout and "(20, 6)" in done.stdout
