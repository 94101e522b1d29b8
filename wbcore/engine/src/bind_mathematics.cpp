// Bindings of mathematical functions, for Python code that computes what the engine then steps.
#include <nanobind/ndarray.h>

#include <cmath>
#include <string>

#include "bind.h"

namespace wb {
namespace {

using namespace nb::literals;
using Given = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using Result = nb::ndarray<nb::numpy, double>;

Result like(const Given &given, double *&values) {
  values = new double[given.size() + 1];
  nb::capsule owner(values, [](void *p) noexcept { delete[] static_cast<double *>(p); });
  const std::vector<size_t> shape(given.shape_ptr(), given.shape_ptr() + given.ndim());
  return Result(values, shape.size(), shape.data(), owner);
}

template <double (*Function)(double)>
void bind(nb::module_ &m, const char *name, const char *doc) {
  m.def(name, [](double x) { return Function(x); }, "x"_a, doc);
  m.def(
      name,
      [](const Given &x) {
        double *values;
        Result result = like(x, values);
        const double *each = x.data();
        for (size_t i = 0, count = x.size(); i < count; ++i) values[i] = Function(each[i]);
        return result;
      },
      "x"_a, "The same of each element.");
}

template <double (*Function)(double, double)>
void bind_two(nb::module_ &m, const char *name, const char *first, const char *second, const char *doc) {
  m.def(name, [](double a, double b) { return Function(a, b); }, nb::arg(first), nb::arg(second), doc);
  m.def(
      name,
      [name](const Given &a, const Given &b) {
        require(a.size() == b.size(), name, "of two arrays of one shape", static_cast<double>(b.size()));
        double *values;
        Result result = like(a, values);
        const double *left = a.data(), *right = b.data();
        for (size_t i = 0, count = a.size(); i < count; ++i) values[i] = Function(left[i], right[i]);
        return result;
      },
      nb::arg(first), nb::arg(second), "The same of each pair of elements.");
}

}  // namespace

void bind_mathematics(nb::module_ &m) {
  bind<std::acos>(m, "acos", "Arc cosine of x in -1 to 1, rad; else NaN.");
  bind<std::asin>(m, "asin", "Arc sine of x in -1 to 1, rad; else NaN.");
  bind<std::atan>(m, "atan", "Arc tangent, rad.");
  bind<std::cos>(m, "cos", "Cosine of x in rad.");
  bind<std::exp>(m, "exp", "e to the power of x.");
  bind<std::log>(m, "log", "Natural logarithm; NaN for negative numbers.");
  bind<std::log10>(m, "log10", "Decimal logarithm; NaN for negative numbers.");
  bind<std::sin>(m, "sin", "Sine of x in rad.");
  bind<std::tan>(m, "tan", "Tangent of x in rad.");
  bind_two<std::atan2>(m, "atan2", "y", "x", "Angle of the point (x, y), rad, in -pi to pi.");
  bind_two<std::hypot>(m, "hypot", "x", "y", "Length of the vector (x, y).");
  bind_two<std::pow>(m, "power", "x", "y", "x to the power of y.");
}

}  // namespace wb
