"""A real broker for the tests: mosquitto, with a password and TLS, on free ports of this computer."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

from tests.conftest import require_tool

if sys.platform != "win32":
    import pwd

PATIENCE = 30.0


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def make_certificates(folder: Path) -> None:
    """An authority of our own (ca.crt) and a certificate for this computer (server.crt, server.key)."""
    openssl = require_tool("openssl", "makes the certificates of the TLS tests")
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    (folder / "names").write_text(names)
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    extensions = ["-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign"]
    for arguments in (
        [
            "req",
            "-x509",
            *key,
            "-keyout",
            "ca.key",
            "-out",
            "ca.crt",
            "-subj",
            "/CN=ca",
            "-days",
            "2",
            *extensions,
        ],
        ["req", *key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost"],
        [
            *["x509", "-req", "-in", "server.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial"],
            *["-out", "server.crt", "-days", "2", "-extfile", "names"],
        ],
    ):
        subprocess.run([openssl, *arguments], cwd=folder, check=True, capture_output=True)
    (folder / "server.key").chmod(0o644)


class Broker:
    """A running mosquitto."""

    user, guest, password = "ann", "bob", "let me in"

    def __init__(self, folder: Path, rules: str = "") -> None:
        """
        Args:
            folder: for its files.
            rules: who may read and write which topics, as in mosquitto's acl_file; "": everybody all.
        """
        program = require_tool("mosquitto", "is the broker of the MQTT tests")
        passwords = require_tool("mosquitto_passwd", "comes with mosquitto")
        make_certificates(folder)
        self.folder, self.port, self.tls_port = folder, free_port(), free_port()
        for user, create in ((self.user, ["-c"]), (self.guest, [])):
            subprocess.run(
                [passwords, "-b", *create, str(folder / "passwords"), user, self.password],
                check=True,
                capture_output=True,
            )
        (folder / "passwords").chmod(0o644)
        user = pwd.getpwuid(os.getuid()).pw_name
        (folder / "mosquitto.conf").write_text(
            f"user {user}\nallow_anonymous false\npassword_file {folder}/passwords\n"
            f"listener {self.port} 127.0.0.1\n"
            f"listener {self.tls_port} 127.0.0.1\n"
            f"cafile {folder}/ca.crt\ncertfile {folder}/server.crt\nkeyfile {folder}/server.key\n"
        )
        if rules:
            (folder / "rules").write_text(rules)
            (folder / "rules").chmod(0o600)
            with (folder / "mosquitto.conf").open("a") as file:
                file.write(f"acl_file {folder}/rules\n")
        self._command = [program, "-c", str(folder / "mosquitto.conf")]
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start, and wait until it listens."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=log)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.tls_port), 1.0).close()
                return
            except OSError:
                assert self._process.poll() is None, (self.folder / "log").read_text()
                assert time.monotonic() < end, "mosquitto does not listen"
                time.sleep(0.005)

    @property
    def pid(self) -> int:
        """Its process, while it runs."""
        assert self._process is not None, "it runs"
        return self._process.pid

    def stop(self) -> None:
        """Kill it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def url(self, topic: str, tls: bool = False, password: str = "let%20me%20in", user: str = "ann") -> str:
        """Of a topic, with name and password."""
        if tls:
            return f"mqtts://{user}:{password}@localhost:{self.tls_port}/{topic}?ca={self.folder}/ca.crt"
        return f"mqtt://{user}:{password}@127.0.0.1:{self.port}/{topic}"
