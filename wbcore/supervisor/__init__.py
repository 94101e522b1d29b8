"""The supervisor API on the simulator's side: one module per command group."""
