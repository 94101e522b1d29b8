// Motors and sensors of robots that a script drives: attributes that it sets and reads in each step.
#include "cells.h"

#include <cmath>
#include <cstddef>

#include "../bind.h"
#include "plain_types.h"

namespace wb {
namespace {

enum class MotorCommand : intptr_t { kPosition, kVelocity, kForce };

PyTypeObject *motor_cell_type = nullptr;

// The names of the methods in Python that carry out what is not common, by command.
constexpr const char *kSlowMethods[] = {"_set_position", "_set_velocity", "_set_effort"};

// A motor. `speed` is that of motions to a position; NaN: the motor's maximum.
struct MotorCell {
  PyObject_HEAD MotorHandle *motor;
  double speed;
  char is_coupled;
};

// The numbers of a sensor, in memory that `owner` keeps.
struct SensorCell {
  PyObject_HEAD PyObject *owner;
  const double *numbers;
  Py_ssize_t count;
};

MotorCell &motor_of(PyObject *self) { return *reinterpret_cast<MotorCell *>(self); }

bool is_turning(const Motor &motor) { return motor.force_mode == 0 && std::isinf(motor.target_position); }

// Carries out a command; false if it was cut to a limit, or if Python has to do it.
bool drive_motor(const MotorCell &cell, MotorCommand command, double value) {
  if (!cell.motor || cell.is_coupled || std::isnan(value)) return false;
  Motor &motor = cell.motor->get();
  bool is_cut = false;
  if (command == MotorCommand::kVelocity) {
    if (std::isinf(value)) return false;
    if (!is_turning(motor)) motor.set_position(INFINITY);
    is_cut = motor.set_velocity(value);
  } else if (command == MotorCommand::kPosition) {
    if (is_turning(motor) && !std::isinf(value))
      motor.set_velocity((std::isnan(cell.speed) ? motor.max_velocity : cell.speed) / motor.multiplier);
    is_cut = motor.set_position(value);
  } else {
    if (std::isinf(value)) return false;
    is_cut = motor.set_force(value);
  }
  cell.motor->wake();
  return !is_cut;
}

// Lets Python carry out a command, or explain why it cannot; false with a Python error then.
bool give_slowly(PyObject *self, MotorCommand command, PyObject *value) {
  PyObject *result = PyObject_CallMethod(self, kSlowMethods[static_cast<intptr_t>(command)], "O", value);
  Py_XDECREF(result);
  return result != nullptr;
}

// Carries out a command; false with a Python error if that fails.
bool give(PyObject *self, MotorCommand command, double number) {
  try {
    if (drive_motor(motor_of(self), command, number)) return true;
  } catch (const std::exception &) {
    // The engine's motor was removed: Python looks it up again, or reports what is wrong.
  }
  PyObject *value = PyFloat_FromDouble(number);
  const bool is_done = value && give_slowly(self, command, value);
  Py_XDECREF(value);
  return is_done;
}

int set_motor_target(PyObject *self, PyObject *value, void *command) {
  if (!value) {
    PyErr_SetString(PyExc_AttributeError, "targets of motors cannot be deleted");
    return -1;
  }
  const auto target = static_cast<MotorCommand>(reinterpret_cast<intptr_t>(command));
  const double number = PyFloat_AsDouble(value);
  if (number == -1.0 && PyErr_Occurred()) {  // no number: Python names the motor and what is allowed
    PyErr_Clear();
    return give_slowly(self, target, value) ? 0 : -1;
  }
  return give(self, target, number) ? 0 : -1;
}

PyObject *motor_target(PyObject *self, void *command) {
  const MotorCell &cell = motor_of(self);
  try {
    if (!cell.motor) return PyFloat_FromDouble(NAN);
    const Motor &motor = cell.motor->get();
    switch (static_cast<MotorCommand>(reinterpret_cast<intptr_t>(command))) {
      case MotorCommand::kPosition: return PyFloat_FromDouble(motor.target_position / motor.multiplier);
      case MotorCommand::kVelocity: return PyFloat_FromDouble(motor.target_velocity / motor.multiplier);
      default: return PyFloat_FromDouble(motor.force_mode != 0 ? motor.wanted_force / motor.multiplier : 0.0);
    }
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
    return nullptr;
  }
}

PyObject *bind_motor_cell(PyObject *self, PyObject *args) {
  PyObject *motor;
  int is_coupled;
  if (!PyArg_ParseTuple(args, "Op", &motor, &is_coupled)) return nullptr;
  MotorHandle *handle = nullptr;
  if (!nb::try_cast<MotorHandle *>(nb::handle(motor), handle, false) || !handle) {
    PyErr_SetString(PyExc_TypeError, "expected a motor of the engine");
    return nullptr;
  }
  MotorCell &cell = motor_of(self);
  delete cell.motor;
  cell.motor = new MotorHandle(*handle);
  cell.is_coupled = static_cast<char>(is_coupled);
  Py_RETURN_NONE;
}

PyObject *new_motor_cell(PyTypeObject *type, PyObject *, PyObject *) {
  PyObject *made = PyType_GenericAlloc(type, 0);
  if (made) motor_of(made).speed = NAN;
  return made;
}

void release_motor_cell(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  delete motor_of(self).motor;
  free_object(self);
  Py_DECREF(type);
}

// Sets targets of many motors: `set_targets(motors, numbers, command)`, where `motors` is a list of cells,
// and `numbers` an array with one for each.
PyObject *set_targets(PyObject *, PyObject *args) {
  PyObject *motors, *numbers;
  int command;
  if (!PyArg_ParseTuple(args, "O!Oi", &PyList_Type, &motors, &numbers, &command)) return nullptr;
  Py_buffer buffer;
  if (PyObject_GetBuffer(numbers, &buffer, PyBUF_SIMPLE)) return nullptr;
  const auto *values = static_cast<const double *>(buffer.buf);
  const Py_ssize_t count = PyList_Size(motors);
  bool is_done =
      buffer.len == count * static_cast<Py_ssize_t>(sizeof(double)) && command >= 0 && command <= 2;
  if (!is_done)
    PyErr_SetString(PyExc_ValueError, "expected a number for each motor, and a command from 0 to 2");
  for (Py_ssize_t i = 0; is_done && i < PyList_Size(motors); ++i) {
    PyObject *motor = PyList_GetItem(motors, i);
    is_done = PyObject_TypeCheck(motor, motor_cell_type);
    if (!is_done) PyErr_SetString(PyExc_TypeError, "expected a list of MotorCells");
    is_done = is_done && give(motor, static_cast<MotorCommand>(command), values[i]);
  }
  PyBuffer_Release(&buffer);
  if (!is_done) return nullptr;
  Py_RETURN_NONE;
}

// Sensors.

SensorCell &sensor_of(PyObject *self) { return *reinterpret_cast<SensorCell *>(self); }

PyObject *sensor_value(PyObject *self, void *) {
  const SensorCell &cell = sensor_of(self);
  if (cell.count == 1) return PyFloat_FromDouble(*cell.numbers);
  return PyObject_CallMethod(self, "_copy", nullptr);
}

PyObject *bind_sensor_cell(PyObject *self, PyObject *numbers) {
  Py_buffer buffer;
  if (PyObject_GetBuffer(numbers, &buffer, PyBUF_SIMPLE)) return nullptr;
  SensorCell &cell = sensor_of(self);
  PyObject *former = std::exchange(cell.owner, Py_NewRef(numbers));
  Py_XDECREF(former);
  cell.numbers = static_cast<const double *>(buffer.buf);
  cell.count = buffer.len / static_cast<Py_ssize_t>(sizeof(double));
  PyBuffer_Release(&buffer);
  Py_RETURN_NONE;
}

PyObject *new_sensor_cell(PyTypeObject *type, PyObject *, PyObject *) { return PyType_GenericAlloc(type, 0); }

void release_sensor_cell(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  Py_XDECREF(sensor_of(self).owner);
  free_object(self);
  Py_DECREF(type);
}

void *command_closure(MotorCommand command) {
  return reinterpret_cast<void *>(static_cast<intptr_t>(command));
}

PyGetSetDef motor_attributes[] = {
    {"position", motor_target, set_motor_target,
     "Target position (rad or m). Setting it moves the motor there, at `speed`.",
     command_closure(MotorCommand::kPosition)},
    {"velocity", motor_target, set_motor_target,
     "Target velocity (rad/s or m/s). Setting it turns the motor without end; position control uses it as "
     "speed.",
     command_closure(MotorCommand::kVelocity)},
    {"effort", motor_target, set_motor_target, "The force or torque that acts in force control (N or N m).",
     command_closure(MotorCommand::kForce)},
    {}};
PyMemberDef motor_members[] = {{"wanted_speed", T_DOUBLE, offsetof(MotorCell, speed), 0,
                                "Of motions to a position (rad/s or m/s); NaN: the maximum."},
                               {}};
PyMethodDef motor_methods[] = {{"attach", bind_motor_cell, METH_VARARGS,
                                "Sets the engine's motor, and whether it is coupled to others."},
                               {}};

PyGetSetDef sensor_attributes[] = {
    {"value", sensor_value, nullptr, "The newest sample: a number, or an array of its numbers.", nullptr},
    {}};
PyMethodDef module_functions[] = {
    {"set_targets", set_targets, METH_VARARGS,
     "set_targets($module, motors, numbers, command)\n--\n\n"
     "Sets targets of MotorCells from an array: 0 position, 1 velocity, 2 force or torque."},
    {}};
PyMethodDef sensor_methods[] = {
    {"attach", bind_sensor_cell, METH_O, "Sets the memory of the numbers, an array."}, {}};

}  // namespace

void bind_script_cells(nb::module_ &m) {
  motor_cell_type = make_type(
      m, "wbridge.wbcore.engine._engine.MotorCell", sizeof(MotorCell), Py_TPFLAGS_BASETYPE,
      {{Py_tp_new, slot(new_motor_cell)},
       {Py_tp_dealloc, slot(release_motor_cell)},
       {Py_tp_doc, doc("A motor that a script drives. Classes derived from it carry out what is not "
                       "common, in methods _set_position, _set_velocity and _set_effort.")},
       {Py_tp_getset, motor_attributes},
       {Py_tp_members, motor_members},
       {Py_tp_methods, motor_methods}});
  make_type(m, "wbridge.wbcore.engine._engine.SensorCell", sizeof(SensorCell), Py_TPFLAGS_BASETYPE,
            {{Py_tp_new, slot(new_sensor_cell)},
             {Py_tp_dealloc, slot(release_sensor_cell)},
             {Py_tp_doc, doc("A sensor that a script reads. Classes derived from it return several numbers "
                             "from a method _copy.")},
             {Py_tp_getset, sensor_attributes},
             {Py_tp_methods, sensor_methods}});
  if (PyModule_AddFunctions(m.ptr(), module_functions)) throw nb::python_error();
}

}  // namespace wb
