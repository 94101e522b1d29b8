"""Device tables: one for each robot of a world, from its scene tree."""
