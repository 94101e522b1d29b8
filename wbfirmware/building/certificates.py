"""The certificate of a board whose link is encrypted by TLS.

The board shows it, and controllers trust it alone (`cert=FILE` in their URL): so it needs no authority, and
it is the same at each of the board's addresses.
"""

from __future__ import annotations

import os
from pathlib import Path

from wbridge.wbfirmware.literals import c_string
from wbridge.wbfirmware.tools import need, run

FOR_BOARDS, FOR_CONTROLLERS = "certificate.h", "certificate.pem"
"""The header with the certificate and its key, for its owner alone; and the file for controllers."""
DAYS = 36500
"""It is valid for a hundred years: controllers compare it with their copy, and boards have no clock."""
HEADER = """\
/* The certificate that the board shows, and its secret key. wbridge writes this file once and never changes
 * it; .gitignore excludes it. Controllers need {for_controllers}. */
#define ROBOT_CERTIFICATE {certificate}
#define ROBOT_KEY {key}
"""


def write_certificate(folder: Path) -> None:
    """Make a certificate with its key (P-256) for a sketch, unless it has one.

    Raises:
        BuildError: OpenSSL is not installed, or fails.
        OSError: a file cannot be written.
    """
    if (folder / FOR_BOARDS).exists():
        return
    openssl = need("openssl", "openssl", "it makes the certificate of a board with TLS")
    new = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    subject = ["-subj", "/CN=robot", "-days", str(DAYS)]
    text = run([openssl, *new, *subject, "-keyout", "-", "-out", "-"], folder)
    certificate = _block(text, "CERTIFICATE")
    header = HEADER.format(
        for_controllers=FOR_CONTROLLERS,
        certificate=c_string(certificate),
        key=c_string(_block(text, "PRIVATE KEY")),
    )
    number = os.open(folder / FOR_BOARDS, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(number, "w", encoding="ascii") as file:
        file.write(header)
    (folder / FOR_CONTROLLERS).write_text(certificate, encoding="ascii")


def _block(text: str, kind: str) -> str:
    """Return a part of a text in PEM."""
    begin, end = f"-----BEGIN {kind}-----", f"-----END {kind}-----"
    _, _, rest = text.partition(begin)
    return f"{begin}{rest.partition(end)[0]}{end}\n"
