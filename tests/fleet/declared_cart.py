"""A declared task whose rewards follow from a formula, and which registers as tasks of other packages do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.fleet.learning_worlds import SPEED, STEP_MS, rail
from wbridge.gym import DeclaredTask, End, Goal, Reward, Seen, Settings, Truth, Vary

__all__ = ["ARRIVED", "cart_task"]

ARRIVED = 0.03
"""m from the start."""


def place(seen: Seen) -> NDArray[np.float64]:
    """Return where the cart is (m)."""
    return seen.truths["cart"][:, 0]


def has_arrived(seen: Seen) -> NDArray[np.bool_]:
    """Return where it has arrived."""
    return place(seen) > ARRIVED


def command(seen: Seen) -> NDArray[np.float32]:
    """Return the commanded speed as a part of the fastest."""
    return seen.action("drive.velocity") / SPEED


def gap(seen: Seen) -> NDArray[np.float32]:
    """Return the way to the goal by the sensor (m)."""
    return seen["goal"] - seen["place"]


def cart_task(folder: Path) -> type[DeclaredTask]:
    """Return a task in a world that is written into a folder."""

    class Cart(DeclaredTask):
        world = str(rail(folder))
        settings = Settings(step_ms=2 * STEP_MS, episode_s=1, observations=["place"])
        rewards = (Reward("place", 10, place), Reward("command", -0.5, command), Reward("gap", 1, gap))
        ends = (End("arrived", has_arrived, 5),)
        varied = (Vary("ROBOT.translation[1]", -2, 2), Vary("ROBOT.CART.physics.density", 100, 900))
        goals = (Goal("goal", 1, 2),)
        truths = {"cart": Truth("ROBOT.CART", "translation")}

    return Cart
