"""What `wbridge run` does: physics alone, or a world with its controllers."""
