"""Builds what a run in a web page needs: the toolchain, the engine for Pyodide, and the archives of the page."""
