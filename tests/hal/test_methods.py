"""The client in Python has the methods that the specification declares, with no other documentation."""

import pytest

from scripts.api_methods import declared, described, load


@pytest.mark.parametrize("path", declared())
def test_a_class_has_the_methods_of_the_specification(path: str):
    """hal/catalogue/spec/methods.json is the source: change it, and let the class follow."""
    expected = declared()[path]
    class_ = described(load(path), expected.methods)
    assert class_.doc == expected.doc
    assert expected.lasting in (class_.lasting, None)  # bases of devices do not declare it
    for name, method in expected.methods.items():
        # A class need not repeat the documentation.
        assert class_.methods[name]._replace(doc=class_.methods[name].doc or method.doc) == method, name


def test_parameters_are_read_as_python_does():
    method = declared()["wbridge.hal.modes.scene.run.Run"].methods["set_label"]
    assert [one.default for one in method.parameters].count("Arial") == 1
    assert [(one.name, one.annotation) for one in method.parameters][:2] == [("id", "int"), ("text", "str")]
