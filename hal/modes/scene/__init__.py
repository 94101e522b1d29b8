"""The scene as a supervisor sees it: nodes, fields, PROTOs, and the run of the simulation."""
