"""What a supervisor asks of the world and does to it: one module per subject, each a `Subject`."""
