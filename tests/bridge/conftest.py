"""A simulated robot that is served over the robot link, in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from wbridge.hal.link.master import Master
from wbridge.hal.link.transports import connect
from wbridge.wbcore.bridge.bridge import Bridge
from wbridge.wbcore.bridge.sent_pictures import RAW, SentPictures
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

PATIENCE = 60.0
HEAD = "#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStep 8 }\n"
ROVER = """Robot {
  name "rover"
  children [
    HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 }
      device [ RotationalMotor { name "motor" maxVelocity 20 } PositionSensor { name "encoder" } ]
      endPoint Solid {
        name "wheel"
        boundingObject Sphere { radius 0.1 }
        physics Physics { }
      }
    }
    LED { name "led" }
    GPS { name "gps" }
    Receiver { name "ear" }
  ]
  physics Physics { }
  boundingObject Box { size 1 1 0.1 }
}
"""
TALKER = 'Robot { name "talker" translation 0 0 3 children [ Emitter { name "voice" } ] }\n'


class Serving:
    """A bridge that runs in a thread."""

    def __init__(
        self,
        text: str,
        urls: dict[str, list[str]],
        speed: float | None = None,
        sent: SentPictures = RAW,
    ) -> None:
        self.simulation = Simulation(load_text(HEAD + text))
        self.bridge = Bridge(self.simulation, urls, speed, sent=sent)
        self._thread = threading.Thread(target=self.bridge.run)
        self._thread.start()
        self.masters: list[Master] = []

    def drive(self, number: int = 0, watchdog: int = 10_000) -> Master:
        """A controller of one of the served robots."""
        served = self.bridge.robots[number]
        master = Master(served.side.table, lambda: connect(served.urls[0]), watchdog=watchdog)
        self.masters.append(master)
        master.connect(PATIENCE)
        return master

    def stop(self) -> None:
        """End controllers and bridge."""
        for master in self.masters:
            master.leave(PATIENCE)
        self.bridge.end()
        self._thread.join()
        self.bridge.close()


@pytest.fixture
def serve() -> Iterator[Callable[..., Serving]]:
    """Serves robots; ended with the test."""
    made: list[Serving] = []

    def start(
        text: str = ROVER,
        urls: dict[str, list[str]] | None = None,
        speed: float | None = None,
        sent: SentPictures = RAW,
    ) -> Serving:
        made.append(Serving(text, urls or {"rover": ["tcp://127.0.0.1"]}, speed, sent))
        return made[-1]

    yield start
    for one in made:
        one.stop()
