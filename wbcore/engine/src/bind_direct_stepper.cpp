// Steps of a robot and its controller in one process: targets in, a step of the world, readings out.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "bind_world.h"
#include "sense/sample_pass.h"

namespace wb {
namespace {

using namespace nb::literals;
using Clock = std::chrono::steady_clock;
using Listener = nb::typed<nb::callable, void(double)>;
using SampleListener = nb::typed<nb::callable, void(...)>;
using Handler = nb::typed<nb::callable, bool(int)>;

// The time (ms) at a number of steps, by the same operations as wbcore.physics.clock.
struct Timing {
  double before = 0;
  uint64_t since = 0;
  double dt = 0;
  double at(uint64_t steps) const { return (before + static_cast<double>(steps - since) * dt) * 1000; }
};

// A command that sets a motor's target, and the key of its number.
struct Target {
  nb::int_ key;
  MotorHandle motor;
  bool is_velocity;
  Motor *found = nullptr;  // the handle's motor, while steps are allowed
  bool is_set = false;
  double value = 0;
};

// A command that Python executes, when its number changes. It returns false if no further direct step is
// possible.
struct Switch {
  nb::int_ key;
  Handler execute;
  bool is_known = false, is_set = false;
  int64_t value = 0, wanted = 0;
};

// The number of basic steps, the time of the last request, and the time at which an unfinished step ends.
using Progress = std::tuple<uint64_t, std::optional<double>, std::optional<double>>;

class DirectStepper {
 public:
  explicit DirectStepper(const nb::typed<nb::object, PyWorld> &world)
      : owner_(world), world_(nb::cast<PyWorld *>(world)->world) {}

  void add_target(int64_t key, const MotorHandle &motor, bool is_velocity) {
    targets_.push_back({nb::int_(key), motor, is_velocity});
  }

  void add_listener(const Listener &listener) { listeners_.push_back(listener); }

  void add_switch(int64_t key, const Handler &execute) { switches_.push_back({nb::int_(key), execute}); }

  void set_sensors(const nb::typed<nb::object, SamplePass> &pass,
                   const std::vector<SampleListener> &listeners) {
    pass_ = nb::cast<SamplePass *>(pass);
    require(listeners.size() == pass_->entries().size(), "number of listeners", "that of the sensors",
            static_cast<double>(listeners.size()));
    pass_owner_ = pass;
    sensor_listeners_ = listeners;
  }

  void open(uint64_t steps, double seconds, double before, uint64_t since, double dt,
            std::optional<double> asked) {
    timing_ = {before, since, dt};
    is_shared_ = false;
    prepare();
    asked_ = asked.value_or(NAN);
    made_ = 0;
    left_ = steps;
    due_.reset();
    failure_ = nullptr;
    const std::chrono::duration<double> allowed(seconds);
    until_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(allowed);
  }

  void share(double before, uint64_t since, double dt, std::optional<double> asked) {
    timing_ = {before, since, dt};
    asked_ = asked.value_or(NAN);
    due_.reset();
    prepare();
    is_shared_ = true;
  }

  std::optional<std::tuple<double, double>> begun() {
    if (!is_shared_ || !due_) return std::nullopt;
    return std::make_tuple(asked_, *std::exchange(due_, std::nullopt));
  }

  // 1: the step is done; 0: refused without any effect; -1: begun, and the caller must finish it.
  int step(const nb::typed<nb::object, int> &duration, const nb::typed<nb::dict, int, double> &numbers) {
    if ((left_ == 0 && !is_shared_) || !PyLong_CheckExact(duration.ptr())) return 0;
    const int64_t ms = PyLong_AsLongLong(duration.ptr());
    if (PyErr_Occurred()) PyErr_Clear();  // too large for any number of steps: -1
    const double now = timing_.at(world_->steps);
    // A late answer has to report its delay, which this path cannot.
    if (ms <= 0 || now - asked_ - static_cast<double>(ms) > 0.5) return 0;
    const double due = now + static_cast<double>(ms);
    if (is_shared_) {
      if (due_ || !take(numbers)) return 0;
      PyDict_Clear(numbers.ptr());
      asked_ = now;
      due_ = due;
      return -1;
    }
    const uint64_t end = end_at(due);
    if (end - world_->steps > left_ || Clock::now() >= until_ || !take(numbers)) return 0;
    PyDict_Clear(numbers.ptr());
    asked_ = now;
    for (bool goes_on = advance(); goes_on; goes_on = Clock::now() < until_ && advance())
      if (world_->steps == end) {
        tell();
        return 1;
      }
    due_ = due;
    left_ = 0;
    return -1;
  }

  Progress close() {
    left_ = 0;
    is_shared_ = false;
    return {made_, std::isnan(asked_) ? std::optional<double>() : asked_, due_};
  }

  void raise_failure() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  // Tells the listeners the time and the values that wait.
  void tell() {
    const double seconds = timing_.at(world_->steps) / 1000;
    for (const Listener &one : listeners_) one(seconds);
    if (!pass_) return;
    for (size_t i = 0; i < sensor_listeners_.size(); ++i) {
      SamplePass::Entry &one = pass_->entries()[i];
      if (!one.waits) continue;
      one.waits = false;
      if (const double *number = pass_->single(one))
        sensor_listeners_[i](*number);
      else
        sensor_listeners_[i](*pass_->values(one));
    }
  }

  template <class Visit>
  void visit(Visit visit) {
    visit(owner_);
    for (Listener &one : listeners_) visit(one);
    for (Switch &one : switches_) visit(one.execute);
    visit(pass_owner_);
    for (SampleListener &one : sensor_listeners_) visit(one);
  }

  void clear() {
    left_ = 0;
    listeners_.clear();
    sensor_listeners_.clear();
    targets_.clear();
    switches_.clear();
    pass_ = nullptr;
    pass_owner_.reset();
  }

 private:
  // The first step number, after the next one, at which a time (ms) is reached.
  uint64_t end_at(double due) const {
    const double about = (due / 1000 - timing_.before) / timing_.dt - 1;
    uint64_t end = std::max(world_->steps + 1, timing_.since + static_cast<uint64_t>(std::max(about, 0.0)));
    while (timing_.at(end) < due - kSlack) ++end;
    return end;
  }

  // Finds the motors: they stay where they are in memory, and Python renews the stepper when one is removed.
  void prepare() {
    world_->check_access();
    for (Switch &one : switches_) one.is_known = false;  // others may have changed it
    for (Target &one : targets_) one.found = &one.motor.get();
  }

  // Notes the wanted numbers of the switches; false if one is not an integer.
  bool take_switches(const nb::dict &numbers, size_t &found) {
    for (Switch &one : switches_) {
      PyObject *value = PyDict_GetItem(numbers.ptr(), one.key.ptr());
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

  bool turn_switches() {
    for (Switch &one : switches_) {
      if (!one.is_set || (one.is_known && one.value == one.wanted)) continue;
      one.value = one.wanted;
      one.is_known = true;
      if (!nb::cast<bool>(one.execute(one.wanted))) return false;
    }
    return true;
  }

  // Executes all commands, or none that must not be repeated.
  bool take(const nb::dict &numbers) {
    size_t found = 0;
    for (Target &one : targets_) {
      PyObject *value = PyDict_GetItem(numbers.ptr(), one.key.ptr());
      one.is_set = value != nullptr;
      if (!value) continue;
      if (!PyFloat_Check(value)) return false;
      ++found;
      one.value = PyFloat_AS_DOUBLE(value);
      if (one.is_velocity ? !std::isfinite(one.value) : std::isnan(one.value)) return false;
    }
    if (!take_switches(numbers, found) || found != numbers.size()) return false;
    bool is_cut = false;
    for (const Target &one : targets_) {
      if (!one.is_set) continue;
      is_cut |= one.is_velocity ? one.found->set_velocity(one.value) : one.found->set_position(one.value);
      one.motor.wake();
    }
    // If a target is cut, the path with packets sets it again and prints the warning.
    return !is_cut && turn_switches();
  }

  bool advance() {
    try {
      if (world_->small()) {
        world_->step(1);
      } else {
        nb::gil_scoped_release release;
        world_->step(1);
      }
    } catch (...) {
      failure_ = std::current_exception();
      return false;
    }
    ++made_;
    --left_;
    return !pass_ || pass_->sample(timing_.at(world_->steps));
  }

  nb::object owner_;
  std::shared_ptr<World> world_;
  std::vector<Target> targets_;
  std::vector<Switch> switches_;
  std::vector<Listener> listeners_;  // of the time
  SamplePass *pass_ = nullptr;
  nb::object pass_owner_;
  std::vector<SampleListener> sensor_listeners_;
  Timing timing_;
  uint64_t made_ = 0, left_ = 0;
  bool is_shared_ = false;
  double asked_ = NAN;  // no request yet: NaN, which is never late
  std::optional<double> due_;
  std::exception_ptr failure_;
  Clock::time_point until_;
};

int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  int result = 0;
  if (nb::inst_ready(self))
    nb::inst_ptr<DirectStepper>(self)->visit([&](nb::object &one) {
      if (result == 0 && one.is_valid()) result = visit(one.ptr(), arg);
    });
  return result;
}

int clear(PyObject *self) {
  nb::inst_ptr<DirectStepper>(self)->clear();
  return 0;
}

PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void *>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void *>(clear)},
                       {0, nullptr}};

}  // namespace

void bind_direct_stepper(nb::module_ &m) {
  nb::class_<DirectStepper>(m, "DirectStepper", "Steps of a robot whose controller runs in the same thread.",
                            nb::type_slots(slots))
      .def(nb::init<nb::typed<nb::object, PyWorld>>(), "world"_a)
      .def("add_target", &DirectStepper::add_target, "key"_a, "motor"_a, "is_velocity"_a,
           "Adds a motor's command with its key. Add the targets in the order of their keys.")
      .def("add_listener", &DirectStepper::add_listener, "listener"_a,
           "Adds a function that is called with the time (s) after each step.")
      .def("add_switch", &DirectStepper::add_switch, "key"_a, "execute"_a,
           "Adds a command with an integer that `execute` carries out when it changes. It returns whether "
           "further direct steps are possible; if not, a packet repeats the commands.")
      .def("set_sensors", &DirectStepper::set_sensors, "sensors"_a, "listeners"_a,
           "Sets the pass over all enabled sensors, and a listener for the values of each.")
      .def("open", &DirectStepper::open, "steps"_a, "seconds"_a, "before"_a, "since"_a, "dt"_a,
           "asked"_a.none(),
           "Allows `steps` basic steps within `seconds` of real time. The clock is at `before` (s) at step "
           "`since`. `asked`: time (ms) of the last request.")
      .def("step", &DirectStepper::step, "duration"_a.none(), "numbers"_a,
           "Applies commands, given by key, and simulates `duration` ms. Returns 1 if the step is done and "
           "all listeners were called; 0 if the request needs a packet, without any effect; -1 if the "
           "step has begun and `close` returns its progress.")
      .def("share", &DirectStepper::share, "before"_a, "since"_a, "dt"_a, "asked"_a.none(),
           "Allows `step` to apply commands while others make the steps, also for other controllers; the "
           "arguments are those of `open`. `step` then returns -1, and `tell` ends the step.")
      .def(
          "begun", &DirectStepper::begun,
          "The times (ms) of the last request and of its end, once after a shared step has begun; else None.")
      .def("tell", &DirectStepper::tell, "Calls the listeners with the time and the values that wait.")
      .def("close", &DirectStepper::close,
           "Disallows further steps. Returns the number of basic steps made, the time (ms) of the last "
           "request, and the time (ms) at which an unfinished step ends.")
      .def("raise_failure", &DirectStepper::raise_failure,
           "Raises the error of the last step, if it failed.");
}

}  // namespace wb
