"""Camera pictures as robots send them: pixels as they are, or JPEG."""

from __future__ import annotations

import io

from wbridge.hal.installation import package_command

JPEG = b"\xff\xd8"
"""How JPEG files begin."""


def received_pixels(data: bytes, width: int, height: int) -> bytes:
    """Return the pixels of a received picture: rows from the top, 4 bytes per pixel (B, G, R, A).

    Raises:
        ValueError: the picture has another size, cannot be read, or cannot be decoded here.
    """
    size = 4 * width * height
    if len(data) == size:
        return data
    if not data.startswith(JPEG):
        raise ValueError(
            f"the picture has {len(data)} bytes; allowed: {size} for {width} x {height} pixels, or JPEG"
        )
    try:
        from PIL import Image  # type: ignore[import-not-found, unused-ignore]  # start-up: optional
    except ImportError:
        raise ValueError(
            f"the picture is a JPEG, which needs the package pillow: {package_command('pillow')}"
        ) from None
    try:
        picture = Image.open(io.BytesIO(data), formats=["JPEG"])
        # Before any pixel is decoded: a small file may claim to be huge.
        if picture.size != (width, height):
            shown = " x ".join(map(str, picture.size))
            raise ValueError(f"the picture has {shown} pixels; allowed: {width} x {height}")
        red, green, blue = picture.convert("RGB").split()
    except (OSError, SyntaxError) as problem:
        raise ValueError(f"the picture cannot be decoded: {problem}") from None
    opaque = Image.new("L", picture.size, 255)
    return bytes(Image.merge("RGBA", (blue, green, red, opaque)).tobytes())
