"""Built-in remote-control plugins, one module per transport or robot. None exists in this version."""
