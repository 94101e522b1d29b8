"""Generate the C++ classes of the API: a header for each, and the functions that call the C API."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from scripts.c_headers import MARK, prototype, sentence, wrapped
from scripts.former_constants import former_of

Json = dict[str, Any]
HEAD = "/* {title}\n\n   " + MARK + " from hal/catalogue/spec; change that. */\n"
OBJECTS = ("Device", "Node", "Field", "Proto", "ImageRef", "Motion")
"""Classes besides devices whose objects wrap a C reference."""
MEMBER = "wb_member_"
"""Prefix of non-public members: a member with a plain name would hide a controller's global variable of that
name in classes derived from Robot."""
SELF = {
    "WbDeviceTag": MEMBER + "tag",
    "WbNodeRef": MEMBER + "ref",
    "WbFieldRef": MEMBER + "ref",
    "WbProtoRef": MEMBER + "ref",
    "WbMotionRef": MEMBER + "ref",
}
"""The first parameter of a C function that belongs to an object, and the member that provides it."""
MISSING = {"WbDeviceTag": "0"}
"""Argument for a C parameter that the C++ method lacks, by type."""
STRUCTS = ("CameraRecognitionObject", "ContactPoint", "LidarPoint", "MouseState", "RadarTarget")
"""C structures that C++ names without the prefix Wb."""
FOUND = {"Node": "Node::findNode", "Field": "Field::findField", "Proto": "Proto::findProto"}
"""Functions that return the object of a reference."""
ENUMS = {
    "Brake": [("Type", "WbJointType", "WB_")],
    "Car": [
        ("Type", "WbuCarType", "WBU_CAR_"),
        ("EngineType", "WbuCarEngineType", "WBU_CAR_"),
        ("WheelIndex", "WbuCarWheelIndex", "WBU_CAR_"),
    ],
    "Display": [("", "WB_IMAGE_", "WB_IMAGE_")],
    "DistanceSensor": [("Type", "WbDistanceSensorType", "WB_DISTANCE_SENSOR_")],
    "Emitter": [("", "WB_CHANNEL_", "WB_")],
    "Field": [("Type", "WbFieldType", "WB_")],
    "Keyboard": [("", "WB_KEYBOARD_", "WB_KEYBOARD_")],
    "Motor": [("Type", "WbJointType", "WB_")],
    "Node": [("Type", "WbNodeType", "WB_NODE_")],
    "PositionSensor": [("Type", "WbJointType", "WB_")],
    "Receiver": [("", "WB_CHANNEL_", "WB_")],
    "Robot": [("Mode", "WbRobotMode", "WB_"), ("UserInputEvent", "WbUserInputEvent", "WB_")],
    "Supervisor": [
        ("SimulationMode", "WbSimulationMode", "WB_SUPERVISOR_"),
        ("", "WB_SUPERVISOR_MOVIE_", "WB_SUPERVISOR_"),
    ],
    "TouchSensor": [("Type", "WbTouchSensorType", "WB_TOUCH_SENSOR_")],
}
"""Enumerations of a class: name, C type or prefix of the members, and the prefix to remove."""
OLD_JOINT = "  enum {\n    ANGULAR = WB_ANGULAR\n  };\n\n"
"""The name of rotational joints in R2018b."""
PLAIN_ENUMS = {
    "Brake": OLD_JOINT,
    "PositionSensor": OLD_JOINT,
    "Driver": "  typedef enum {\n    INDICATOR_OFF = 0,\n    INDICATOR_RIGHT = 1,\n    INDICATOR_LEFT = 2\n"
    "  } IndicatorState;\n\n"
    "  typedef enum {\n    UNDEFINED_CONTROL_MODE = -1,\n    SPEED = 0,\n    TORQUE = 1\n  } ControlMode;\n\n"
    "  typedef enum {\n    DOWN = 0,\n    SLOW = 1,\n    NORMAL = 2,\n    FAST = 3\n  } WiperMode;\n\n",
    "GPS": "  typedef enum {\n    LOCAL = WB_GPS_LOCAL_COORDINATE,\n    WGS84 = WB_GPS_WGS84_COORDINATE\n"
    "  } CoordinateSystem;\n\n",
}
FORMER = {name: f"webots/{name.lower()}.h" for name in ("Camera", "Robot", "Servo")} | {
    "Node": "webots/nodes.h"
}
"""Classes with constants of Webots 8, and the header that declares them."""
FIXED = {
    "Device::getName": f"return {MEMBER}name;",
    "Device::getTag": f"return {MEMBER}tag;",
    "Device::hasType": "return wb_device_get_node_type(tag) == type;",
    "ImageRef::getImageRef": f"return {MEMBER}ref;",
    "Motion::isValid": f"return {MEMBER}ref != nullptr;",
    "Motion::getMotionRef": f"return {MEMBER}ref;",
    "Brake::getMotorTag": f"return wb_brake_get_motor({MEMBER}tag);",
    "Brake::getPositionSensorTag": f"return wb_brake_get_position_sensor({MEMBER}tag);",
    "Motor::getBrakeTag": f"return wb_motor_get_brake({MEMBER}tag);",
    "Motor::getPositionSensorTag": f"return wb_motor_get_position_sensor({MEMBER}tag);",
    "PositionSensor::getBrakeTag": f"return wb_position_sensor_get_brake({MEMBER}tag);",
    "PositionSensor::getMotorTag": f"return wb_position_sensor_get_motor({MEMBER}tag);",
    "Display::imageDelete": f"wb_display_image_delete({MEMBER}tag, refOf(ir));\n  delete ir;",
    "Driver::getBrake": "return wbu_driver_get_brake();",
    "Driver::setIndicatorWarning": "wbu_driver_set_hazard_flashers(state);",
    "Driver::getDriverInstance": "return dynamic_cast<Driver *>(getSupervisorInstance());",
    "Driver::isInitialisationPossible": "return wbu_driver_initialization_is_possible();",
    "Supervisor::getFromDevice": "",  # by hand: the tag 0 would stand for the robot
    "Supervisor::getFromDeviceTag": "return Node::findNode(wb_supervisor_node_get_from_device(tag));",
    "Node::getContactPoints": "return const_cast<ContactPoint *>(\n"
    f"      wb_supervisor_node_get_contact_points({MEMBER}ref, includeDescendants, size));",
    "Robot::getDevice": "return getOrCreateDevice(wb_robot_get_device(name.c_str()));",
    "Robot::getDeviceByIndex": "return getOrCreateDevice(wb_robot_get_device_by_index(index));",
    "Robot::getCamera": "",  # by hand: cameras of the type "range-finder" are range finders
    "Robot::wwiSendText": "wb_robot_wwi_send_text(text.c_str());",
}
"""Bodies of methods that do more than call one function."""
UNOFFERED: tuple[str, ...] = ()
"""Methods without a function in the C library: calling them is a linker error."""
HIDDEN_HEADERS = {"Driver": "webots/vehicle/driver.h"}
"""C headers with plain constant names (LEFT, SPEED), included only in the source of a class."""
HIDDEN_METHODS = ("virtual int step(int t)",)
"""Methods that a class implements itself."""
NAMES = {"Robot::setMode": ("mode", "argument")}
"""Parameter names missing in the specification."""
_METHOD = re.compile(
    r"(?P<head>static |virtual )?(?P<result>.*?[ *&])(?P<name>\w+)\((?P<args>.*)\)(?P<const> const)?"
)


class Argument(NamedTuple):
    """A parameter of a method."""

    type: str
    name: str
    default: str


class Method(NamedTuple):
    """A method of a class."""

    owner: str
    text: str
    """Its declaration without semicolon."""
    head: str
    result: str
    name: str
    arguments: list[Argument]
    const: str

    def definition(self, body: str) -> str:
        """Return the head of its definition; unused parameters have no names."""
        names = ", ".join(
            _joined(one.type, one.name) if re.search(rf"\b{one.name}\b", body) else one.type
            for one in self.arguments
        )
        result = self.result
        if re.sub(r"[ *]|const", "", result) in INNER.get(self.owner, ()):
            result = re.sub(r"(\w+)(?=[ *]*$)", rf"{self.owner}::\1", result, count=1)
        return f"{_joined(result, f'{self.owner}::{self.name}')}({names}){self.const}"


INNER = {name: [one[0] for one in found if one[0]] for name, found in ENUMS.items()} | {
    "Driver": ["IndicatorState", "ControlMode", "WiperMode"],
    "GPS": ["CoordinateSystem"],
}


def _joined(type_: str, name: str) -> str:
    array = re.search(r"\[\d*\]$", type_)
    if array:
        return f"{type_[: array.start()].rstrip()} {name}{array[0]}"
    return f"{type_}{name}" if type_[-1] in "*&" else f"{type_} {name}"


def files(spec: Json) -> dict[str, str]:
    """Return the text of each file by its path in the C++ folder."""
    spec = old_and_new(spec)
    makers = {name: Maker(spec, name) for name in spec["cpp_classes"]}
    made = {f"include/{one.header}": one.declaration() for one in makers.values()}
    made |= {f"src/generated/{name}.cpp": one.definitions() for name, one in makers.items()}
    made["src/generated/makers.cpp"] = _makers(spec)
    made["include/webots/utils/AnsiCodes.hpp"] = _ansi(spec)
    made |= {f"include/webots/{name}.hpp": _forward(makers[name].header, name) for name in MOVED}
    return {path: text for path, text in made.items() if text}


def _forward(header: str, name: str) -> str:
    """Return a header at its former place."""
    guard = f"WEBOTS_{name.upper()}_HPP"
    head = HEAD.format(title=f"Leads to {header}.")
    return f"{head}#ifndef {guard}\n#define {guard}\n\n#include <{header}>\n\n#endif\n"


def _ansi(spec: Json) -> str:
    """Return the terminal codes as strings."""
    guard = "WEBOTS_UTILS_ANSICODES_HPP"
    text = HEAD.format(title="Escape sequences for a console.") + f"#ifndef {guard}\n#define {guard}\n\n"
    text += "#include <string>\n\n#include <webots/utils/ansi_codes.h>\n\n"
    text += "namespace webots {\nnamespace AnsiCodes {\n\n"
    for key in spec["python_classes"]["AnsiCodes"]["constants"]:
        text += f"static const std::string {key} = ANSI_{key};\n"
    return text + "\n}\n}\n\n#endif\n"


def old_and_new(spec: Json) -> Json:
    """Add members of older releases to the classes, for controllers written for these."""
    classes = {name: {**one, "methods": list(one["methods"])} for name, one in spec["cpp_classes"].items()}
    for name, base in OLD_CLASSES.items():
        classes[name] = {"base": base, "header": f"webots/{name}.hpp", "methods": []}
    for name, lines in (spec["cpp_classes_8_3_1"] | MORE_OLD).items():
        methods = classes[name]["methods"]
        known = {_METHOD.fullmatch(one)["name"] for one in methods}  # type: ignore[index]
        for line in lines:
            found = _METHOD.fullmatch(line.strip().rstrip(";"))
            if found and found["name"] not in (*known, *WRONG_OLD):
                methods.append(found[0].removeprefix("virtual ") if name in BASES else found[0])
    return {**spec, "cpp_classes": classes}


MOVED = ("Car", "Driver")
"""Classes whose headers were directly in `webots` before R2018a."""
MORE_OLD = {
    "Driver": ["double getBrake()", "void setIndicatorWarning(bool state)"],
    "Node": [
        "Field *getProtoField(const std::string &fieldName) const",
        "Field *getProtoFieldByIndex(const int index) const",
        "int getProtoNumberOfFields() const",
    ],
}
"""Members of classes in old releases that the specification lacks."""
OLD_CLASSES = {"DifferentialWheels": "Robot", "Servo": "Device"}
BASES = ("Robot",)
"""Classes of which others are derived: compiled programs expect the others' functions at places in tables of
virtual functions where current Webots has them, so members of older releases get no place there."""
WRONG_OLD = ("Type", "getMFCOLOR", "setMFCOLOR", "robotWindowCustomFunction", "importMFNode")
"""Names in the tables of old releases that are misprints or obsolete."""
NODES = {"Motor": ("ROTATIONAL_MOTOR", "LINEAR_MOTOR")}
"""Node types whose names differ from that of the C++ class."""


def _makers(spec: Json) -> str:
    """Return the function that creates the object of a device, by its node type."""
    classes = spec["cpp_classes"]
    names = [name for name, one in classes.items() if one["base"] == "Device" and name not in OLD_CLASSES]
    text = HEAD.format(title="Create the object of a device.") + '#include "makers.hpp"\n\n'
    text += "".join(f"#include <webots/{name}.hpp>\n" for name in (*names, "Robot"))
    text += "#include <webots/device.h>\n#include <webots/nodes.h>\n\nnamespace webots {\n\n"
    text += "Device *makeDevice(const Robot &robot, WbDeviceTag tag) {\n"
    text += "  switch (wb_device_get_node_type(tag)) {\n"
    for name in names:
        snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()
        text += "".join(f"    case WB_NODE_{one}:\n" for one in NODES.get(name, (snake,)))
        text += f"      return robot.create{name}(tag);\n"
    return text + "    default:\n      return nullptr;\n  }\n}\n\n}\n"


class Maker:
    """Generates the files of one class."""

    def __init__(self, spec: Json, name: str) -> None:
        self.spec, self.name = spec, name
        self.header: str = spec["cpp_classes"][name]["header"]
        self.base: str = spec["cpp_classes"][name]["base"] or ""
        texts = [one for one in spec["cpp_classes"][name]["methods"] if one not in HIDDEN_METHODS]
        self.methods = [_parsed(name, text) for text in texts]
        self.functions: dict[str, list[Json]] = defaultdict(list)
        for one in spec["functions"]:
            if one.get("cpp"):
                self.functions[one["cpp"]].append(one)

    def function(self, method: Method) -> Json | None:
        """Return the C function that a method calls."""
        found = self.functions.get(f"{self.name}::{method.name}", [])
        same = [one for one in found if one.get("cpp_signature") == method.text]
        return next(iter(same or sorted(found, key=lambda one: bool(one.get("removed")))), None)

    def declaration(self) -> str:
        """The header."""
        guard = re.sub(r"\W", "_", self.header.upper())
        text = HEAD.format(title=f"The class webots::{self.name}.") + f"#ifndef {guard}\n#define {guard}\n\n"
        text += "#include <string>\n" + "".join(f"#include <{one}>\n" for one in STANDARD.get(self.name, ()))
        text += "\n" + "".join(f"#include <{one}>\n" for one in self._includes())
        text += "\nnamespace webots {\n\n"
        text += "".join(f"typedef Wb{one} {one};\n" for one in STRUCTS if self._mentions(one))
        text += "".join(f"class {one};\n" for one in self._forward())
        base = f" : public {self.base}" if self.base else ""
        text += f"\nclass {self.name}{base} {{\npublic:\n"
        text += "".join(self._enums()) + SPECIAL.get(self.name, self._constructors())
        text += "".join(map(self._method_lines, self.methods)) + PRIVATE.get(self.name, "")
        return re.sub(r"\n{3,}", "\n\n", f"{text}}};\n\n}}\n\n#endif\n")

    def definitions(self) -> str:
        """Return the source; "" if everything is hand-written."""
        bodies = "".join(
            f"\n{one.definition(body)} {{\n  {body}\n}}\n"
            for one in self.methods
            if (body := self._body(one))
        )
        if not bodies:
            return ""
        includes = sorted({self.header, *(self._place(one) for one in self._forward())} | self._robot())
        includes += [HIDDEN_HEADERS[self.name]] if self.name in HIDDEN_HEADERS else []
        head = HEAD.format(title=f"What webots::{self.name} does.")
        lines = "".join(f"#include <{one}>\n" for one in includes)
        return f'{head}{lines}\n#include "text.hpp"\n\nnamespace webots {{\n{bodies}\n}}\n'

    def _place(self, class_: str) -> str:
        return str(self.spec["cpp_classes"][class_]["header"])

    def _robot(self) -> set[str]:
        """Return whether the class needs the robot, which maps devices to objects."""
        return {"webots/Robot.hpp"} if any(self._is_device(one.result) for one in self.methods) else set()

    def _includes(self) -> list[str]:
        """Return the headers that the declaration needs: C types and constants, and the base class."""
        found = {self._place(self.base)} if self.base else set()
        for method in self.methods:
            function = self.function(method)
            header = function and function.get("header")
            if header:
                found.add("webots/supervisor.h" if header == "webots/node.h" else header)
        return sorted((found | set(MORE.get(self.name, ()))) - {HIDDEN_HEADERS.get(self.name)})

    def _mentions(self, word: str) -> bool:
        return any(re.search(rf"\b{word}\b", one.text) for one in self.methods)

    def _forward(self) -> list[str]:
        """Return other classes mentioned by methods."""
        names = [one for one in self.spec["cpp_classes"] if one not in (self.name, self.base)]
        return [one for one in names if any(re.search(rf"\b{one} \*", m.text) for m in self.methods)]

    def _enums(self) -> Iterator[str]:
        for name, key, prefix in ENUMS.get(self.name, ()):
            members: list[str] = []
            for one in self.spec["enums"]:
                if one["name"] == key or (not one["name"] and next(iter(one["values"])).startswith(key)):
                    members += [value for value in one["values"] if value not in members]
            lines = ",\n".join(f"    {value.removeprefix(prefix)} = {value}" for value in members)
            yield (
                f"  typedef enum {{\n{lines}\n  }} {name};\n\n" if name else f"  enum {{\n{lines}\n  }};\n\n"
            )
        former = [
            (f"WB_{self.name.upper()}_", one) for one in former_of(FORMER.get(self.name, ""), self.spec)
        ]
        lines = ",\n".join(f"    {one.removeprefix(prefix)} = {one}" for prefix, one in former)
        yield f"  enum {{\n{lines}\n  }};\n\n" if former else ""
        yield PLAIN_ENUMS.get(self.name, "")

    def _constructors(self) -> str:
        if self.base == "Device":
            return (
                f"  explicit {self.name}(const std::string &name) : Device(name) {{}}\n"
                f"  explicit {self.name}(WbDeviceTag tag) : Device(tag) {{}}\n"
                f"  virtual ~{self.name}() {{}}\n\n"
            )
        return f"  {self.name}() {{}}\n  virtual ~{self.name}() {{}}\n\n"

    def _method_lines(self, method: Method) -> str:
        function = self.function(method)
        doc = sentence(function["name"]) if function and not self._is_device(method.result) else ""
        comment = f"  /* {doc} */\n" if doc and len(doc) < 100 else ""
        line = wrapped(f"  {method.text};")
        return comment + line + "\n"

    def _is_device(self, result: str) -> bool:
        found = re.fullmatch(r"(\w+) \*", result)
        return found is not None and self.spec["cpp_classes"].get(found[1], {}).get("base") == "Device"

    def _body(self, method: Method) -> str:
        fixed = FIXED.get(f"{self.name}::{method.name}")
        if fixed is not None:
            return fixed
        if self.name == "Robot":
            regular = self._robot_body(method)
            if regular:
                return regular
        function = self.function(method)
        if function is None or f"{self.name}::{method.name}" in UNOFFERED:
            return ""
        return self._call(method, function)

    def _robot_body(self, method: Method) -> str:
        """Return the body of a method that returns a device."""
        kind = re.sub(r"^(get|create)", "", method.name)
        if not self._is_device(f"{kind} *") or kind in OLD_CLASSES:
            return ""
        if method.name.startswith("create"):
            return f"return new {kind}(tag);"
        return f"return dynamic_cast<{kind} *>(getDevice(name));"

    def _call(self, method: Method, function: Json) -> str:
        if function["kind"] == "macro":
            names = ", ".join(one.name for one in method.arguments)
            return f"return {function['name']}({names});"
        parameters = _parameters(prototype(function))
        passed = []
        if parameters and parameters[0][0] in SELF and method.head != "static " and self._is_object():
            passed.append(SELF[parameters.pop(0)[0]])
        for k, (type_, _) in enumerate(parameters):
            passed.append(
                _passed(method.arguments[k], type_)
                if k < len(method.arguments)
                else MISSING.get(type_, "nullptr")
            )
        call = f"{function['name']}({', '.join(passed)})"
        return self._returned(method.result.strip(), call)

    def _is_object(self) -> bool:
        return self.base == "Device" or self.name in OBJECTS

    def _returned(self, result: str, call: str) -> str:
        plain = re.sub(r"[ *]|const", "", result)
        if result == "void":
            return f"{call};"
        if plain == "std::string":
            return f"return text({call});"
        if plain in FOUND:
            return f"return {FOUND[plain]}({call});"
        if plain == "ImageRef":
            return f"return imageOf({call});"
        if plain in INNER.get(self.name, ()):
            return f"return static_cast<{plain}>({call});"
        if self._is_device(result):
            return f"return dynamic_cast<{plain} *>(Robot::getDeviceFromTag({call}));"
        return f"return {call};"


def _parsed(owner: str, text: str) -> Method:
    text = text.removeprefix("const ") if text.startswith("const CoordinateSystem") else text
    found = _METHOD.fullmatch(text)
    assert found, text
    given = NAMES.get(f"{owner}::{found['name']}", ())
    arguments = []
    for k, one in enumerate(filter(None, re.split(r",\s*(?![^(]*\))", found["args"]))):
        plain, _, default = one.partition(" = ")
        if given:
            arguments.append(Argument(plain, given[k], default))
            continue
        match = re.fullmatch(r"(.*?[ *&])(\w+)(\[\d*\])?", plain)
        assert match, text
        arguments.append(Argument(match[1].rstrip() + (match[3] or ""), match[2], default))
    return Method(
        owner,
        text,
        found["head"] or "",
        found["result"].strip(),
        found["name"],
        arguments,
        found["const"] or "",
    )


def _parameters(signature: str) -> list[tuple[str, str]]:
    inside = signature[signature.index("(") + 1 : signature.rindex(")")]
    found = []
    for one in filter(None, (part.strip() for part in inside.split(","))):
        match = re.fullmatch(r"(.*?[ *])(\w+)(\[\d*\])?", one)
        if match:
            found.append((match[1].strip(), match[2]))
    return found


def _passed(argument: Argument, type_: str) -> str:
    """Return an argument as the C function expects it."""
    plain, name = re.sub(r"[ *&]|const", "", argument.type), argument.name
    if plain == "std::string":
        return f"{name}.c_str()"
    if type_ == "WbDeviceTag" and argument.type.endswith("*"):
        return f"tagOf({name})"
    if type_ in ("WbNodeRef", "WbImageRef"):
        return f"refOf({name})"
    if type_.startswith(("Wb", "wbu_")) and not argument.type.startswith("Wb"):
        return f"static_cast<{type_}>({name})"
    return name


MORE = {
    "Display": ["webots/ImageRef.hpp"],
    "Field": ["webots/Node.hpp"],
    "Device": ["webots/types.h"],
    "ImageRef": ["webots/types.h"],
    "Robot": ["webots/robot.h", "webots/types.h"],
    "Motion": ["webots/utils/motion.h"],
    "Joystick": ["webots/joystick.h"],
    "Receiver": ["webots/receiver.h"],
    "Node": ["webots/Field.hpp"],
    "Supervisor": ["webots/Device.hpp", "webots/Node.hpp", "webots/supervisor.h"],
}
"""Further headers of a class."""
STANDARD = {"Robot": ["iostream", "vector"], "Brake": ["stdio.h"], "Motor": ["math.h"]}
"""Further system headers, as in Webots' own headers."""
SPECIAL = {
    "Device": "  virtual ~Device() {}\n\n",
    "ImageRef": f"  explicit ImageRef(WbImageRef image) : {MEMBER}ref(image) {{}}\n"
    "  virtual ~ImageRef() {}\n\n",
    "Robot": "  Robot();\n  virtual ~Robot();\n\n",
    "Driver": "  Driver();\n  virtual ~Driver() {}\n\n",
    "Supervisor": "  Supervisor() {}\n  virtual ~Supervisor() {}\n\n",
    "Node": "",
    "Field": "",
    "Proto": "",
    "Motion": "  explicit Motion(const std::string &fileName);\n  virtual ~Motion();\n\n",
}
"""Irregular constructors."""
REFERENCE = """
private:
  explicit {name}(Wb{name}Ref reference) : {member}ref(reference) {{}}
  virtual ~{name}() {{}}
  {name}(const {name} &);
  {name} &operator=(const {name} &);

  Wb{name}Ref {member}ref;
  friend Wb{name}Ref refOf(const {name} *object);
"""
PRIVATE = {
    "Device": f"""
protected:
  explicit Device(const std::string &name);
  explicit Device(WbDeviceTag tag);

  WbDeviceTag {MEMBER}tag;

private:
  std::string {MEMBER}name;
""",
    "Driver": "\nprivate:\n  virtual int step(int t) { return Supervisor::step(t); }\n",
    "ImageRef": f"\nprivate:\n  WbImageRef {MEMBER}ref;\n",
    "Robot": f"""
private:
  Robot(const Robot &);
  Robot &operator=(const Robot &);

  Keyboard *{MEMBER}keyboard;
  Joystick *{MEMBER}joystick;
  Mouse *{MEMBER}mouse;
""",
    "Motion": f"""
private:
  Motion(const Motion &);
  Motion &operator=(const Motion &);

  WbMotionRef {MEMBER}ref;
""",
} | {name: REFERENCE.format(name=name, member=MEMBER) for name in ("Node", "Field", "Proto")}
"""Private members of a class."""
