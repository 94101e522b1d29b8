// Python types that are made without nanobind for speed.
#pragma once

#include <nanobind/nanobind.h>
#include <structmember.h>

#include <cstring>
#include <vector>

namespace wb {

// Frees an object of a type, or of a class derived from it.
inline void free_object(PyObject *self) {
  reinterpret_cast<freefunc>(PyType_GetSlot(Py_TYPE(self), Py_tp_free))(self);
}

inline PyTypeObject *make_type(nanobind::module_ &m, const char *name, size_t size, unsigned flags,
                               std::vector<PyType_Slot> slots) {
  slots.push_back({0, nullptr});
  PyType_Spec spec{name, static_cast<int>(size), 0, Py_TPFLAGS_DEFAULT | flags, slots.data()};
  nanobind::object made = nanobind::steal(PyType_FromModuleAndSpec(m.ptr(), &spec, nullptr));
  if (!made.is_valid()) throw nanobind::python_error();
  m.attr(std::strrchr(name, '.') + 1) = made;
  return reinterpret_cast<PyTypeObject *>(made.ptr());
}

template <class Function>
void *slot(Function *function) {
  return reinterpret_cast<void *>(function);
}

inline void *doc(const char *text) { return const_cast<char *>(text); }

}  // namespace wb
