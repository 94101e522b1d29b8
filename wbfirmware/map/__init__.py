"""The hardware map: its format, its checks, and the proposal of a first one."""
