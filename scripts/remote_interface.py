"""Generate what connects remote-control plugins in C with Python: the functions wbr_... that they call, and
the table of those that they offer."""

from __future__ import annotations

import re
from typing import Any

from scripts.api_functions import plain
from scripts.api_methods import api_class
from scripts.c_headers import HEAD, MARK

Json = dict[str, Any]
INPUTS_HEAD = '''\
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["RemoteInputs"]

Vector = Sequence[float]


class RemoteInputs:
    """{doc}"""

    def inject(self, tag: int, channel: str, value: Any) -> None:
        """Inject a value."""
        raise NotImplementedError
'''
CODES = {
    "void": "v",
    "bool": "?",
    "int": "i",
    "WbDeviceTag": "H",
    "double": "d",
    "const double": "d",
    "const char *": "z",
    "const double *": "D",
    "const int *": "X",
}
"""A letter for each C type; P is a pointer to anything else."""


def c_functions(spec: Json) -> str:
    """Return the functions that plugins call: each calls its hook, if there is one."""
    text = HEAD.format(title="The functions that remote-control plugins call.")
    for one in _inputs(spec):
        result, name, given = _parts(one["signature"])
        names = [re.findall(r"\w+", part)[-1] for part in given]
        pointer = "*" if result.endswith("*") else ""
        head = f"{result.rstrip(' *')} {pointer}"
        text += f"\nstatic {head}(*hook_{name})({', '.join(given)});\n"
        text += f"{head}{name}({', '.join(given)}) {{\n"
        nothing = " NULL" if pointer else ""
        counts = [f"{one} > 0 && " for one in names if one.endswith(("size", "number"))]
        for part, argument in zip(given, names, strict=True):
            if "*" in part:
                text += (
                    f'  if ({"".join(counts)}is_null(__func__, "{argument}", {argument})) return{nothing};\n'
                )
        call = f"hook_{name}({', '.join(names)})"
        text += (
            f"  return hook_{name} ? {call} : NULL;\n}}\n" if pointer else f"  if (hook_{name}) {call};\n}}\n"
        )
    text += "\nstatic const Hook HOOKS[] = {\n"
    text += "".join(
        f'  {{"{one["name"]}", (void (**)(void))&hook_{one["name"]}}},\n' for one in _inputs(spec)
    )
    return text + "};\n"


def python_table(spec: Json) -> str:
    """Return the module with the signatures."""
    text = '"""The functions of remote-control plugins in C: type of the result and of each argument.\n\n'
    text += (
        "v void, ? bool, i int, H tag of a device, d double, z text, D doubles, X ints, P other pointers.\n\n"
    )
    text += MARK + ' from the specification; change that.\n"""\n\nfrom __future__ import annotations\n\n'
    text += '__all__ = ["INPUTS", "INTERFACE", "MANDATORY"]\n\n'
    fields = next(one for one in spec["structs"] if one["name"] == "WbrInterface")["fields"]
    text += "INTERFACE = {\n" + "".join(
        f'    "{one["member"]}": "{_codes(one["signature"])}",\n' for one in fields
    )
    text += '}\n"""Members of WbrInterface, in their order."""\n'
    names = [f'"{one["member"]}"' for one in fields if one["mandatory"]]
    text += f"MANDATORY = ({', '.join(names)})\n"
    text += "INPUTS = {\n" + "".join(
        f'    "{one["name"]}": "{_codes(one["signature"])}",\n' for one in _inputs(spec)
    )
    return text + '}\n"""Functions that plugins call."""\n'


def python_inputs() -> str:
    """Return the class whose methods inject values, as the functions do that plugins in C call."""
    inputs = api_class("RemoteInputs")
    text = f'"""{inputs.doc}\n\n{MARK} from the specification; change that.\n"""\n\n'
    text += INPUTS_HEAD.format(doc=inputs.doc)
    for name, method in inputs.methods.items():
        values = [one.name for one in method.parameters]
        tag, value = ("0", *values) if len(values) == 1 else values
        text += f"\n    def {name}({', '.join(['self', *map(plain, method.parameters)])}) -> None:\n"
        text += f'        """{method.doc}"""\n        self.inject({tag}, "{method.channel}", {value})\n'
    return text


def _inputs(spec: Json) -> list[Json]:
    return [one for one in spec["functions"] if one["kind"] == "plugin-input"]


def _parts(signature: str) -> tuple[str, str, list[str]]:
    found = re.fullmatch(r"(.*?[ *])(\w+)\((.*)\)", signature)
    assert found, signature
    given = [part.strip() for part in found[3].split(",") if part.strip() not in ("", "void")]
    return found[1].strip(), found[2], given


def _codes(signature: str) -> str:
    result, _, given = _parts(signature)
    return "".join(CODES.get(_type_of(one), "P") for one in (result, *given))


def _type_of(text: str) -> str:
    """Return the type of a parameter, without its name."""
    if text in CODES:
        return text
    return re.sub(r"\s*\w+$", "", text).strip()
