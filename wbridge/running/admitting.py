"""The token that controllers need to connect over TCP: who needs it, and which it is."""

from __future__ import annotations

from wbridge.failures import InputError
from wbridge.robot_windows.addresses import is_loopback
from wbridge.wbcore.controllers.admission import Admission, chosen_token

OTHERS, ALWAYS, NEVER = "others", "always", "never"
TOKENS = (OTHERS, ALWAYS, NEVER)


def admission_of(host: str, who: str) -> Admission:
    """Return the checks of a run's controllers.

    Args:
        host: the address that the run listens on.
        who: needs a token, an element of `TOKENS`.

    Raises:
        InputError: other computers could connect without a token, or the user's token is unsuitable.
    """
    if who == NEVER:
        if is_loopback(host):
            return Admission("")
        raise InputError(
            f"--token {NEVER}: everybody who reaches {host} could drive robots and run code here; "
            "use --host 127.0.0.1, or set WBRIDGE_CONTROLLER_TOKEN to a token that both sides know"
        )
    try:
        token = chosen_token()
    except ValueError as problem:
        raise InputError(str(problem)) from None
    return Admission(token, everywhere=who == ALWAYS)
