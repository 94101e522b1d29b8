"""From the scene tree to the engine: plans of bodies, joints and drives, and the world that steps them."""
