"""Built-in remote-control plugins, one module each: the field `remoteControl` of a robot names the file."""
