/* Robot-window plugins: modules in Python, and libraries, which use another copy of the C library. */
#include "../src/window_plugin.h"
#include "binding.h"
#include "by_hand.h"

static void keep(PyObject **place, PyObject *object) {
  Py_XDECREF(*place);
  Py_INCREF(object);
  *place = object;
}

/* An exception, such as SystemExit, ends the API call that has come here. */
static bool call_function(const char *function, int duration) {
  const PyGILState_STATE state = PyGILState_Ensure();
  PyObject *result =
      PyErr_Occurred() ? NULL : PyObject_CallFunction(current_life->window, "si", function, duration);
  if (!result) has_trouble = true;
  const bool succeeded = result == Py_True;
  Py_XDECREF(result);
  PyGILState_Release(state);
  return succeeded;
}

static PyObject *use_caller(PyObject *object) {
  keep(&current_life->window, object);
  return PyBool_FromLong(window_plugin_use(robot_current(), call_function));
}

WITH(robot_use_window, use_caller(v[0].object), ANY("call"))

/* The relay. */

static void add_commands(Buffer *request) {
  const PyGILState_STATE state = PyGILState_Ensure();
  PyObject *bytes = PyErr_Occurred() ? NULL : PyObject_CallObject(current_life->adder, NULL);
  if (bytes)
    put(request, PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes));
  else
    has_trouble = true;
  Py_XDECREF(bytes);
  PyGILState_Release(state);
}

static void take_answer(const unsigned char *data, size_t size) {
  const PyGILState_STATE state = PyGILState_Ensure();
  PyObject *done = PyErr_Occurred() ? NULL
                                    : PyObject_CallFunction(current_life->taker, "y#", (const char *)data,
                                                            (Py_ssize_t)size);
  if (!done) has_trouble = true;
  Py_XDECREF(done);
  PyGILState_Release(state);
}

static PyObject *use_relay(PyObject *adding, PyObject *taking) {
  keep(&current_life->adder, adding);
  keep(&current_life->taker, taking);
  robot_current()->relay = (Relay){add_commands, take_answer};
  return none();
}

WITH(robot_use_relay, use_relay(v[0].object, v[1].object), ANY("add"), ANY("take"))
WITHOUT(robot_configuration,
        bytes_or_none(robot_current()->configuration.data, (Py_ssize_t)robot_current()->configuration.size))
