"""The supervisor's view of the scene: nodes, fields, PROTOs, and the control of the simulation."""
