"""Controllers as compiled programs: on this machine, and on boards."""
