"""The published numbers of robots' own protocols, as tables; plugins and emulators read the same ones."""
