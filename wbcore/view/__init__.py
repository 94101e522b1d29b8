"""What is seen of a world, for viewers outside of the process: a description, files, poses, and changes."""
