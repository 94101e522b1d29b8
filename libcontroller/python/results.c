/* Results of calls as objects of Python. */
#include <string.h>

#include "binding.h"

PyObject *text(const char *text) {
  return text ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace") : none();
}

PyObject *string(const char *chars) { return text(chars ? chars : ""); }

PyObject *numbers(const double *numbers, int count) {
  PyObject *list = PyList_New(numbers ? count : 0);
  for (int i = 0; list && numbers && i < count; ++i) {
    PyObject *number = PyFloat_FromDouble(numbers[i]);
    if (!number || PyList_SetItem(list, i, number)) Py_CLEAR(list);
  }
  return list;
}

PyObject *numbers_or_none(const double *values, int count) {
  return values ? numbers(values, count) : none();
}

PyObject *table(const double *first, WbDeviceTag tag, int rows(WbDeviceTag tag)) {
  return numbers(first, first ? 3 * rows(tag) : 0);
}

PyObject *bytes_or_none(const void *data, Py_ssize_t size) {
  return data ? PyBytes_FromStringAndSize(data, size) : none();
}
