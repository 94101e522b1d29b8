"""The exception of everything that draws."""

__all__ = ["MovieError", "PictureError", "RenderError"]


class RenderError(RuntimeError):
    """Raised when pictures cannot be drawn; the message says why and what to install."""


class PictureError(ValueError):
    """A picture cannot be taken or saved."""


class MovieError(Exception):
    """A movie cannot be made."""
