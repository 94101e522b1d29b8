"""The simulator: reads worlds, moves them, and answers the controllers of their robots.

Importing this package loads nothing else, so that tools which only read worlds start in milliseconds.
"""
