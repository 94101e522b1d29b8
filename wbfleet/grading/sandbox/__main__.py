"""Starts the sandbox by its path, without packages of users: `python -I -S .../sandbox ...`."""

import sys
from pathlib import Path

if __name__ == "__main__":
    parts = Path(__file__).resolve().parents[3]
    sys.path.append(str(parts if (parts / "wbridge").is_dir() else parts.parent))
    from wbridge.wbfleet.grading.sandbox import inside, supervisor

    {"supervise": supervisor.main, "inside": inside.main}[sys.argv[1]](sys.argv[2:])
