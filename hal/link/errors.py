"""What can go wrong on a robot link.

LinkError
  MessageError       bytes that are not a message, or a value that a message cannot contain
  ConnectionLost     the wire is gone: pulled, closed, or the other program has ended
  AddressError       a URL that names no transport, or not completely
  Refused            the robot answers, but does not take this controller
    TableMismatch    its device table is different
    RobotBusy        another controller drives it
    WrongVersion     it speaks another version of the link
"""

from __future__ import annotations

__all__ = ["AddressError", "ConnectionLost", "LinkError", "MessageError"]
__all__ += ["Refused", "RobotBusy", "TableMismatch", "WrongVersion"]


class LinkError(Exception):
    """Something is wrong on a robot link."""


class MessageError(LinkError, ValueError):
    """Bytes are not a message, or a message cannot contain a value."""


class ConnectionLost(LinkError, ConnectionError):
    """The wire is gone."""


class AddressError(LinkError, ValueError):
    """A URL that names no transport, or not completely."""


class Refused(LinkError):
    """The robot answers, but does not take this controller."""


class TableMismatch(Refused):
    """The robot's device table is another one."""


class RobotBusy(Refused):
    """Another controller drives the robot."""


class WrongVersion(Refused):
    """The robot speaks another version of the link."""
