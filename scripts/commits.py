"""Check the subjects of commits: at most 72 characters, an imperative that starts with a capital, no period.

Run from the checkout: python -m scripts.commits
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 72
LAST_UNCHECKED = "ce86d30d"
"""The last commit with a longer subject: what is older stays as it is."""


def subjects(root: Path = ROOT) -> list[str]:
    """Return the subjects of the commits after the last unchecked one, or of all in a shorter clone."""
    known = subprocess.run(
        ["git", "cat-file", "-e", LAST_UNCHECKED], cwd=root, capture_output=True, check=False
    )
    wanted = f"{LAST_UNCHECKED}..HEAD" if known.returncode == 0 else "HEAD"
    log = subprocess.run(
        ["git", "log", "--format=%s", wanted], cwd=root, capture_output=True, text=True, check=True
    )
    return log.stdout.splitlines()


def problems(lines: Iterable[str]) -> list[str]:
    """Return a message for each subject that breaks the rule."""
    messages = []
    for line in lines:
        if len(line) > LONGEST:
            messages.append(f"{line}: {len(line)} characters; allowed: {LONGEST}")
        if not line[:1].isupper() or line.endswith("."):
            messages.append(f"{line}: start with a capital letter and end without a period")
    return messages


def main() -> int:
    """Print the problems; return 1 if there are any."""
    messages = problems(subjects())
    print("\n".join(messages) or "commit subjects: fine")
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main())
