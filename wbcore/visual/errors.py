"""The exception of everything that draws."""


class RenderError(RuntimeError):
    """Raised when pictures cannot be drawn; the message says why and what to install."""


class ContextLostError(RenderError):
    """Raised when the driver has lost the OpenGL context, as after a reset of the GPU."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the driver has lost its OpenGL context ({why}); the next picture gets a new one")


class PictureError(ValueError):
    """A picture cannot be taken or saved."""


class MovieError(Exception):
    """A movie cannot be made."""
