"""Models and real robots: replays recorded commands in simulation, compares readings, and fits parameters."""
