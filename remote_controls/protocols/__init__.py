"""Tables of the robots' published protocols, shared by plugins and emulators."""
