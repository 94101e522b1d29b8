"""Each message of the API is written by hand in one place, over all its languages."""

from pathlib import Path

import pytest

from scripts import repeated_messages


def test_each_message_of_the_api_is_written_once():
    assert repeated_messages.repeated() == {}


def test_each_message_of_the_catalogue_is_reported(monkeypatch: pytest.MonkeyPatch):
    assert repeated_messages.unused() == []
    monkeypatch.setattr(repeated_messages, "SOURCES", {"libcontroller/src": "c h"})
    assert "no_robot_yet" in repeated_messages.unused()


def test_a_message_in_two_languages_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Texts are joined as the languages do; comments, docstrings and names are no messages."""
    files = {
        "client/motor.py": '"""Called with a bad speed."""\nprint(f"called with a bad {what}"\n " speed")\n',
        "library/motor.c": '/* "called with no speed" */ report("called with a bad %s "\n  "speed");\n',
        "library/brake.c": 'report("called with no speed"); find("wb_brake_get_type"); c = \'"\';\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(repeated_messages, "ROOT", tmp_path)
    monkeypatch.setattr(repeated_messages, "SOURCES", {"client": "py", "library": "c"})
    expected = {"called with a bad {} speed": ["client/motor.py", "library/motor.c"]}
    assert repeated_messages.repeated() == expected
