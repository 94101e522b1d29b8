"""The exception of everything that draws."""

__all__ = ["RenderError"]


class RenderError(RuntimeError):
    """Raised when pictures cannot be drawn; the message says why and what to install."""
