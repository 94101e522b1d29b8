// Types that Python's garbage collector looks into.
#pragma once

#include <nanobind/nanobind.h>

namespace wb {

namespace nb = nanobind;

// Slots for the garbage collector: what an object keeps may own the object.
template <class Type>
struct Collected {
  static int traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    int result = 0;
    if (nb::inst_ready(self))
      nb::inst_ptr<Type>(self)->visit([&](nb::object &one) {
        if (result == 0 && one.is_valid()) result = visit(one.ptr(), arg);
      });
    return result;
  }
  static int clear(PyObject *self) {
    nb::inst_ptr<Type>(self)->clear();
    return 0;
  }
  static inline PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void *>(traverse)},
                                       {Py_tp_clear, reinterpret_cast<void *>(clear)},
                                       {0, nullptr}};
};

}  // namespace wb
