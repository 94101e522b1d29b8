// The extension module _portable_math: Python's mathematical functions with the same bits on every system.
//
// Python's module `math` and its operator ** call the C library, whose results differ in the last place from
// one system to the next. While they are installed, these functions stand in their places. What they cannot
// answer with a finite number, Python's own functions answer, so that errors, infinities and NaN are
// Python's.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>

#include "norm.h"

typedef PyObject *const *Arguments;

// clang-format off: no two of its runs agree here
#define FUNCTIONS(ONE, OTHER)                                                                        \
  ONE(acos)                                                                                          \
  ONE(acosh)                                                                                         \
  ONE(asin) ONE(asinh) ONE(atan) ONE(atanh) ONE(cbrt) ONE(cos) ONE(cosh) ONE(erf) ONE(erfc) ONE(exp) \
      ONE(exp2) ONE(expm1) ONE(log1p) ONE(sin) ONE(sinh) ONE(tan) ONE(tanh) OTHER(atan2) OTHER(dist) \
          OTHER(hypot) OTHER(log) OTHER(log10) OTHER(log2) OTHER(pow)
// clang-format on

#define NUMBER(name) k_##name,
enum Function { FUNCTIONS(NUMBER, NUMBER) kFunctions };
static PyObject *former[kFunctions];  // Python's own functions

// Python's own answer.
static PyObject *ask_former(enum Function function, Arguments values, Py_ssize_t count) {
  PyErr_Clear();
  PyObject *all = PyTuple_New(count);
  for (Py_ssize_t i = 0; all && i < count; ++i) {
    Py_INCREF(values[i]);
    PyTuple_SetItem(all, i, values[i]);
  }
  PyObject *result = all ? PyObject_Call(former[function], all, NULL) : NULL;
  Py_XDECREF(all);
  return result;
}

// Gives a number, or returns 0: it is none, too large, infinite or NaN.
static int gives_finite(PyObject *value, double *number) {
  *number = PyFloat_AsDouble(value);
  return isfinite(*number) && (*number != -1 || !PyErr_Occurred());
}

static PyObject *one(enum Function function, double (*answer)(double), PyObject *value) {
  double x;
  if (gives_finite(value, &x)) {
    const double result = answer(x);
    if (isfinite(result)) return PyFloat_FromDouble(result);
  }
  return ask_former(function, &value, 1);
}

static PyObject *two(enum Function function, double (*answer)(double, double), Arguments values,
                     Py_ssize_t count) {
  double x, y;
  if (count == 2 && gives_finite(values[0], &x) && gives_finite(values[1], &y)) {
    const double result = answer(x, y);
    if (isfinite(result)) return PyFloat_FromDouble(result);
  }
  return ask_former(function, values, count);
}

#define DEFINE_ONE(name)                                        \
  static PyObject *py_##name(PyObject *self, PyObject *value) { \
    return (void)self, one(k_##name, name, value);              \
  }
#define NOTHING(name)
FUNCTIONS(DEFINE_ONE, NOTHING)

static PyObject *py_atan2(PyObject *self, Arguments values, Py_ssize_t count) {
  return (void)self, two(k_atan2, atan2, values, count);
}

static PyObject *py_pow(PyObject *self, Arguments values, Py_ssize_t count) {
  return (void)self, two(k_pow, pow, values, count);
}

// Logarithms of integers too large for a number: value / 2^bits and 2^bits.
static int parts_of(PyObject *value, double *share, double *bits) {
  PyObject *length = PyObject_CallMethod(value, "bit_length", NULL), *one = PyLong_FromLong(1);
  PyObject *power = length && one ? PyNumber_Lshift(one, length) : NULL;
  PyObject *ratio = power ? PyNumber_TrueDivide(value, power) : NULL;
  const int is_there = ratio && gives_finite(ratio, share) && gives_finite(length, bits);
  Py_XDECREF(length), Py_XDECREF(one), Py_XDECREF(power), Py_XDECREF(ratio);
  return is_there;
}

// Gives a logarithm, or returns 0. two: the logarithm of 2.
static int logarithm(PyObject *value, double (*answer)(double), double two, double *result) {
  double x, bits;
  if (gives_finite(value, &x))
    *result = answer(x);
  else if (!PyLong_Check(value) || (PyErr_Clear(), !parts_of(value, &x, &bits)))
    return 0;
  else
    *result = answer(x) + two * bits;
  return isfinite(*result);
}

static PyObject *py_log10(PyObject *self, PyObject *value) {
  double result;
  if (logarithm(value, log10, log10(2), &result)) return PyFloat_FromDouble(result);
  return (void)self, ask_former(k_log10, &value, 1);
}

static PyObject *py_log2(PyObject *self, PyObject *value) {
  double result;
  if (logarithm(value, log2, 1, &result)) return PyFloat_FromDouble(result);
  return (void)self, ask_former(k_log2, &value, 1);
}

static PyObject *py_log(PyObject *self, Arguments values, Py_ssize_t count) {
  double result, base = 1;
  if ((count == 1 || count == 2) && logarithm(values[0], log, log(2), &result) &&
      (count == 1 || (logarithm(values[1], log, log(2), &base) && base != 0)))
    return PyFloat_FromDouble(result / base);
  return (void)self, ask_former(k_log, values, count);
}

enum { FEW = 16 };  // numbers that need no memory of their own

// The length of a vector: the root of the sum of the squares of numbers, or of their differences from others.
// NULL without an error: one is not finite.
static PyObject *length_of(Arguments values, Arguments others, Py_ssize_t count) {
  double few[FEW], *sizes = count > FEW ? PyMem_Malloc((size_t)count * sizeof *sizes) : few, other = 0;
  if (!sizes) return PyErr_NoMemory();
  Py_ssize_t i = 0;
  for (; i < count && gives_finite(values[i], &sizes[i]) && (!others || gives_finite(others[i], &other)); ++i)
    sizes[i] = fabs(sizes[i] - other);
  const double length = i < count ? NAN : norm(sizes, (size_t)count);
  if (sizes != few) PyMem_Free(sizes);
  return isfinite(length) ? PyFloat_FromDouble(length) : NULL;
}

static PyObject *py_hypot(PyObject *self, Arguments values, Py_ssize_t count) {
  PyObject *result = length_of(values, NULL, count);
  return (void)self, result ? result : ask_former(k_hypot, values, count);
}

// The items of a tuple, which keeps them.
static PyObject **items_of(PyObject *tuple, Py_ssize_t count) {
  PyObject **items = PyMem_Malloc((size_t)(count + 1) * sizeof *items);
  for (Py_ssize_t i = 0; items && i < count; ++i) items[i] = PyTuple_GetItem(tuple, i);
  return items;
}

static PyObject *distance(PyObject *from, PyObject *to) {
  const Py_ssize_t count = PyTuple_Size(from);
  if (PyTuple_Size(to) != count) return NULL;
  PyObject **first = items_of(from, count), **second = items_of(to, count);
  PyObject *result = first && second ? length_of(first, second, count) : PyErr_NoMemory();
  PyMem_Free(first), PyMem_Free(second);
  return result;
}

static PyObject *py_dist(PyObject *self, Arguments values, Py_ssize_t count) {
  (void)self;
  if (count != 2) return ask_former(k_dist, values, count);
  PyObject *points[2] = {PySequence_Tuple(values[0]), NULL}, *result = NULL;
  if (points[0]) points[1] = PySequence_Tuple(values[1]);
  if (points[1]) {
    result = distance(points[0], points[1]);
    if (!result) result = ask_former(k_dist, points, 2);
  } else {
    result = ask_former(k_dist, values, 2);
  }
  Py_XDECREF(points[0]), Py_XDECREF(points[1]);
  return result;
}

enum { ADD, SUBTRACT, MULTIPLY, POWER = 5 };
static void **operators;  // of float, in the order of PyNumberMethods
static ternaryfunc former_power;

static int is_number(PyObject *value) { return PyFloat_Check(value) || PyLong_Check(value); }

static double number_of(PyObject *value) {
  return PyFloat_Check(value) ? PyFloat_AsDouble(value) : PyLong_AsDouble(value);
}

// The operator ** of numbers of which at least one is a float.
static PyObject *power(PyObject *base, PyObject *exponent, PyObject *modulus) {
  if (modulus == Py_None && is_number(base) && is_number(exponent)) {
    const double x = number_of(base), y = number_of(exponent);
    if (PyErr_Occurred()) {
      PyErr_Clear();
    } else if (isfinite(x) && isfinite(y)) {
      const double result = pow(x, y);
      if (isfinite(result)) return PyFloat_FromDouble(result);
    }
  }
  return former_power(base, exponent, modulus);
}

// Where Python keeps the operators of a type. It tells the operators, but not their place: they are compared.
static void **operators_of_float(void) {
  static const int kSlots[][2] = {
      {ADD, Py_nb_add}, {SUBTRACT, Py_nb_subtract}, {MULTIPLY, Py_nb_multiply}, {POWER, Py_nb_power}};
  enum { FIELDS = 9 };  // of a type, before that of its operators
  void **place = *(void ***)((char *)&PyFloat_Type + sizeof(PyVarObject) + FIELDS * sizeof(void *));
  for (size_t i = 0; i < sizeof kSlots / sizeof *kSlots; ++i)
    if (!place || place[kSlots[i][0]] != PyType_GetSlot(&PyFloat_Type, kSlots[i][1])) return NULL;
  return place;
}

#define METHOD_ONE(name) {#name, py_##name, METH_O, NULL},
static PyMethodDef methods[kFunctions] = {
    FUNCTIONS(METHOD_ONE, NOTHING)  //
    {"atan2", (PyCFunction)(void (*)(void))py_atan2, METH_FASTCALL, NULL},
    {"dist", (PyCFunction)(void (*)(void))py_dist, METH_FASTCALL, NULL},
    {"hypot", (PyCFunction)(void (*)(void))py_hypot, METH_FASTCALL, NULL},
    {"log", (PyCFunction)(void (*)(void))py_log, METH_FASTCALL, NULL},
    {"log10", py_log10, METH_O, NULL},
    {"log2", py_log2, METH_O, NULL},
    {"pow", (PyCFunction)(void (*)(void))py_pow, METH_FASTCALL, NULL},
};
static PyObject *own[kFunctions];

// Python's text about a function, with its signature, as a method's `ml_doc` has it.
static const char *text_of(PyObject *function, const char *name) {
  PyObject *words = PyObject_GetAttrString(function, "__doc__"), *text = NULL;
  PyObject *signature = PyObject_GetAttrString(function, "__text_signature__");
  if (words && signature)
    text =
        PyUnicode_FromFormat(signature == Py_None ? "%.0s%.0S%S" : "%s%S\n--\n\n%S", name, signature, words);
  PyObject *bytes = text ? PyUnicode_AsUTF8String(text) : NULL;
  Py_XDECREF(words), Py_XDECREF(signature), Py_XDECREF(text);
  return bytes ? PyBytes_AsString(bytes) : NULL;  // kept for the whole process
}

// Makes the functions that this version of Python has.
static int make_functions(PyObject *math) {
  PyObject *name = PyUnicode_FromString("math");
  for (int i = 0; name && i < kFunctions && !PyErr_Occurred(); ++i) {
    former[i] = PyObject_GetAttrString(math, methods[i].ml_name);
    if (!former[i]) {
      PyErr_Clear();
      continue;
    }
    methods[i].ml_doc = text_of(former[i], methods[i].ml_name);
    own[i] = methods[i].ml_doc ? PyCFunction_NewEx(&methods[i], math, name) : NULL;
  }
  Py_XDECREF(name);
  return PyErr_Occurred() ? -1 : 0;
}

// Puts functions into the module `math`, and returns them in place of which others, for modules that have
// them, too.
static PyObject *put(PyObject *math, PyObject **functions, PyObject **others, void *power_of_float) {
  PyObject *changes = PyDict_New();
  for (int i = 0; changes && i < kFunctions; ++i)
    if (own[i] && (PyObject_SetAttrString(math, methods[i].ml_name, functions[i]) ||
                   PyDict_SetItem(changes, others[i], functions[i])))
      Py_CLEAR(changes);
  if (changes && operators) operators[POWER] = power_of_float;
  return changes;
}

static PyObject *install(PyObject *self, PyObject *nothing) {
  (void)self, (void)nothing;
  PyObject *math = PyImport_ImportModule("math"), *changes = NULL;
  if (math && !former[0]) {
    if (make_functions(math)) return Py_DECREF(math), NULL;
    operators = operators_of_float();
    if (operators) former_power = (ternaryfunc)operators[POWER];
  }
  if (math) changes = put(math, own, former, (void *)power);
  Py_XDECREF(math);
  return changes;
}

static PyObject *restore(PyObject *self, PyObject *nothing) {
  (void)self, (void)nothing;
  PyObject *math = PyImport_ImportModule("math");
  PyObject *changes = math ? put(math, former, own, (void *)former_power) : NULL;
  Py_XDECREF(math);
  return changes;
}

static PyMethodDef module_methods[] = {
    {"install", install, METH_NOARGS,
     "Put the functions in the places of Python's; return each by Python's own."},
    {"restore", restore, METH_NOARGS,
     "Put Python's functions back, after `install`; return each by its stand-in."},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_portable_math",
    .m_doc = "Python's mathematical functions with the same bits on every system.",
    .m_size = -1,
    .m_methods = module_methods,
};

PyMODINIT_FUNC PyInit__portable_math(void) { return PyModule_Create(&definition); }
