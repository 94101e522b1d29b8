// The direct steps of one inline controller: targets in, readings out.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "../../../../libcontroller/python/hosted_calls.h"
#include "cells.h"
#include "free_steps.h"

namespace wb {

using namespace nb::literals;
using SampleListener = nb::typed<nb::callable, void(...)>;
using Numbers = nb::typed<nb::dict, int, double>;
using Handler = nb::typed<nb::callable, bool(int)>;

class DirectRound;

// A command that sets a motor's target, and the key of its number.
struct MotorTarget {
  nb::int_ key;
  int64_t number;  // the key
  MotorHandle motor;
  bool is_velocity;
  nb::object owner;                 // of `targets`
  MotorTargets *targets = nullptr;  // which the controller sets, if they are native
  Motor *found = nullptr;           // the handle's motor, while steps are allowed
  bool is_set = false;
  double value = 0;
};

// A command that Python executes, when its number changes. It returns false if no further direct step is
// possible.
struct SwitchCommand {
  nb::int_ key;
  int64_t number;  // the key
  Handler execute;
  bool is_known = false, is_set = false;
  int64_t value = 0, wanted = 0;
};

class DirectStepper {
 public:
  explicit DirectStepper(const nb::typed<nb::object, PyWorld> &world)
      : owner_(world), world_(nb::cast<PyWorld *>(world)->world) {}

  void add_target(int64_t key, const MotorHandle &motor, bool is_velocity, const nb::object &targets) {
    targets_.push_back({nb::int_(key), key, motor, is_velocity, targets, MotorTargets::of(targets.ptr())});
  }
  // Native targets of the controller; steps in which others than those of `add_target` are set are refused.
  void set_all_targets(const std::vector<nb::object> &targets);
  // The object whose attribute `time` is the time (s) of the last values.
  void set_clock(const nb::object &clock) { clock_ = clock; }
  void add_switch(int64_t key, const Handler &execute) { switches_.push_back({nb::int_(key), key, execute}); }
  void set_sensors(const nb::typed<nb::object, SamplePass> &pass,
                   const std::vector<SampleListener> &listeners);

  // The client sends and takes packets, by the calls of this capsule. `answer`: an answer with nothing but
  // the time, which is its last number; for robots without sensors.
  void use_packets(std::string answer);
  nb::object calls() const { return calls_capsule_; }
  const std::string &answer() const { return answer_; }

  // Steps that the runner makes.
  void share(double before, uint64_t since, double dt, std::optional<double> asked);
  std::optional<std::tuple<double, double>> begun();

  // Steps of a round, which `owner` keeps; `seat` is its number there.
  void join(nb::object owner, DirectRound &round, size_t seat, const Timing &timing,
            std::optional<double> asked);
  void leave() {
    round_ = nullptr;
    round_owner_.reset();
  }

  // 1: the step is done; 0: refused without any effect; -1: begun, and the caller must finish it.
  int step(const nb::typed<nb::object, int> &duration, const Numbers &numbers);
  int carry_out(const unsigned char *request, size_t size);

  // Samples the sensors that are due at the present step; false if Python has to do it.
  bool sample() { return !pass_ || pass_->sample(timing_.at(world_->steps)); }

  // Calls the listeners with the time and the values that wait.
  void tell();

  // Fetches from memory what the controller's next turn needs.
  void prefetch() const;

  std::optional<double> asked() const { return std::isnan(asked_) ? std::optional<double>() : asked_; }
  std::optional<double> due() const { return due_; }
  uint64_t end() const { return timing_.end_at(*due_, begin_); }
  void finish() { due_.reset(); }
  double now() const { return timing_.at(world_->steps); }

  template <class Visit>
  void visit(Visit visit) {
    visit(owner_);
    visit(clock_);
    for (SwitchCommand &one : switches_) visit(one.execute);
    for (MotorTarget &one : targets_) visit(one.owner);
    for (nb::object &one : all_targets_) visit(one);
    visit(pass_owner_);
    visit(round_owner_);
    for (SampleListener &one : sensor_listeners_) visit(one);
  }
  void clear();

 private:
  void prepare(const Timing &timing, std::optional<double> asked);
  bool may_begin(int64_t ms) const;
  int begin(int64_t ms);
  bool read(const unsigned char *request, size_t size);
  bool read_targets(int64_t tag, const unsigned char *data, size_t size, size_t &next);
  bool read_switches(int64_t tag, const unsigned char *data, size_t size, size_t &next);
  bool are_valid() const;
  bool apply();
  void write_answer();
  bool take_switches(const nb::dict &numbers, size_t &found);
  bool turn_switches();
  bool take(const nb::dict &numbers);

  nb::object owner_;
  std::shared_ptr<World> world_;
  std::vector<MotorTarget> targets_;
  std::vector<nb::object> all_targets_;
  std::vector<SwitchCommand> switches_;
  nb::object clock_;
  HostedCalls calls_{};
  nb::object calls_capsule_;  // valid: the client sends and takes packets
  std::string answer_;
  SamplePass *pass_ = nullptr;
  nb::object pass_owner_;
  std::vector<SampleListener> sensor_listeners_;
  std::vector<Reading *> readings_;  // that listen; null for others
  Timing timing_;
  DirectRound *round_ = nullptr;
  nb::object round_owner_;
  size_t seat_ = 0;
  bool is_shared_ = false;
  double asked_ = NAN;  // no request yet: NaN, which is never late
  uint64_t begin_ = 0;
  std::optional<double> due_;
};

}  // namespace wb
