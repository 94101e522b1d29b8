// What Python keeps once per process, for each inline controller: arguments, path, main module, streams.
#include "process_fields.h"

#include <utility>

namespace nb = nanobind;

namespace wb {
namespace {

// Where the process keeps a field: a dictionary and a key in it.
struct Place {
  PyObject *dict, *key;

  nb::object get() const { return nb::borrow(PyDict_GetItem(dict, key)); }
  void set(const nb::object &value) const {
    if (PyDict_SetItem(dict, key, value.ptr())) throw nb::python_error();
  }
};

// The places stay valid: the modules `sys` and `builtins` are never unloaded.
const std::array<Place, 5> &places() {
  static const std::array<Place, 5> found = [] {
    PyObject *sys = PyModule_GetDict(nb::module_::import_("sys").release().ptr());
    return std::array<Place, 5>{{{PyImport_GetModuleDict(), PyUnicode_InternFromString("__main__")},
                                 {sys, PyUnicode_InternFromString("argv")},
                                 {sys, PyUnicode_InternFromString("path")},
                                 {sys, PyUnicode_InternFromString("stdout")},
                                 {sys, PyUnicode_InternFromString("stderr")}}};
  }();
  return found;
}

}  // namespace

ProcessFields::ProcessFields(nb::object main, nb::object argv, nb::object path, nb::object out,
                             nb::object error)
    : kept_{std::move(main), std::move(argv), std::move(path), std::move(out), std::move(error)} {
  for (nb::object &one : kept_)
    if (one.is_none()) one.reset();
}

void ProcessFields::exchange() {
  for (size_t i = 0; i < kCount; ++i) {
    if (!kept_[i].is_valid()) continue;
    nb::object now = places()[i].get();
    if (!now.is_valid()) continue;  // the controller has deleted it
    places()[i].set(kept_[i]);
    kept_[i] = std::move(now);
  }
}

void ProcessFields::set_light(nb::object folder, const Variables &environment, const Values &values) {
  is_light_ = true;
  folder_ = std::move(folder);
  environment_ = environment;
  values_ = values;
}

void ProcessFields::count_modules() { modules_ = PyDict_Size(places()[kMain].dict); }

bool ProcessFields::has_imported() const { return PyDict_Size(places()[kMain].dict) != modules_; }

bool ProcessFields::hand_over(ProcessFields &next) {
  if (!is_light_ || !next.is_light_ || has_imported() || !has_environment()) return false;
  if (!next.environment_.is(environment_)) return false;
  if (!folder_.is(next.folder_) && !folder_.equal(next.folder_)) return false;
  std::array<nb::object, kCount> now;
  for (size_t i = 0; i < kCount; ++i) {
    if (kept_[i].is_valid() != next.kept_[i].is_valid()) return false;
    if (!kept_[i].is_valid()) continue;
    now[i] = places()[i].get();
    if (!now[i].is_valid()) return false;
  }
  for (size_t i = 0; i < kCount; ++i) {
    if (!kept_[i].is_valid()) continue;
    places()[i].set(next.kept_[i]);
    next.kept_[i] = std::exchange(kept_[i], std::move(now[i]));
  }
  next.modules_ = modules_;
  return true;
}

bool ProcessFields::has_environment() const {
  for (nb::handle one : environment_) {
    const nb::handle wanted = PyTuple_GetItem(one.ptr(), 1);
    const nb::handle value = PyDict_GetItem(values_.ptr(), PyTuple_GetItem(one.ptr(), 0));
    if (!value.is_valid() || !(value.is(wanted) || value.equal(wanted))) return false;
  }
  return true;
}

}  // namespace wb
