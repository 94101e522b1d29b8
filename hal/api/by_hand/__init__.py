"""Hand-written functions of the API, which wbridge.hal.api exports under their own names."""
