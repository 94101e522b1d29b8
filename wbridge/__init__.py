"""The command line of wbridge: one module per verb in `wbridge.commands`."""
