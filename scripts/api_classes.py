"""Generate hal/controller: the classes of the object API."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from scripts.api_methods import api_class
from scripts.api_sources import (
    HEAD,
    NO_TYPING,
    ROOT,
    Sources,
    Work,
    docstring,
    imports_for,
    place_of,
    target_imports,
)
from wbridge.hal.catalogue import kinds

BY_HAND = ROOT / "hal" / "controller" / "by_hand"
TARGETS = {
    "Node": "self._ref",
    "Field": "self._ref",
    "Proto": "self._ref",
    "Motion": "self._ref",
    "Keyboard": "current().keyboard",
    "Mouse": "current().mouse",
    "Joystick": "current().joystick",
    "Robot": "current()",
    "DifferentialWheels": "current().wheels",
    "Servo": "current().servo(self._tag)",
    "Supervisor": "current().scene.run",
    "Car": "car()",
    "Driver": "driver()",
}
"""The object to which a class delegates its calls; for devices `self._device`."""
SETTERS = {
    "Motor.target_position": "set_position",
    "Motor.target_velocity": "set_velocity",
    "Motor.target_acceleration": "set_acceleration",
    "Motor.force_feedback_sampling_period": "enable_force_feedback",
    "Motor.torque_feedback_sampling_period": "enable_torque_feedback",
    "LED.value": "set",
    "Motion.time": "set_time",
    "Supervisor.simulation_mode": "simulation_set_mode",
    "Robot.battery_sensor_sampling_period": "battery_sensor_enable",
    "Keyboard.sampling_period": "enable",
    "Mouse.sampling_period": "enable",
    "Joystick.sampling_period": "enable",
    "Driver.target_cruising_speed": "set_cruising_speed",
}
"""Methods that set a property but are not named set_<property>."""
DERIVED = ("Robot", "Supervisor", "Driver", "Car")
"""Classes from which controllers derive their own, with attributes of their own."""
GETTERS = {"Joystick.model": "wb_joystick_get_model"}
WRITE_ONLY = {"Motor": ("force", "torque"), "Display": ("alpha", "color", "opacity")}
HAND_ONLY = ("Device", "Sensor")
PACKAGES = ("controller", "vehicle")
"""Packages of the specification whose classes are generated; those of `vehicle` are not exported by
`controller`."""
WRAPPED = ("Node", "Field", "Proto")
CONSTANTS = {
    "Node": ("WB_NODE_", ""),
    "Camera": ("WB_CAMERA_", ""),
    "Field": ("WB_", r"MF|[SM]F_\w+"),
    "Keyboard": ("WB_KEYBOARD_", ""),
    "Robot": ("WB_", r"(EVENT|MODE)_\w+|ROBOT_KEYBOARD_\w+"),
    "Supervisor": ("WB_SUPERVISOR_", r"(SIMULATION_MODE|MOVIE)_\w+"),
    "Display": ("WB_IMAGE_", ""),
    "DistanceSensor": ("WB_DISTANCE_SENSOR_", ""),
    "TouchSensor": ("WB_TOUCH_SENSOR_", ""),
    "Motor": ("WB_", r"ROTATIONAL|LINEAR"),
    "Brake": ("WB_", r"ROTATIONAL|LINEAR"),
    "PositionSensor": ("WB_", r"ANGULAR|ROTATIONAL|LINEAR"),
    "Emitter": ("WB_", r"CHANNEL_BROADCAST"),
    "Receiver": ("WB_", r"CHANNEL_BROADCAST"),
    "Car": ("WBU_CAR_", r"\w+(?<!_NB)"),
    "Driver": ("", r"SPEED|TORQUE|DOWN|SLOW|NORMAL|FAST"),
}
"""Prefix of the constants of a class, and the constants included."""
EXTRA_CONSTANTS = {
    "GPS": {"LOCAL": 0, "WGS84": 1},
    "Driver": {"INDICATOR_OFF": 0, "INDICATOR_RIGHT": 1, "INDICATOR_LEFT": 2},
}


def hand_classes() -> dict[str, tuple[str, set[str]]]:
    """Return classes with hand-written methods: the module, and its names; `MotorBase` is for Motor."""
    found: dict[str, tuple[str, set[str]]] = {}
    for path in sorted(BY_HAND.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if path.stem == "values" and isinstance(node, ast.ImportFrom):
                found |= {
                    one.name: (f"wbridge.hal.controller.by_hand.{path.stem}", set[str]())
                    for one in node.names
                }
            if isinstance(node, ast.ClassDef):
                names = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
                names |= {
                    t.id
                    for one in node.body
                    if isinstance(one, ast.Assign)
                    for t in one.targets
                    if isinstance(t, ast.Name)
                }
                for base in node.bases:
                    names |= found.get(ast.unparse(base), ("", set()))[1]
                found[node.name] = (f"wbridge.hal.controller.by_hand.{path.stem}", names)
    return found


def modules(sources: Sources) -> dict[str, str]:
    """Return the text of each file in hal/controller."""
    hand, made, places = hand_classes(), {}, {}
    sources.spec["python_classes"] |= {
        name: _former(sources.spec, name, base) for name, base in FORMER.items()
    }
    for name, one in sources.spec["python_classes"].items():
        package, _, module = one["module"].partition(".")
        if package not in PACKAGES:
            continue
        if name in hand and package == "controller":
            places[name] = hand[name][0].removeprefix("wbridge.hal.controller.")
        else:
            made[f"{module}.py"] = _module(sources, name, hand)
            if package == "controller":
                places[name] = module
    extra = {
        name: path.removeprefix("wbridge.hal.controller.")
        for name, (path, _) in hand.items()
        if name in OLD_CLASSES
    }
    made["__init__.py"] = _init(dict(sorted((places | extra).items())))
    return made


OLD_CLASSES = ("ImageRef",)
FORMER = {"DifferentialWheels": "Robot", "Servo": "Motor"}
"""Classes of Webots 8, and the base class from which each inherits what it has, too."""


def _former(spec: dict[str, Any], name: str, base: str) -> dict[str, Any]:
    """Return a class of Webots 8 in the form of today's."""
    present = spec["python_classes"][base]["methods"]
    own = {method: given for method, given in _former_methods(spec, name).items() if method not in present}
    module = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    return {"module": f"controller.{module}", "base": [base], "methods": own, "properties": {}}


def _module(sources: Sources, name: str, hand: dict[str, tuple[str, set[str]]]) -> str:
    one = sources.spec["python_classes"][name]
    base_module, present = hand.get(f"{name}Base", ("", set()))
    works: list[Work] = []
    body = [_constant_lines(sources, name)]
    for method, arguments in one["methods"].items():
        work = _work_of(sources, name, method)
        if method in present or method.startswith("__"):
            continue
        if work is None and method.removeprefix("get") in kinds():
            body.append(f'    {method} = alias("{name}.{method}", "getDevice")')
            continue
        if work is None:
            raise SystemExit(f"{name}.{method} has no function; write it by hand")
        works.append(work)
        body.append(_method(name, method, arguments, work))
    if name not in FORMER:
        body += _replaced(sources, name, present | one["methods"].keys(), works)
    for prop, access in one["properties"].items():
        if prop not in present:
            body += _property(sources, name, prop, access, works)
    for prop in WRITE_ONLY.get(name, ()):
        body.append(_write_only(sources, name, prop))
    return _text(name, one["base"], base_module, body, works)


def _replaced(sources: Sources, name: str, present: set[str], works: list[Work]) -> Iterator[str]:
    """Yield the methods of Webots 8 that others replace, which say so."""
    for method, arguments in _former_methods(sources.spec, name).items():
        function = next(
            (one for one in sources.functions.values() if one.get("python") == f"{name}.{method}"), {}
        )
        work = sources.work(function.get("name", ""))
        others = [sources.functions[one].get("python") for one in function.get("replaced_by", ())]
        if method not in present and work and others and others[0]:
            works.append(work)
            head, end, last = _method(name, method, arguments, work).rpartition('"""\n')
            head = re.sub('"""(.)', lambda first: f'"""Old: {first[1].lower()}', head, count=1)
            yield f'{head}{end}        deprecated("{name}.{method}", "{others[0]}")\n{last}'


def _former_methods(spec: dict[str, Any], name: str) -> dict[str, str]:
    """Return the methods of a class in Webots 8 with their parameters."""
    methods = spec["python_classes_8_3_1"].get(name, ())
    return {method: given.removesuffix(")") for method, _, given in (one.partition("(") for one in methods)}


def _text(name: str, bases: list[str], base_module: str, body: list[str], works: list[Work]) -> str:
    parents, lines = [], set()
    if base_module:
        parents.append(f"{name}Base")
        lines.add(f"from {base_module} import {name}Base")
    for base in bases:
        if base in HAND_ONLY and not base_module:
            parents.append(base)
            lines.add(f"from wbridge.hal.controller.by_hand.device import {base}")
        elif name in FORMER:
            parents.append(base)
            lines.add(f"from wbridge.hal.controller.{base.lower()} import {base}")
    text = "\n".join(body)
    lines |= set(target_imports(text))
    annotations = [str(p.annotation) for work in works for p in work.parameters] + [
        work.returns for work in works
    ]
    wanted = [line for line in imports_for(annotations) if line.rsplit(" ", 1)[-1] not in WRAPPED]
    lines |= set(wanted)
    if "@replaceable" in text:
        lines.add("from wbridge.hal.controller.by_hand.replaceable import replaceable")
    if used := [one for one in ("alias", "deprecated") if f" {one}(" in text]:
        lines.add(f"from wbridge.hal.controller.by_hand.old import {', '.join(used)}")
    if "wrap(" in text:
        lines.add(
            "from wbridge.hal.controller.by_hand.wrapping import "
            + ", ".join(w for w in ("unwrap", "wrap") if re.search(rf"\b{w}\(", text))
        )
    typed = [w for w in WRAPPED if re.search(rf"[>:] .*\b{w}\b", text) and w != name]
    typed_lines = "".join(f"    from wbridge.hal.controller.{w.lower()} import {w}\n" for w in typed)
    target = _target(name)
    own = target.removeprefix("self.") if target.startswith("self.") else ""
    if own:
        class_ = works[0].owner.class_name
        typed_lines += f"    from {place_of(class_)} import {class_} as Work\n"
        text = f"    {own}: Work\n\n" + text
    checking = f"\n\n{NO_TYPING}if TYPE_CHECKING:\n{typed_lines}" if typed_lines else ""
    title = f"The class {name} of the object API."
    inherits = f"({', '.join(parents)})" if parents else ""
    doc = works[0].owner.class_name if works else ""
    return (
        HEAD.format(title=title)
        + "from __future__ import annotations\n\n"
        + "\n".join(sorted(lines))
        + checking
        + f'\n\n__all__ = ["{name}"]\n\n\nclass {name}{inherits}:\n    """{_class_doc(doc, name)}"""\n\n'
        + text
        + "\n"
    )


def _class_doc(class_name: str, name: str) -> str:
    return (api_class(name).doc if class_name == name else "") or f"{name} of the object API."


def _constant_lines(sources: Sources, name: str) -> str:
    from scripts.api_functions import constants

    found = dict(EXTRA_CONSTANTS.get(name, {}))
    if name in CONSTANTS:
        prefix, pattern = CONSTANTS[name]
        for constant, value in constants(sources).items():
            short = constant.removeprefix(prefix)
            if constant.startswith(prefix) and re.fullmatch(pattern or r"\w+", short):
                found[short.removeprefix("ROBOT_")] = value
    return "\n".join(f"    {short} = {value!r}" for short, value in found.items()) + "\n"


def _work_of(sources: Sources, name: str, method: str) -> Work | None:
    for function, one in sources.functions.items():
        if one.get("python") == f"{name}.{method}" and (name in FORMER or not one.get("removed")):
            return sources.work(function)
    return None


def _target(name: str) -> str:
    return TARGETS.get(name, "self._device")


def _result(call: str, returns: str) -> tuple[str, str]:
    """Return expression and type in the object API: nodes, fields and PROTOs are wrapped."""
    plain = returns.removesuffix(" | None")
    if plain in WRAPPED:
        return f"wrap({call})", f"{plain} | None"
    return call, returns


def _method(name: str, method: str, arguments: str, work: Work) -> str:
    made = ast.parse(f"def f({arguments}): pass").body[0]
    assert isinstance(made, ast.FunctionDef)
    names = [one.arg for one in made.args.args if one.arg != "self"]
    defaults = [None] * (len(names) - len(made.args.defaults)) + [ast.unparse(d) for d in made.args.defaults]
    parameters, passed = [], []
    for given, default, own in zip(names, defaults, work.parameters, strict=False):
        type_ = str(own.annotation)
        parameters.append(f"{given}: {type_}" + (f" = {default}" if default is not None else ""))
        wrapped = type_.removesuffix(" | None") in WRAPPED
        passed.append(f"unwrap({given})" if wrapped else given)
    if len(names) > len(work.parameters):
        parameters += [f"{one}: object = None" for one in names[len(work.parameters) :]]
    target = work.owner.class_name if work.static else _target(name)
    if work.static:
        target = f"self._device.{work.name}".rpartition(".")[0]
    expression, returns = _result(f"{target}.{work.name}({', '.join(passed)})", work.returns)
    start = "" if returns == "None" else "return "
    doc = _renamed(docstring(work.doc, "        "), work, names)
    head = f"    def {method}({', '.join(['self', *parameters])}) -> {returns}:\n"
    return f"{head}{doc}\n        {start}{expression}\n"


def _renamed(doc: str, work: Work, names: list[str]) -> str:
    """Return the docstring with the parameter names of this API."""
    for own, given in zip(work.parameters, names, strict=False):
        doc = re.sub(rf"^( +){own.name}:", rf"\1{given}:", doc, flags=re.M)
        doc = doc.replace(f"`{own.name}`", f"`{given}`")
    return doc


def _property(sources: Sources, name: str, prop: str, access: str, works: list[Work]) -> list[str]:
    getter = GETTERS.get(f"{name}.{prop}") or next(
        (
            function
            for function, one in sources.functions.items()
            if one.get("python_property") == f"{name}.{prop}"
            and not function.endswith("table_size")
            and "_set_" not in function
        ),
        f"wbu_{name.lower()}_get_{prop}",
    )
    work = sources.work(getter)
    if work is None:
        raise SystemExit(f"{name}.{prop} has no function; write it by hand")
    works.append(work)
    expression, returns = _result(f"{_target(name)}.{work.name}()", work.returns)
    doc = docstring(work.doc, "        ")
    kind = "replaceable" if name in DERIVED and access != "read-write" else "property"
    made = [f"    @{kind}\n    def {prop}(self) -> {returns}:\n{doc}\n        return {expression}\n"]
    if access == "read-write":
        setter = SETTERS.get(f"{name}.{prop}", f"set_{prop}")
        made.append(
            f"    @{prop}.setter\n    def {prop}(self, value: {returns}) -> None:\n"
            f"        {_target(name)}.{setter}(value)\n"
        )
    return made


def _write_only(sources: Sources, name: str, prop: str) -> str:
    work = _work_of(sources, name, f"set{prop.title()}")
    assert work is not None
    type_ = work.parameters[0].annotation
    doc = docstring(work.doc, "        ")
    line = f"        {_target(name)}.set_{prop}(value)\n"
    head = f"    def _set_{prop}(self, value: {type_}) -> None:\n"
    return f"{head}{doc}\n{line}\n    {prop} = property(fset=_set_{prop})\n"


INIT = '''from __future__ import annotations

import sys

{no_typing}if TYPE_CHECKING:
{imports}
_PLACES = {places!r}
__all__ = {names!r}


def __getattr__(name: str) -> object:
    """A class, whose module is loaded on first use."""
    if name not in _PLACES:
        raise AttributeError(f"module 'controller' has no class {{name!r}}")
    module = f"wbridge.hal.controller.{{_PLACES[name]}}"
    __import__(module)  # start-up: importlib takes 1 ms
    loaded = getattr(sys.modules[module], name)
    globals()[name] = loaded
    return loaded
'''


def _init(places: dict[str, str]) -> str:
    title = "The object API: Robot, Supervisor, devices, motions, inputs; `from controller import Robot`."
    imports = "".join(
        f"    from wbridge.hal.controller.{module} import {name} as {name}\n"
        for name, module in places.items()
    )
    return HEAD.format(title=title) + INIT.format(
        no_typing=NO_TYPING, imports=imports, places=places, names=list(places)
    )
