"""Connections of controllers, by local sockets and by TCP."""

import hashlib
import os
import select
import shutil
import socket
import struct
import urllib.parse

from tests.hal.fake_simulator.wire import Answer, Reader


class Link:
    def __init__(self, sock, remote, folder):
        self.sock, self.remote, self.folder = sock, remote, folder

    def read(self, n):
        data = b""
        while len(data) < n:
            part = self.sock.recv(n - len(data))
            if not part:
                raise ConnectionError
            data += part
        return data

    def send(self, answer):
        self.sock.sendall(answer.remote() if self.remote else answer.local())


class Server:
    def __init__(self, sim, port, max_steps=0):
        self.sim, self.max_steps = sim, max_steps
        user = os.environ.get("USER") or os.environ.get("USERNAME") or "default"
        tmp = os.path.join(os.sep, "tmp")  # fixed in the library, whatever $TMPDIR says
        name = f"webots-{port}" if sim.dialect == "R2023a" else f"webots/{user}/{port}"
        self.instance = f"{tmp}/{name}"
        self.folder = f"{self.instance}/ipc/{self.encode(len(self.instance) + len('/ipc//extern'))}"
        shutil.rmtree(self.instance, ignore_errors=True)
        os.makedirs(self.folder)
        self.local = None
        if hasattr(socket, "AF_UNIX"):  # Python on Windows has no local sockets
            self.local = socket.socket(socket.AF_UNIX)
            self.local.bind(self.folder + "/extern")
            self.local.listen(1)
        self.tcp = socket.socket()
        self.tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.tcp.bind(("localhost", port))
        self.tcp.listen(1)

    def encode(self, used):
        """percent encoding of the robot name; a hash replaces long names, the limit depends on the version"""
        code = urllib.parse.quote(self.sim.robot, safe="-_.~")
        if self.sim.dialect == "R2023b":
            return hashlib.sha1(code.encode()).hexdigest() if len(code) > 70 else code
        limit = max(91 - used, 4) // 2 * 2
        if self.sim.dialect == "R2023a" or len(code) <= limit:
            return code
        return hashlib.sha1(code.encode()).hexdigest()[:limit]

    def accept(self):
        ready, _, _ = select.select([one for one in (self.local, self.tcp) if one], [], [])
        if self.local in ready:
            return Link(self.local.accept()[0], False, self.folder)
        sock = self.tcp.accept()[0]
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        hello = sock.recv(8192)  # "CTR\nRobot-Name: xyz", or "CTR" (R2023a then adds some stray bytes)
        name = hello.partition(b"Robot-Name: ")[2]
        good = hello[:3] == b"CTR" and name in (b"", self.encode(0).encode())
        sock.sendall(b"CONNECTED" if good else b"FAILED")
        if good:
            return Link(sock, True, self.folder)
        sock.close()
        return None

    def serve(self, link):
        sim, first, steps = self.sim, True, 0
        sim.reset()
        while True:
            size = struct.unpack("<i", link.read(4))[0]
            if size == 0:  # the library says good bye
                return steps
            body = Reader(link.read(size - 4))
            ms = body.u32()
            sim.dispatch(body)
            if first:  # wb_robot_init() makes a step of 0 ms: answer with the configuration
                first, o = False, Answer()
                sim.configure(o)
                link.send(o)
            elif ms == 0:  # a query in between: no time passes
                link.send(sim.answer(link))
            else:
                asked, steps = sim.time + ms, steps + 1
                while sim.time < asked:
                    sim.step()
                if self.max_steps and steps >= self.max_steps:
                    link.send(Answer().head(0, 2))  # C_ROBOT_QUIT: wb_robot_step() returns -1
                else:
                    link.send(sim.answer(link, 0, True))

    def run(self, once=False):
        while True:
            link = self.accept()
            if link is None:
                continue
            print("controller connected over", "TCP" if link.remote else "local IPC", flush=True)
            try:
                print("controller left after", self.serve(link), "steps, log:", self.sim.log, flush=True)
            except OSError:
                print("controller lost", flush=True)
            link.sock.close()
            if once:
                return

    def close(self):
        if self.local is not None:
            self.local.close()
        self.tcp.close()
        shutil.rmtree(self.instance, ignore_errors=True)
