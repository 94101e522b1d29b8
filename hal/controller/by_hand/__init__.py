"""Classes and methods of the object API that are not made by the generator."""
