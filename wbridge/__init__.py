"""The command line of wbridge: one module per verb in `wbridge.commands`.

`wbridge.__version__` is the version of the installed distribution, "unknown" for a source folder that is not
installed.
"""

__all__ = ["__version__"]


def __getattr__(name: str) -> str:
    """Read the version when it is first needed: the metadata take longer than the import."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from hal.installation import installation  # start-up: only where the version is read

    return installation().version
