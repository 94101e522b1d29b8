"""The verbs of the command line; a module here is a command of the same name."""
