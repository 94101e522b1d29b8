"""Device tables of the robots in a world, built from its scene tree."""
