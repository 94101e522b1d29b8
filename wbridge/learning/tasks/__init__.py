"""The tasks that come with wbridge, one file each; `wbridge.learning.registry` registers them."""
