"""The verbs of the command line; a file here is a command of the same name."""
