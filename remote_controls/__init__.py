"""Built-in remote-control plugins, one module each, selected by a robot's field `remoteControl`."""
