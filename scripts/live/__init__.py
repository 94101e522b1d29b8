"""Builds what a run in a web page needs: the toolchain, and the engine for Pyodide."""
