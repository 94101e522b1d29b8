"""Learning: declared tasks behind registered ids, training, and policies that run as controllers.

docs/learning.md shows how to use it; `wbridge.gym` has its public names. Importing this package loads
nothing else.
"""
