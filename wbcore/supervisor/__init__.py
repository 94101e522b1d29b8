"""The supervisor API on the simulator's side: one module per subject, each a `Subject`."""
