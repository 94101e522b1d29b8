"""Translate the scene tree into plans of bodies, joints and drives, and step them in the engine."""
