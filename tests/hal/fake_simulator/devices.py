"""Devices: `configure` writes the first packet, `handle` takes a command, `answer` adds what is due."""

import math
import mmap
import urllib.parse


class Device:
    node = "NoNode"

    def __init__(self, name, model=""):
        self.name, self.model, self.tag, self.sim = name, model, 0, None

    def configure(self, o):
        pass

    def handle(self, r):
        raise NotImplementedError

    def answer(self, o, link):
        pass

    def step(self, dt):
        pass


class Sensor(Device):
    period, last = 0, 0  # ms, 0 = disabled

    def handle(self, r):
        code = r.u8()
        if code == 1:  # C_SET_SAMPLING_PERIOD: the first value comes one full period after the enabling
            self.period, self.last = r.u16(), self.sim.time
        else:
            self.command(code, r)

    def command(self, code, r):
        raise ValueError(f"{self.name}: command {code}")

    def due(self):
        if self.period and self.sim.time - self.last >= self.period:
            self.last = self.sim.time
            return True
        return False

    def answer(self, o, link):
        if self.due():
            self.value(o)


class Motor(Device):
    node, feedback, asked, target, position = "RotationalMotor", 0, None, 0.0, 0.0
    commands = {1: "d", 2: "d", 3: "d", 4: "d", 5: "h", 6: "d", 7: "ddd", 8: "h"}

    def __init__(self, name, max_velocity=10.0, max_force=10.0):
        super().__init__(name)
        self.max_velocity, self.max_force, self.velocity = max_velocity, max_force, max_velocity

    def configure(self, o):
        o.head(self.tag, 0).i32(0)  # 0 = rotational, 1 = linear
        o.f64(
            0, 0, self.max_velocity, -1, self.max_force
        )  # min and max position, acceleration -1 = unlimited
        o.f64(10, 0, 0, self.target, self.velocity, 1).i32(
            0
        )  # PID, targets, multiplier, number of coupled motors

    def handle(self, r):
        code = r.u16()  # the only device with 16 bit command codes
        args = r.take(self.commands[code])
        if code == 1:
            self.target = args[0]
        elif code == 2:
            self.velocity = args[0]
        elif code == 5:
            self.feedback = args[0]  # sampling period of the torque feedback
        elif code == 8:
            self.asked = args[0]  # node type of the wanted device of the same joint

    def step(self, dt):
        d = self.target - self.position
        move = self.velocity * dt if math.isinf(d) else min(abs(d), abs(self.velocity) * dt)
        self.position += math.copysign(1, d) * move

    def answer(self, o, link):
        if self.feedback:
            o.head(self.tag, 5).f64(0.5)
        if self.asked is not None:
            o.head(self.tag, 8).u16(self.sim.sibling(self, self.asked))
            self.asked = None


class PositionSensor(Sensor):
    node, asked = "PositionSensor", None

    def __init__(self, name, motor):
        super().__init__(name)
        self.motor = motor

    def configure(self, o):
        o.head(self.tag, 0).i32(0)  # joint type as for the motor

    def value(self, o):
        o.head(self.tag, 1).f64(self.motor.position)

    def command(self, code, r):
        self.asked = r.u16()  # code 2

    def answer(self, o, link):
        super().answer(o, link)
        if self.asked is not None:
            o.head(self.tag, 2).u16(self.sim.sibling(self, self.asked))
            self.asked = None


class DistanceSensor(Sensor):
    node = "DistanceSensor"
    table = (0.0, 1000.0, 0.0, 0.1, 1000.0, 0.1, 1.0, 0.0, 0.0)

    def configure(self, o):  # type, min, max, aperture, rows of the lookup table
        o.head(self.tag, 0).i32(0).f64(0, 1000, 1.5708).i32(len(self.table) // 3).f64(*self.table)

    def value(self, o):
        o.head(self.tag, 50).f64(500 + 400 * math.sin(self.sim.time / 1000))


class GPS(Sensor):
    node = "GPS"

    def configure(self, o):
        o.head(self.tag, 0).i32(0)  # 0 = local coordinates, 1 = WGS84

    def value(self, o):
        o.head(self.tag, 2).f64(*self.sim.nodes[3].fields[0][2], 0.1, 0.1, 0, 0)  # + speed, velocity


class LED(Device):
    node, state = "LED", 0

    def handle(self, r):
        _, self.state = r.take("bi")  # code 1


class Emitter(Device):
    node, channel, range = "Emitter", 1, -1.0

    def configure(
        self, o
    ):  # buffer size, channel, bytes per ms, range, max range, number of allowed channels
        o.head(self.tag, 0).i32(-1, self.channel).f64(-1, self.range, -1).i32(0)

    def handle(self, r):
        code = r.u8()
        if code == 0:  # C_EMITTER_SEND
            self.channel, self.range, data = r.take("idI")
            self.sim.air.append((self.channel, data))
        elif code == 1:
            self.channel = r.i32()
        elif code == 2:
            self.range = r.f64()


class Receiver(Sensor):
    node, channel = "Receiver", 1

    def configure(self, o):
        o.head(self.tag, 0).i32(-1, self.channel, 0)

    def command(self, code, r):
        self.channel = r.i32()  # code 2

    def value(
        self, o
    ):  # channel, direction to the emitter, signal strength, size, bytes; one message per packet
        for channel, data in self.sim.air:
            if channel == self.channel or -1 in (channel, self.channel):
                o.head(self.tag, 1).i32(self.channel).f64(1, 0, 0, 1).i32(len(data)).raw(data)
        self.sim.air.clear()


class Camera(Sensor):
    node, width, height, shared = "Camera", 16, 8, None

    def configure(self, o):
        o.head(self.tag, 0).u32(self.tag).u16(self.width).u16(self.height)  # any unique id, size
        o.f64(0.7854, 0.01).u8(1).f64(0.5, 1.2).u8(0).u8(
            0
        )  # fov, near, planar, min/max fov, recognition, segmentation
        o.f64(1, 0, 0, 0, 0)  # exposure, focal length, focal distance, its min and max

    def command(self, code, r):
        r.take({4: "d", 5: "d", 6: "d", 10: "h", 11: "b"}[code])

    def picture(self):
        k = int(self.sim.time) & 0xFF
        return b"".join(
            bytes((x, y, k, 255)) for y in range(self.height) for x in range(self.width)
        )  # B G R A

    def answer(self, o, link):
        if not link.remote and self.period and self.shared is None:  # local: announce the shared memory once
            path = f"{link.folder}/snap.webots.{urllib.parse.quote(self.name, safe='-_.~')}"
            with open(path, "w+b") as f:
                f.truncate(self.width * self.height * 4)
                self.shared = mmap.mmap(f.fileno(), self.width * self.height * 4)
            o.head(self.tag, 8).i32(len(self.shared)).s(path)  # C_CAMERA_MEMORY_MAPPED_FILE
        if self.due():
            if link.remote:
                o.image(self.tag, 0, self.picture())  # C_ABSTRACT_CAMERA_SERIAL_IMAGE
            else:
                self.shared[:] = self.picture()  # written while the controller waits for this answer
