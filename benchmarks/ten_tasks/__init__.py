"""Ten tasks of newcomers as programs for MuJoCo and PyBullet; those for wbridge are in docs/ten-tasks.md."""
