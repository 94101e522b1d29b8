/* Arguments of Python calls. */
#include <limits.h>
#include <string.h>

#include "binding.h"

static bool refuse_type(const Parameter *parameter, const char *wanted, PyObject *given) {
  PyObject *type = PyObject_GetAttrString((PyObject *)Py_TYPE(given), "__name__");
  if (!type) return false;
  PyErr_Format(PyExc_TypeError, "'%s' must be %s, not %U", parameter->name, wanted, type);
  Py_DECREF(type);
  return false;
}

/* A number, as by float(), which reads strings, too. */
static bool read_double(PyObject *given, double *number) {
  if (PyUnicode_Check(given)) {
    PyObject *parsed = PyFloat_FromString(given);
    *number = parsed ? PyFloat_AsDouble(parsed) : -1.0;
    Py_XDECREF(parsed);
    return parsed != NULL;
  }
  *number = PyFloat_AsDouble(given);
  return *number != -1.0 || !PyErr_Occurred();
}

static int clamped(long long whole, int overflow) {
  if (overflow) return overflow > 0 ? INT_MAX : INT_MIN;
  return whole > INT_MAX ? INT_MAX : whole < INT_MIN ? INT_MIN : (int)whole;
}

/* As by int(): numbers that are not whole lose their fraction, and strings are read. */
bool read_int(PyObject *given, int *whole) {
  int overflow = 0;
  PyObject *number = PyLong_Check(given) ? Py_NewRef(given) : PyNumber_Long(given);
  if (!number) return false;
  const long long wide = PyLong_AsLongLongAndOverflow(number, &overflow);
  *whole = clamped(wide, overflow);
  Py_DECREF(number);
  return true;
}

static bool read_text(const Parameter *parameter, PyObject *given, const char **text) {
  if (given == Py_None) {
    *text = NULL;
    return true;
  }
  if (!PyUnicode_Check(given)) return refuse_type(parameter, "a string", given);
  Py_ssize_t size = 0;
  *text = PyUnicode_AsUTF8AndSize(given, &size);
  if (!*text) return false;
  if (strlen(*text) == (size_t)size) return true;
  PyErr_Format(PyExc_ValueError, "'%s' contains a null character", parameter->name);
  return false;
}

static bool read_item(PyObject *given, int index, double *number) {
  PyObject *item = PySequence_GetItem(given, index);
  const bool is_read = item && read_double(item, number);
  Py_XDECREF(item);
  return is_read;
}

static bool read_numbers(const Parameter *parameter, PyObject *given, Argument *value) {
  value->numbers = given == Py_None ? NULL : value->room;
  if (given == Py_None) return true;
  const Py_ssize_t size = PySequence_Size(given);
  if (size < 0) return false;
  if (size != parameter->size) {
    PyErr_Format(PyExc_ValueError, "'%s' has %zd numbers; expected %d", parameter->name, size,
                 parameter->size);
    return false;
  }
  for (int i = 0; i < parameter->size; ++i) {
    if (!read_item(given, i, &value->room[i])) return false;
  }
  return true;
}

static bool read_reference(const Parameter *parameter, PyObject *given, void **reference) {
  *reference = NULL;
  return given == Py_None || reference_of((Class)parameter->size, parameter->name, given, reference);
}

static bool read_value(const Parameter *parameter, PyObject *given, Argument *value) {
  switch (parameter->kind) {
    case IS_DOUBLE: return read_double(given, &value->number);
    case IS_INT: return read_int(given, &value->whole);
    case IS_BOOL: value->whole = PyObject_IsTrue(given); return value->whole >= 0;
    case IS_TEXT: return read_text(parameter, given, &value->text);
    case IS_NUMBERS: return read_numbers(parameter, given, value);
    case IS_ANY: value->object = given; return true;
    case IS_REFERENCE: return read_reference(parameter, given, &value->reference);
  }
  return false;
}

static int index_of(const Parameter *parameters, int count, PyObject *name) {
  for (int i = 0; i < count; ++i) {
    if (!PyUnicode_CompareWithASCIIString(name, parameters[i].name)) return i;
  }
  return -1;
}

/* Put arguments that are passed by name into their places. */
static bool place_named(const char *method, const Parameter *parameters, int parameter_count,
                        PyObject *const *named, PyObject *names, PyObject **given) {
  const Py_ssize_t count = names ? PyTuple_Size(names) : 0;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *name = PyTuple_GetItem(names, i);
    const int place = index_of(parameters, parameter_count, name);
    if (place < 0 || given[place]) {
      const char *format = place < 0 ? "%s() got an unexpected keyword argument '%U'"
                                     : "%s() got multiple values for argument '%U'";
      PyErr_Format(PyExc_TypeError, format, method, name);
      return false;
    }
    given[place] = named[i];
  }
  return true;
}

bool read_arguments(const char *method, const Parameter *parameters, int parameter_count,
                    PyObject *const *args, Py_ssize_t count, PyObject *names, Argument *values) {
  PyObject *given[MOST_PARAMETERS] = {NULL};
  if (count > parameter_count) {
    PyErr_Format(PyExc_TypeError, "%s() takes %d arguments, but %zd were given", method, parameter_count,
                 count);
    return false;
  }
  for (Py_ssize_t i = 0; i < count; ++i) given[i] = args[i];
  if (names && !place_named(method, parameters, parameter_count, args + count, names, given)) return false;
  for (int i = 0; i < parameter_count; ++i) {
    const Parameter *parameter = &parameters[i];
    if (given[i]) {
      if (!read_value(parameter, given[i], &values[i])) return false;
    } else if (parameter->optional) {
      values[i].whole = parameter->whole;
      values[i].number = parameter->whole;
      values[i].text = parameter->text;
      values[i].reference = NULL;
      values[i].object = NULL;
    } else {
      PyErr_Format(PyExc_TypeError, "%s() missing the argument '%s'", method, parameter->name);
      return false;
    }
  }
  return true;
}
