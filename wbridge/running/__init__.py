"""Implementation of `wbridge run`: physics alone, or a world with its controllers."""
