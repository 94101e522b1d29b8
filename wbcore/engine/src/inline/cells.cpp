// Values that the API of an inline controller shares with native code: readings and targets of motors.
#include "cells.h"

#include <cmath>
#include <cstddef>

#include "replaced.h"
#include "rules.h"

namespace nb = nanobind;

namespace wb {
namespace {

PyTypeObject *reading_type = nullptr, *targets_type = nullptr, *setter_type = nullptr;

// Sets the target position or velocity of a motor. Calling it is the method of its device.
struct TargetSetter {
  PyObject_HEAD vectorcallfunc call;
  PyObject *slow;
  MotorTargets *targets;
  char is_velocity;
};

template <class Type>
Type *allocate(PyTypeObject *type) {
  return reinterpret_cast<Type *>(PyType_GenericAlloc(type, 0));  // zeros
}

// Readings.

PyObject *call_reading(PyObject *self, PyObject *const *args, size_t count, PyObject *names) {
  auto *own = reinterpret_cast<Reading *>(self);
  if (PyVectorcall_NARGS(count) != 0 || names) return PyObject_Vectorcall(own->slow, args, count, names);
  if (!own->is_enabled) {  // it warns; its result may be older
    PyObject *result = PyObject_CallNoArgs(own->slow);
    if (!result) return nullptr;
    Py_DECREF(result);
  }
  return PyFloat_FromDouble(own->value);
}

PyObject *new_reading(PyTypeObject *type, PyObject *args, PyObject *) {
  PyObject *slow;
  if (!PyArg_ParseTuple(args, "O", &slow)) return nullptr;
  auto *made = allocate<Reading>(type);
  if (!made) return nullptr;
  made->call = call_reading;
  made->slow = Py_NewRef(slow);
  made->value = NAN;
  return reinterpret_cast<PyObject *>(made);
}

PyObject *take(PyObject *self, PyObject *value) {
  const double number = PyFloat_AsDouble(value);
  if (number == -1.0 && PyErr_Occurred()) return nullptr;
  reinterpret_cast<Reading *>(self)->value = number;
  Py_RETURN_NONE;
}

// Targets of motors.

void release_targets(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  for (PyObject *key : reinterpret_cast<MotorTargets *>(self)->keys) Py_XDECREF(key);
  free_object(self);
  Py_DECREF(type);
}

PyObject *new_targets(PyTypeObject *type, PyObject *args, PyObject *) {
  PyObject *position, *velocity;
  if (!PyArg_ParseTuple(args, "OO", &position, &velocity)) return nullptr;
  auto *made = allocate<MotorTargets>(type);
  if (!made) return nullptr;
  made->keys[0] = Py_NewRef(position);
  made->keys[1] = Py_NewRef(velocity);
  made->last_position = made->last_velocity = NAN;
  return reinterpret_cast<PyObject *>(made);
}

void put(MotorTargets &own, bool is_velocity, double value) {
  (is_velocity ? own.velocity : own.position) = value;
  (is_velocity ? own.last_velocity : own.last_position) = value;
  own.waits[is_velocity] = true;
}

template <bool is_velocity>
PyObject *put_target(PyObject *self, PyObject *value) {
  const double number = PyFloat_AsDouble(value);
  if (number == -1.0 && PyErr_Occurred()) return nullptr;
  put(*reinterpret_cast<MotorTargets *>(self), is_velocity, number);
  Py_RETURN_NONE;
}

PyObject *move_to(PyObject *self, PyObject *numbers) {
  auto *own = reinterpret_cast<MotorTargets *>(self);
  for (int i = 0; i < 2; ++i) {
    if (!own->waits[i]) continue;
    nb::object value = nb::steal(PyFloat_FromDouble(own->target(i)));
    if (!value.is_valid() || PyObject_SetItem(numbers, own->keys[i], value.ptr())) return nullptr;
    own->waits[i] = false;
  }
  Py_RETURN_NONE;
}

PyObject *call_setter(PyObject *self, PyObject *const *args, size_t count, PyObject *names) {
  auto *own = reinterpret_cast<TargetSetter *>(self);
  MotorTargets &targets = *own->targets;
  if (PyVectorcall_NARGS(count) == 1 && !names && PyFloat_CheckExact(args[0]) && !targets.is_coupled) {
    const double value = PyFloat_AsDouble(args[0]);
    // Negative maximum velocities of position control are refused.
    if (!(std::isnan(value) || (own->is_velocity && is_velocity_refused(value, targets.position)))) {
      put(targets, own->is_velocity, value);
      Py_RETURN_NONE;
    }
  }
  return PyObject_Vectorcall(own->slow, args, count, names);
}

PyObject *new_setter(PyTypeObject *type, PyObject *args, PyObject *) {
  PyObject *targets, *slow;
  int is_velocity;
  if (!PyArg_ParseTuple(args, "O!Op", targets_type, &targets, &slow, &is_velocity)) return nullptr;
  auto *made = allocate<TargetSetter>(type);
  if (!made) return nullptr;
  made->call = call_setter;
  made->slow = Py_NewRef(slow);
  made->targets = reinterpret_cast<MotorTargets *>(Py_NewRef(targets));
  made->is_velocity = static_cast<char>(is_velocity);
  return reinterpret_cast<PyObject *>(made);
}

void release_setter(PyObject *self) {
  PyObject *targets = reinterpret_cast<PyObject *>(reinterpret_cast<TargetSetter *>(self)->targets);
  Replaced<TargetSetter>::release(self);
  Py_DECREF(targets);
}

// The types.

PyMemberDef reading_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Reading, call), READONLY, nullptr},
    {"value", T_DOUBLE, offsetof(Reading, value), READONLY, "The newest value."},
    {"is_enabled", T_BOOL, offsetof(Reading, is_enabled), 0, "False if a call warns."},
    {}};
PyMethodDef reading_methods[] = {{"take", take, METH_O, "Stores a new value."}, {}};

PyMemberDef targets_members[] = {
    {"position", T_DOUBLE, offsetof(MotorTargets, position), 0, "The target position (rad or m)."},
    {"velocity", T_DOUBLE, offsetof(MotorTargets, velocity), 0, "The target velocity (rad/s or m/s)."},
    {"last_position", T_DOUBLE, offsetof(MotorTargets, last_position), 0,
     "The last position that the controller has set; NaN: none."},
    {"last_velocity", T_DOUBLE, offsetof(MotorTargets, last_velocity), 0,
     "The last velocity that the controller has set; NaN: none."},
    {"is_coupled", T_BOOL, offsetof(MotorTargets, is_coupled), 0, "Commands affect other motors, too."},
    {}};
PyMethodDef targets_methods[] = {
    {"put_position", put_target<false>, METH_O, "Sets the position."},
    {"put_velocity", put_target<true>, METH_O, "Sets the velocity."},
    {"move_to", move_to, METH_O,
     "Moves the commands that wait to a dictionary with the numbers of commands."},
    {}};

PyMemberDef setter_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(TargetSetter, call), READONLY, nullptr}, {}};

}  // namespace

Reading *Reading::of_listener(PyObject *listener) {
  if (!PyCFunction_Check(listener) || PyCFunction_GetFunction(listener) != take) return nullptr;
  return reinterpret_cast<Reading *>(PyCFunction_GetSelf(listener));
}

MotorTargets *MotorTargets::of(PyObject *object) {
  return Py_TYPE(object) == targets_type ? reinterpret_cast<MotorTargets *>(object) : nullptr;
}

void bind_cells(nb::module_ &m) {
  reading_type =
      make_type(m, "wbridge.wbcore.engine._engine.Reading", sizeof(Reading), kCallable,
                {{Py_tp_new, slot(new_reading)},
                 {Py_tp_call, slot(PyVectorcall_Call)},
                 {Py_tp_dealloc, slot(Replaced<Reading>::release)},
                 {Py_tp_traverse, slot(Replaced<Reading>::traverse)},
                 {Py_tp_clear, slot(Replaced<Reading>::clear)},
                 {Py_tp_getattro, slot(Replaced<Reading>::attribute)},
                 {Py_tp_doc, doc("The value of a sensor, returned by a call. Arguments: the method "
                                 "of its device that it replaces.")},
                 {Py_tp_getset, Replaced<Reading>::attributes},
                 {Py_tp_members, reading_members},
                 {Py_tp_methods, reading_methods}});
  targets_type =
      make_type(m, "wbridge.wbcore.engine._engine.MotorTargets", sizeof(MotorTargets), 0,
                {{Py_tp_new, slot(new_targets)},
                 {Py_tp_dealloc, slot(release_targets)},
                 {Py_tp_doc, doc("Targets of a motor. Arguments: the keys of the commands that set "
                                 "position and velocity.")},
                 {Py_tp_members, targets_members},
                 {Py_tp_methods, targets_methods}});
  setter_type =
      make_type(m, "wbridge.wbcore.engine._engine.TargetSetter", sizeof(TargetSetter), kCallable,
                {{Py_tp_new, slot(new_setter)},
                 {Py_tp_call, slot(PyVectorcall_Call)},
                 {Py_tp_dealloc, slot(release_setter)},
                 {Py_tp_traverse, slot(Replaced<TargetSetter>::traverse)},
                 {Py_tp_clear, slot(Replaced<TargetSetter>::clear)},
                 {Py_tp_getattro, slot(Replaced<TargetSetter>::attribute)},
                 {Py_tp_doc, doc("Sets a target by a call. Arguments: the targets, the method that it "
                                 "replaces, and whether it sets the velocity.")},
                 {Py_tp_getset, Replaced<TargetSetter>::attributes},
                 {Py_tp_members, setter_members}});
}

}  // namespace wb
