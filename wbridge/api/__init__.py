"""The Python API: load a world, drive its robots and read everything from a script.

`import wbridge` offers it: `wbridge.load`, `wbridge.from_text` and so on load it when they are first used.
docs/python.md shows how to use it.
"""
