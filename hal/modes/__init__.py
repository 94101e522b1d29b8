"""What stands behind the API: the robot as its controller sees it, and the modes that move its values."""
