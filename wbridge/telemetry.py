"""Named values of a controller, for plots while it runs: in simulation, on a real robot and on a board."""

__all__ = ["telemetry"]


def telemetry(name: str, value: float) -> None:
    """Print the value of a name in a line of its own, ">name:value", for plots of the workbench, of `wbridge
    firmware monitor` and of other programs (Teleplot). What was printed before must end with a line break.

    Args:
        name: at most 64 characters, none of which is a line break or a colon.
        value: any number, also NaN and infinity.
    """
    print(f">{name}:{value:.9g}")
