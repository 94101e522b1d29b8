"""The robots of a running simulation: their devices, and what their controllers ask and are told."""
