"""From a program to a board: tools, serial ports and drives of boot loaders."""
