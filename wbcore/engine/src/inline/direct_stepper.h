// The direct steps of one inline controller: targets in, values of sensors out.
#pragma once

#include <cmath>
#include <optional>
#include <tuple>
#include <vector>

#include "../../../../libcontroller/src/hosted_calls.h"
#include "free_steps.h"

namespace wb {

using namespace nb::literals;
using Handler = nb::typed<nb::callable, bool(int)>;

class DirectRound;

// A command that sets a motor's target.
struct MotorTarget {
  int64_t key;
  MotorHandle motor;
  bool is_velocity;
  Motor *current = nullptr;  // the handle's motor, while steps are allowed
};

// A command that Python executes, when its number changes. It returns false if no further direct step is
// possible.
struct SwitchCommand {
  int64_t key;
  Handler execute;
  bool is_known = false;
  int64_t value = 0;
};

class DirectStepper {
 public:
  explicit DirectStepper(const nb::typed<nb::object, PyWorld> &world);

  // Commands are added in the order of their keys (see HostedChange).
  void add_target(int64_t key, const MotorHandle &motor, bool is_velocity) {
    targets_.push_back({key, motor, is_velocity});
  }
  void add_switch(int64_t key, const Handler &execute) { switches_.push_back({key, execute}); }
  void set_sensors(const nb::typed<nb::object, SamplePass> &pass);

  // The calls for the client, and what they do (see HostedCalls).
  nb::object calls() const { return calls_capsule_; }
  int step(int duration, const HostedChange *changes, size_t count);
  const HostedAnswer &answer() const { return answer_; }

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

  // Samples the sensors that are due at the present step; false if Python has to do it.
  bool sample() { return !pass_ || pass_->sample(timing_.at(world_->steps)); }

  // Prepares the answer with the time and the values that wait.
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
    for (SwitchCommand &one : switches_) visit(one.execute);
    visit(pass_owner_);
    visit(round_owner_);
  }
  void clear();

 private:
  static int step_of(void *context, int duration, const HostedChange *changes, size_t count);
  static const HostedAnswer *answer_of(void *context);
  void prepare(const Timing &timing, std::optional<double> asked);
  bool may_begin(int duration) const;
  int begin(int duration);
  bool choose(const HostedChange *changes, size_t count);
  bool apply();

  nb::object owner_;
  std::shared_ptr<World> world_;
  std::vector<MotorTarget> targets_;
  std::vector<SwitchCommand> switches_;
  // The commands of the present step.
  std::vector<std::pair<const MotorTarget *, double>> moved_;
  std::vector<std::pair<SwitchCommand *, int64_t>> turned_;
  HostedCalls calls_{};
  nb::object calls_capsule_;
  HostedAnswer answer_{};
  std::vector<HostedSample> sensors_;  // of all entries of the pass
  std::vector<HostedSample> samples_;  // of the answer
  SamplePass *pass_ = nullptr;
  nb::object pass_owner_;
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
