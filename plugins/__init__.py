"""Physics plugins: their host and examples. None exists in this version."""
