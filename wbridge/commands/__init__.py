"""The commands of the command line, one module each, with the command's name."""
