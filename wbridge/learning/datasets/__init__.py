"""Datasets of LeRobot (version 3.0): numbers as Parquet, pictures as MP4, written and read."""
