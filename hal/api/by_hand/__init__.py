"""Hand-written functions of the API, which hal.api exports under their own names."""
