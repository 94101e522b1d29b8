// The direct steps of one inline controller: targets in, readings out.
#include "direct_stepper.h"

#include <cmath>
#include <limits>

#include "direct_round.h"

namespace wb {

void DirectStepper::set_sensors(const nb::typed<nb::object, SamplePass> &pass,
                                const std::vector<SampleListener> &listeners) {
  pass_ = nb::cast<SamplePass *>(pass);
  require(calls_capsule_.is_valid() || listeners.size() == pass_->entries().size(), "number of listeners",
          "that of the sensors", static_cast<double>(listeners.size()));
  pass_owner_ = pass;
  sensor_listeners_ = listeners;
  readings_.clear();
  for (size_t i = 0; i < listeners.size(); ++i)
    readings_.push_back(pass_->single(pass_->entries()[i]) ? Reading::of_listener(listeners[i].ptr())
                                                           : nullptr);
}

void DirectStepper::set_all_targets(const std::vector<nb::object> &targets) {
  for (const nb::object &one : targets)
    if (!MotorTargets::of(one.ptr())) throw std::invalid_argument("targets must be MotorTargets");
  all_targets_ = targets;
}

void DirectStepper::share(double before, uint64_t since, double dt, std::optional<double> asked) {
  prepare({before, since, dt}, asked);
  leave();
  is_shared_ = true;
}

std::optional<std::tuple<double, double>> DirectStepper::begun() {
  if (!is_shared_ || !due_) return std::nullopt;
  return std::make_tuple(asked_, *std::exchange(due_, std::nullopt));
}

void DirectStepper::join(nb::object owner, DirectRound &round, size_t seat, const Timing &timing,
                         std::optional<double> asked) {
  prepare(timing, asked);
  is_shared_ = false;
  round_owner_ = std::move(owner);
  round_ = &round;
  seat_ = seat;
}

// Finds the motors: they stay where they are in memory, and Python renews the stepper when one is removed.
void DirectStepper::prepare(const Timing &timing, std::optional<double> asked) {
  timing_ = timing;
  asked_ = asked.value_or(NAN);
  due_.reset();
  world_->check_access();
  for (SwitchCommand &one : switches_) one.is_known = false;  // others may have changed it
  for (MotorTarget &one : targets_) one.found = &one.motor.get();
}

// Whether a request for this duration may be carried out here.
bool DirectStepper::may_begin(int64_t ms) const {
  if ((!is_shared_ && !round_) || due_) return false;
  if (ms <= 0 || ms > std::numeric_limits<int32_t>::max()) return false;
  // A late answer has to report its delay, which this path cannot.
  if (now() - asked_ - static_cast<double>(ms) > 0.5) return false;
  return !round_ || round_->may_begin(seat_);
}

// Begins the step; its commands were applied.
int DirectStepper::begin(int64_t ms) {
  asked_ = now();
  begin_ = world_->steps;
  due_ = asked_ + static_cast<double>(ms);
  if (!round_) return -1;
  const nb::object kept = round_owner_;  // the controller may wait longer than the round exists
  return round_->began(seat_);
}

int DirectStepper::step(const nb::typed<nb::object, int> &duration, const Numbers &numbers) {
  if (!PyLong_CheckExact(duration.ptr())) return 0;
  const int64_t ms = PyLong_AsLongLong(duration.ptr());
  if (PyErr_Occurred()) PyErr_Clear();  // too large for any number of steps: -1
  if (!may_begin(ms) || !take(numbers)) return 0;
  if (numbers.size()) PyDict_Clear(numbers.ptr());
  return begin(ms);
}

void DirectStepper::tell() {
  if (calls_capsule_.is_valid()) {
    write_answer();
    return;
  }
  if (clock_.is_valid()) {
    static PyObject *const name = PyUnicode_InternFromString("time");
    const nb::object seconds = nb::steal(PyFloat_FromDouble(now() / 1000));
    if (PyObject_SetAttr(clock_.ptr(), name, seconds.ptr())) throw nb::python_error();
  }
  if (!pass_) return;
  for (size_t i = 0; i < sensor_listeners_.size(); ++i) {
    SamplePass::Entry &one = pass_->entries()[i];
    if (!one.waits) continue;
    one.waits = false;
    if (readings_[i])
      readings_[i]->value = *pass_->single(one);
    else if (const double *number = pass_->single(one))
      sensor_listeners_[i](*number);
    else
      sensor_listeners_[i](*pass_->values(one));
  }
}

void DirectStepper::prefetch() const {
  for (const Reading *one : readings_) __builtin_prefetch(one, 1);
  for (const MotorTarget &one : targets_) {
    if (one.targets) __builtin_prefetch(one.targets, 1);
    __builtin_prefetch(one.found, 1);
  }
  if (!pass_) return;
  for (const SamplePass::Entry &one : pass_->entries()) __builtin_prefetch(&one, 1);
}

void DirectStepper::clear() {
  leave();
  is_shared_ = false;
  clock_.reset();
  sensor_listeners_.clear();
  readings_.clear();
  targets_.clear();
  all_targets_.clear();
  switches_.clear();
  pass_ = nullptr;
  pass_owner_.reset();
}

// Notes the wanted numbers of the switches; false if one is not an integer.
bool DirectStepper::take_switches(const nb::dict &numbers, size_t &found) {
  for (SwitchCommand &one : switches_) {
    PyObject *value = numbers.size() ? PyDict_GetItem(numbers.ptr(), one.key.ptr()) : nullptr;
    one.is_set = value != nullptr;
    if (!value) continue;
    int is_too_large = 0;
    if (!PyLong_CheckExact(value)) return false;
    one.wanted = PyLong_AsLongLongAndOverflow(value, &is_too_large);
    if (is_too_large) return false;
    ++found;
  }
  return true;
}

bool DirectStepper::turn_switches() {
  for (SwitchCommand &one : switches_) {
    if (!one.is_set || (one.is_known && one.value == one.wanted)) continue;
    one.value = one.wanted;
    one.is_known = true;
    if (!nb::cast<bool>(one.execute(one.wanted))) return false;
  }
  return true;
}

// Executes all commands, or none that must not be repeated.
bool DirectStepper::take(const nb::dict &numbers) {
  size_t found = 0;
  int waiting = 0;
  for (const nb::object &one : all_targets_) waiting += MotorTargets::of(one.ptr())->count_waiting();
  for (MotorTarget &one : targets_) {
    one.is_set = one.targets && one.targets->waits[one.is_velocity];
    if (one.is_set) one.value = one.targets->target(one.is_velocity), --waiting;
    PyObject *value = numbers.size() ? PyDict_GetItem(numbers.ptr(), one.key.ptr()) : nullptr;
    if (value) {
      if (one.is_set || !PyFloat_Check(value)) return false;
      ++found;
      one.is_set = true;
      one.value = PyFloat_AsDouble(value);
    }
  }
  if (waiting || !are_valid() || !take_switches(numbers, found) || found != numbers.size()) return false;
  if (!apply()) return false;
  for (const MotorTarget &one : targets_)
    if (one.targets) one.targets->waits[one.is_velocity] = false;
  return true;
}

// False, and the path with packets repeats the commands, if one needs it.
bool DirectStepper::apply() {
  bool is_cut = false;
  for (const MotorTarget &one : targets_) {
    if (!one.is_set) continue;
    is_cut |= one.is_velocity ? one.found->set_velocity(one.value) : one.found->set_position(one.value);
    one.motor.wake();
  }
  // If a target is cut, the path with packets sets it again and prints the warning.
  return !is_cut && turn_switches();
}

}  // namespace wb
