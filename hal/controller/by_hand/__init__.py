"""Hand-written classes and methods of the object API."""
