"""What trains policies, one file each: a module with `train(setup) -> Policy`, named as in `--with`."""
