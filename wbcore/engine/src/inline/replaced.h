// Python types, made without nanobind for speed, whose objects replace methods of the API.
#pragma once

#include <nanobind/nanobind.h>
#include <structmember.h>

#include <cstring>
#include <utility>
#include <vector>

namespace wb {

// Frees an object of a type, or of a class derived from it.
inline void free_object(PyObject *self) {
  reinterpret_cast<freefunc>(PyType_GetSlot(Py_TYPE(self), Py_tp_free))(self);
}

// What such types have in common: `slow`, the method that they replace, with its name and signature.
template <class Type>
struct Replaced {
  static int traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(reinterpret_cast<Type *>(self)->slow);
    return 0;
  }
  static int clear(PyObject *self) {  // calls are still possible, and fail
    PyObject *slow = std::exchange(reinterpret_cast<Type *>(self)->slow, Py_NewRef(Py_None));
    Py_XDECREF(slow);
    return 0;
  }
  static void release(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_XDECREF(reinterpret_cast<Type *>(self)->slow);
    free_object(self);
    Py_DECREF(type);
  }
  // Text and names are those of the method.
  static PyObject *attribute(PyObject *self, PyObject *name) {
    PyObject *slow = reinterpret_cast<Type *>(self)->slow;
    if (PyUnicode_CompareWithASCIIString(name, "__doc__") == 0) return PyObject_GetAttr(slow, name);
    PyObject *found = PyObject_GenericGetAttr(self, name);
    if (found || !PyErr_ExceptionMatches(PyExc_AttributeError)) return found;
    PyErr_Clear();
    return PyObject_GetAttr(slow, name);
  }
  static PyObject *wrapped(PyObject *self, void *) { return Py_NewRef(reinterpret_cast<Type *>(self)->slow); }
  static inline PyGetSetDef attributes[] = {{"__wrapped__", wrapped, nullptr, nullptr, nullptr}, {}};
};

constexpr unsigned kCallable = Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL;

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
