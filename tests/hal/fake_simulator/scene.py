"""The scene, the robot, and the dispatch of its messages."""

from tests.hal.fake_simulator.devices import (
    GPS,
    LED,
    Camera,
    DistanceSensor,
    Emitter,
    Motor,
    PositionSensor,
    Receiver,
)
from tests.hal.fake_simulator.numbers import MF, SF, WIDTH, node_types, requests
from tests.hal.fake_simulator.wire import Answer, Reader


class Node:
    def __init__(self, uid, kind, definition="", parent=0, position=(0.0, 0.0, 0.0), tag=-1):
        self.uid, self.kind, self.definition, self.parent, self.tag = uid, kind, definition, parent, tag
        self.fields = []  # [name, type, value]
        if kind in ("Solid", "Robot"):
            self.fields = [
                ["translation", SF["Vec3f"], position],
                ["rotation", SF["Rotation"], (0.0, 0.0, 1.0, 0.0)],
                ["name", SF["String"], kind.lower()],
                ["children", MF["Node"], []],
            ]

    def find(self, name):
        return next((i for i, f in enumerate(self.fields) if f[0] == name), -1)


class Simulator:
    remote_library = ""  # path of a remote control plugin for the controller

    def __init__(self, dialect="R2025a", robot="robot", time_step=32.0):
        self.dialect, self.robot, self.time_step = dialect, robot, time_step
        self.types = node_types(dialect)
        self.protos = dialect not in ("R2023a", "R2023b")
        self.layouts = requests(self.protos)
        self.reset()

    def reset(self):  # a fresh world for every controller
        self.time, self.steps, self.mode, self.data = 0.0, 0, 1, ""
        self.keyboard = self.battery = 0
        self.air, self.log, self.sets, self.out = [], [], [], []
        self.build()
        root = Node(0, "Group")
        root.fields = [["children", MF["Node"], [1, 2, 3, 4]]]
        self.nodes = {
            0: root,
            1: Node(1, "WorldInfo"),
            2: Node(2, "Viewpoint"),
            3: Node(3, "Robot", "ROBOT"),
            4: Node(4, "Solid", "BALL", 0, (0.5, 0.0, 0.1)),
        }
        for tag, d in enumerate(self.devices, 1):
            d.tag, d.sim = tag, self
            self.nodes[10 + tag] = Node(10 + tag, d.node, "", 3, tag=tag)
            self.nodes[3].fields[3][2].append(10 + tag)

    def build(self):
        left, right = Motor("left motor"), Motor("right motor")
        self.devices = [
            left,
            right,
            PositionSensor("left sensor", left),
            PositionSensor("right sensor", right),
            DistanceSensor("ds"),
            GPS("gps"),
            LED("led"),
            Emitter("emitter"),
            Receiver("receiver"),
            Camera("camera"),
        ]

    def sibling(self, device, node_type):
        """tag of the motor, position sensor or brake of the same joint, or 0"""
        for a, b in ((0, 2), (1, 3), (2, 0), (3, 1)):
            if self.devices[a] is device and self.types[self.devices[b].node] == node_type:
                return self.devices[b].tag
        return 0

    def configure(self, o):  # the first packet
        o.head(0, 0)
        if self.dialect != "R2023a":
            o.s(self.robot).s(self.dialect)  # name, version of the simulator
        o.u8(1).u8(1).u16(1 + len(self.devices)).u16(self.types["Robot"]).f64(
            self.time / 1000
        )  # supervisor, synchronous
        if self.dialect == "R2023a":
            o.s(self.robot)
        for d in self.devices:
            o.u16(self.types[d.node]).s(d.name).s(d.model)
        o.f64(self.time_step).s("/project").s("/project/worlds/fake.wbt").s("fake model")
        o.s("").s(self.remote_library)  # robot window library, remote control library (paths, empty = none)
        o.s("<extern>").s(self.data).u8(0).u8(0).i32(
            self.mode
        )  # show window, has html window, simulation mode
        o.head(0, 0).u32(3).u32(0).u8(0).u8(0).s("Robot").s("ROBOT")  # supervisor only: its own node
        for d in self.devices:
            d.configure(o)

    def dispatch(self, r):  # one request: blocks of tag, length and commands
        while r.more():
            tag = r.u16()
            block = Reader(r.raw(r.i32()))
            while block.more():
                if tag:
                    self.devices[tag - 1].handle(block)
                else:
                    code = block.u8()
                    self.robot_message(code, block.take(self.layouts[code]), block)

    def robot_message(self, code, a, r):
        say = self.out.append  # the answers are written after all requests are read
        if code == 30:
            stream, text = "out" if a[0] == 1 else "err", a[1][:-1].decode("utf-8", "replace")
            print(f"[controller {stream}] {text}")
        elif code == 31:
            self.battery = a[0]
        elif code == 34:
            self.keyboard = a[0]
        elif code == 37:
            self.data = a[0][:-1].decode()
        elif code == 46:
            say(lambda o: o.head(0, 46).s(f'<robot name="{self.robot}"/>'))
        elif code == 56:  # simulation mode, confirmed in the answer
            self.mode = a[0]
            say(lambda o: o.head(0, 10).i32(self.mode))
        elif (
            code == 62
        ):  # set: queued by the library, sent with the next step or query, applied before the physics
            self.sets.append((self.nodes[a[0]].fields[a[1]], a[3], self.read_value(r, a[2] & 15)))
        elif code in (63, 89, 97):
            self.change(code, a, r)
        elif code in (64, 87):  # field from index, from name
            i = self.nodes[a[0]].find(a[-2]) if code == 87 else a[-2]
            say(lambda o: self.put_field(o, i, self.nodes[a[0]].fields[i : i + 1] if i >= 0 else []))
        elif code == 65:
            say(lambda o: o.head(0, 65).i32(len(self.nodes[a[0]].fields)))
        elif code == 78:
            say(lambda o: o.head(0, 78).i32(-1).u8(0).i32(0).s(""))  # no proto
        elif code == 80:
            say(lambda o: o.head(0, 80).i32(0))  # user input: no event
        elif code in (83, 85):  # node from id, from device tag; no answer if there is none
            n = next((n for n in self.nodes.values() if a[0] == (n.uid if code == 83 else n.tag)), None)
            if n:
                say(lambda o: self.put_node(o.head(0, code), n, b"\0").s(n.definition))
        elif code == 84:  # node from DEF
            n = next((n for n in self.nodes.values() if n.definition == a[0]), None)
            say(
                lambda o: (
                    self.put_node(o.head(0, 84), n) if n else o.head(0, 84).i32(0, 0, -1, -1).u8(0).s("")
                )
            )
        elif code == 88:  # value of a field; the index follows for a multiple field
            f = self.nodes[a[0]].fields[a[-2]]
            index = r.u32() if f[1] > 16 else 0
            say(lambda o: self.put_value(o.head(0, 88).i32(f[1], *a[:-1]), f, index))
        elif code == 90:
            say(lambda o: o.head(0, 90).f64(*self.nodes[a[0]].fields[0][2]))
        elif code == 91:
            say(lambda o: o.head(0, 91).f64(1, 0, 0, 0, 1, 0, 0, 0, 1))
        elif code == 92:
            x, y, z = self.nodes[a[1]].fields[0][2]
            say(lambda o: o.head(0, 92).i32(a[0], a[1]).f64(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1))
        elif code == 96:
            say(lambda o: o.head(0, 96).f64(0.1, 0, 0, 0, 0, 0))
        else:  # understood, but without effect in this example
            extra = r.s() if code == 82 and a[0] else r.i32() if code in (101, 102, 103) and a[-1] else None
            if code not in (35, 36):
                self.log.append((code, *a, extra))

    def change(
        self, code, a, r
    ):  # insert into a multiple field (a node comes as text), remove from it, remove a node
        self.apply()
        uid = self.nodes[a[0]].parent if code == 97 else a[0]
        f = self.nodes[uid].fields[self.nodes[uid].find("children") if code == 97 else a[1]]
        if code == 89:
            v = self.read_value(r, 8 if f[1] & 15 == 9 else f[1] & 15)
            if f[1] == MF["Node"]:
                words, new = v.split(), max(self.nodes) + 1
                self.nodes[new] = Node(new, "Solid", words[1] if words[0] == "DEF" else "", uid)
                v = new
            f[2].insert(a[2], v)
        else:
            gone = f[2].pop(f[2].index(a[0]) if code == 97 else a[2])
            if f[1] == MF["Node"]:
                del self.nodes[gone]
                self.out.append(lambda o: o.head(0, 97).i32(gone))  # the library forgets the node
        self.out.append(lambda o: o.head(0, 20).i32(uid).s(f[0]).i32(len(f[2])))  # new size of the field

    def put_node(self, o, n, internal=b""):
        return o.u32(n.uid).u32(self.types.get(n.kind, 0)).i32(n.tag, n.parent).u8(0).raw(internal).s(n.kind)

    def put_field(self, o, i, found):
        name, kind, value = found[0] if found else ("", 0, None)
        count = len(value) if kind > 16 else (1 if value else 0) if kind == SF["Node"] else -1
        o.head(0, 87).i32(i if found else -1, kind).u8(0).i32(count)
        if self.protos:
            o.i32(
                -1, -1
            )  # for a field inside of a proto: node and index of the corresponding field of the scene tree
        o.s(name)

    def put_value(self, o, f, index):
        kind, v = f[1] & 15, f[2][index] if f[1] > 16 else f[2]
        if kind == 1:
            o.u8(v)
        elif kind == 2:
            o.i32(v)
        elif kind == 8:
            o.s(v)
        elif kind == 9:
            self.put_node(o, self.nodes[v]).s(self.nodes[v].definition) if v else o.u32(0)
        else:
            o.f64(*(v if isinstance(v, tuple) else (v,)))

    def read_value(self, r, kind):
        return (
            r.u8() == 1 if kind == 1 else r.i32() if kind == 2 else r.s() if kind == 8 else r.f64(WIDTH[kind])
        )

    def apply(self):
        for f, index, v in self.sets:
            if f[1] > 16:
                f[2][index] = v
            else:
                f[2] = v
        self.sets.clear()

    def step(self):
        self.apply()
        self.steps += 1
        self.time += self.time_step
        for d in self.devices:
            d.step(self.time_step / 1000)

    def answer(self, link, delay=0, time_changed=False):
        o = Answer(delay)
        if time_changed:
            o.head(0, 4).f64(self.time / 1000)
        if time_changed and self.battery:
            o.head(0, 5).f64(1000 - self.time / 1000)
        if time_changed and self.keyboard:
            o.head(0, 6).u8(1).i32(ord("A"))
        for write in self.out:
            write(o)
        self.out.clear()
        for d in self.devices:
            d.answer(o, link)
        return o
