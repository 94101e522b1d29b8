"""What runs at the start of a controller in Python; this folder is on its PYTHONPATH."""
