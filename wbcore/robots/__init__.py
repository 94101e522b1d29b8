"""The robots of a running simulation: their devices, and the messages between them and their controllers."""
