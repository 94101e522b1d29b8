"""What programs take from their systems. Judge: the names of Apple's linker, which begin with `_`."""

from scripts.portable.symbols import rounding_functions


def test_functions_that_round_are_named_and_exact_ones_are_not():
    assert rounding_functions(["_sin", "___sincos_stret", "pow", "_frexp", "_ldexp", "_malloc"]) == [
        "pow",
        "sin",
        "sincos",
    ]
