// Steps of a robot and its controller in one process: targets in, a step of the world, readings out.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "bind_world.h"
#include "readings.h"

namespace wb {
namespace {

using namespace nb::literals;
using Clock = std::chrono::steady_clock;
using Listener = nb::typed<nb::callable, void(double)>;

// Times (ms) are sums of steps whose length may be no binary fraction.
constexpr double kSlack = 1e-6;

// The time (ms) at a number of steps, by the same operations as wbcore.physics.clock.
struct Timing {
  double before = 0;
  uint64_t since = 0;
  double dt = 0;
  double at(uint64_t steps) const { return (before + static_cast<double>(steps - since) * dt) * 1000; }
};

// A command that sets a target: where its number is found, and whose it is.
struct Target {
  nb::int_ key;
  MotorHandle motor;
  bool is_velocity;
  bool is_set = false;
  double value = 0;
};

// Readings that are due at the same times, and who is told each of them.
struct Gauge {
  nb::object owner;
  Readings *readings;
  std::vector<Listener> listeners;
  double period, last = 0;
  bool waits = false;
};

// Steps made, when the last one was asked for, when it is due if it has not ended, and for each gauge when it
// was read last, and whether that is not told yet.
using Progress =
    std::tuple<uint64_t, std::optional<double>, std::optional<double>, std::vector<std::tuple<double, bool>>>;

class Lane {
 public:
  explicit Lane(const nb::typed<nb::object, PyWorld> &world)
      : owner_(world), world_(nb::cast<PyWorld *>(world)->world) {}

  void add_target(int64_t key, const MotorHandle &motor, bool is_velocity) {
    targets_.push_back({nb::int_(key), motor, is_velocity});
  }

  void add_listener(const Listener &listener) { listeners_.push_back(listener); }

  void add_gauge(const nb::typed<nb::object, Readings> &readings, double period,
                 const std::vector<Listener> &listeners) {
    auto *found = nb::cast<Readings *>(readings);
    require_count("number of listeners", listeners.size(), found->values().size());
    gauges_.push_back({readings, found, listeners, period});
  }

  void open(uint64_t steps, double seconds, double before, uint64_t since, double dt,
            std::optional<double> asked, const std::vector<double> &lasts) {
    require_count("number of samples", lasts.size(), gauges_.size());
    timing_ = {before, since, dt};
    asked_ = asked.value_or(NAN);
    for (size_t i = 0; i < gauges_.size(); ++i) gauges_[i].last = lasts[i], gauges_[i].waits = false;
    made_ = 0;
    left_ = steps;
    due_.reset();
    failure_ = nullptr;
    const std::chrono::duration<double> allowed(seconds);
    until_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(allowed);
  }

  // 1: done; 0: refused, nothing has happened; -1: begun, somebody else has to end it.
  int step(const nb::typed<nb::object, int> &duration, const nb::typed<nb::dict, int, double> &numbers) {
    if (left_ == 0 || !PyLong_CheckExact(duration.ptr())) return 0;
    const int64_t ms = PyLong_AsLongLong(duration.ptr());
    if (PyErr_Occurred()) PyErr_Clear();  // too large for any number of steps: -1
    const double now = timing_.at(world_->steps);
    // an answer that is late says so, which is not done here
    if (ms <= 0 || now - asked_ - static_cast<double>(ms) > 0.5) return 0;
    const double due = now + static_cast<double>(ms);
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
    std::vector<std::tuple<double, bool>> samples;
    for (const Gauge &one : gauges_) samples.emplace_back(one.last, one.waits);
    left_ = 0;
    return {made_, std::isnan(asked_) ? std::optional<double>() : asked_, due_, samples};
  }

  void raise_failure() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  template <class Visit>
  void visit(Visit visit) {
    visit(owner_);
    for (Listener &one : listeners_) visit(one);
    for (Gauge &gauge : gauges_) {
      visit(gauge.owner);
      for (Listener &one : gauge.listeners) visit(one);
    }
  }

  void clear() {
    left_ = 0;
    listeners_.clear();
    gauges_.clear();
    targets_.clear();
  }

 private:
  // The first number of steps, after the next one, at which a time (ms) has come.
  uint64_t end_at(double due) const {
    const double about = (due / 1000 - timing_.before) / timing_.dt - 1;
    uint64_t end = std::max(world_->steps + 1, timing_.since + static_cast<uint64_t>(std::max(about, 0.0)));
    while (timing_.at(end) < due - kSlack) ++end;
    return end;
  }

  // All of the numbers or none.
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
    if (found != numbers.size()) return false;
    bool is_cut = false;
    for (const Target &one : targets_) {
      if (!one.is_set) continue;
      Motor &motor = one.motor.get();
      is_cut |= one.is_velocity ? motor.set_velocity(one.value) : motor.set_position(one.value);
      one.motor.wake();
    }
    return !is_cut;  // the long way sets them again, and tells it
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
    const double now = timing_.at(world_->steps);
    for (Gauge &one : gauges_) {
      if (now - one.last < one.period - kSlack) continue;
      if (!one.readings->read()) return false;
      one.last = now;
      one.waits = true;
    }
    return true;
  }

  void tell() {
    const double seconds = timing_.at(world_->steps) / 1000;
    for (const Listener &one : listeners_) one(seconds);
    for (Gauge &one : gauges_) {
      if (!one.waits) continue;
      one.waits = false;
      const std::vector<double> &values = one.readings->values();
      for (size_t i = 0; i < values.size(); ++i) one.listeners[i](values[i]);
    }
  }

  nb::object owner_;
  std::shared_ptr<World> world_;
  std::vector<Target> targets_;
  std::vector<Gauge> gauges_;
  std::vector<Listener> listeners_;  // to the time
  Timing timing_;
  uint64_t made_ = 0, left_ = 0;
  double asked_ = NAN;  // none: not a number, which is never late
  std::optional<double> due_;
  std::exception_ptr failure_;
  Clock::time_point until_;
};

int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  int result = 0;
  if (nb::inst_ready(self))
    nb::inst_ptr<Lane>(self)->visit([&](nb::object &one) {
      if (result == 0 && one.is_valid()) result = visit(one.ptr(), arg);
    });
  return result;
}

int clear(PyObject *self) {
  nb::inst_ptr<Lane>(self)->clear();
  return 0;
}

PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void *>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void *>(clear)},
                       {0, nullptr}};

}  // namespace

void bind_lane(nb::module_ &m) {
  nb::class_<Lane>(m, "Lane", "Steps of a robot whose controller runs in the same thread.",
                   nb::type_slots(slots))
      .def(nb::init<nb::typed<nb::object, PyWorld>>(), "world"_a)
      .def("add_target", &Lane::add_target, "key"_a, "motor"_a, "is_velocity"_a,
           "A command is known by its key; in the order of keys.")
      .def("add_listener", &Lane::add_listener, "listener"_a,
           "It is called with the time (s) after each step.")
      .def("add_gauge", &Lane::add_gauge, "readings"_a, "period"_a, "listeners"_a,
           "Readings with the period (ms) at which they are read, and who is called with each of them.")
      .def("open", &Lane::open, "steps"_a, "seconds"_a, "before"_a, "since"_a, "dt"_a, "asked"_a.none(),
           "lasts"_a,
           "Allows some basic steps, for some time of the room. The clock is at `before` (s) at the step "
           "`since`. `asked`: the time (ms) of the last request; `lasts`: of the last readings.")
      .def("step", &Lane::step, "duration"_a.none(), "numbers"_a,
           "Lets time (ms) pass after commands, by their keys. 1: done, and all listeners were called. 0: "
           "this is not allowed, not known or not the usual; nothing has happened. -1: it was begun, and "
           "`close` says how far it came.")
      .def("close", &Lane::close,
           "Ends the permission. Basic steps made; the time (ms) of the last request; when it is due, if it "
           "has not ended; and for the readings the time of the last ones, and whether they are not told "
           "yet.")
      .def("raise_failure", &Lane::raise_failure, "Raises what went wrong in the world's step, if anything.");
}

}  // namespace wb
