"""Many runs of worlds: sweeps over fields and seeds, and environments for learning."""
