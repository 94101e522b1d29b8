// What Python keeps once per process, for each inline controller: arguments, path, main module, streams.
#pragma once

#include <nanobind/nanobind.h>

#include <array>

namespace wb {

class ProcessFields {
 public:
  using Variable = nanobind::typed<nanobind::tuple, nanobind::bytes, nanobind::bytes>;
  using Variables = nanobind::typed<nanobind::tuple, Variable, nanobind::ellipsis>;
  using Values = nanobind::typed<nanobind::dict, nanobind::bytes, nanobind::bytes>;

  ProcessFields(nanobind::object main, nanobind::object argv, nanobind::object path, nanobind::object out,
                nanobind::object error);

  // Exchanges the fields of the process with those kept here.
  void exchange();

  // Gives the process from the controller of these fields to that of others. False, without effect, if that
  // needs more than an exchange of the fields.
  bool hand_over(ProcessFields &next);

  // Notes the number of loaded modules, with which `hand_over` finds out whether the controller imported any.
  void count_modules();
  bool has_imported() const;

  // Allows `hand_over`. environment: ((key, value), ...), its own variables as bytes; values: dict of all
  // variables of the process.
  void set_light(nanobind::object folder, const Variables &environment, const Values &values);
  void set_heavy() { is_light_ = false; }

  template <class Visit>
  void visit(Visit visit) {
    for (nanobind::object &one : kept_) visit(one);
  }
  void clear() { kept_ = {}; }

 private:
  static constexpr size_t kMain = 0, kArgv = 1, kPath = 2, kOut = 3, kError = 4, kCount = 5;
  bool has_environment() const;

  std::array<nanobind::object, kCount> kept_;  // invalid: the controller has none of its own
  Py_ssize_t modules_ = 0;
  bool is_light_ = false;
  nanobind::object folder_, environment_, values_;
};

}  // namespace wb
