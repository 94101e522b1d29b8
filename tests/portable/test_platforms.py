"""The engine gives the same bits by all compilers, on all processors and systems.

Judge: the hashes of the same worlds in Python on this machine.
"""

import pytest

from scripts.portable.__main__ import main


@pytest.mark.portable
def test_all_hashes_are_those_of_python():
    assert main([]) == 0
