"""From a hardware map to a project and a program: generated files, compilers, reports on the program."""
