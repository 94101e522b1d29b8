"""Functions of the API that are not made by the generator; hal.api offers them under their names."""
