// Convert any Python sequence of numbers (including NumPy arrays) to a fixed array, and back to a tuple.
#pragma once

#include <nanobind/nanobind.h>

#include <array>

namespace nanobind::detail {

// The type shown to Python's type checkers.
template <size_t N>
constexpr auto array_name() {
  if constexpr (N == 2)
    return io_name("collections.abc.Sequence[float]", "tuple[float, float]");
  else if constexpr (N == 3)
    return io_name("collections.abc.Sequence[float]", "tuple[float, float, float]");
  else if constexpr (N == 4)
    return io_name("collections.abc.Sequence[float]", "tuple[float, float, float, float]");
  else
    return io_name("collections.abc.Sequence[float]", "tuple[float, ...]");
}

template <size_t N>
struct type_caster<std::array<double, N>> {
  using Array = std::array<double, N>;
  NB_TYPE_CASTER(Array, array_name<N>())

  bool from_python(handle source, uint8_t, cleanup_list *) noexcept {
    PyObject *sequence = PySequence_Fast(source.ptr(), "");
    const bool right = sequence && PySequence_Size(sequence) == static_cast<Py_ssize_t>(N);
    bool numbers = right;
    for (size_t i = 0; i < N && numbers; ++i) {
      PyObject *item = PySequence_GetItem(sequence, static_cast<Py_ssize_t>(i));
      if (item) value[i] = PyFloat_AsDouble(item);
      Py_XDECREF(item);
      numbers = !PyErr_Occurred();
    }
    Py_XDECREF(sequence);
    PyErr_Clear();
    return numbers;
  }

  static handle from_cpp(const Array &a, rv_policy, cleanup_list *) noexcept {
    PyObject *tuple = PyTuple_New(N);
    for (size_t i = 0; tuple && i < N; ++i) PyTuple_SetItem(tuple, i, PyFloat_FromDouble(a[i]));
    return tuple;
  }
};

}  // namespace nanobind::detail
