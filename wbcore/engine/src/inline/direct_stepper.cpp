// The direct steps of one inline controller: targets in, values of sensors out.
#include "direct_stepper.h"

#include <cmath>

#include "direct_round.h"

namespace wb {

DirectStepper::DirectStepper(const nb::typed<nb::object, PyWorld> &world)
    : owner_(world),
      world_(nb::cast<PyWorld *>(world)->world),
      calls_{this, step_of, answer_of},
      calls_capsule_(nb::capsule(&calls_, HOSTED_CALLS)) {}

int DirectStepper::step_of(void *context, int duration, const HostedChange *changes, size_t count) {
  try {
    return static_cast<DirectStepper *>(context)->step(duration, changes, count);
  } catch (nb::python_error &error) {
    error.restore();
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return -2;
}

const HostedAnswer *DirectStepper::answer_of(void *context) {
  return &static_cast<DirectStepper *>(context)->answer_;
}

void DirectStepper::set_sensors(const nb::typed<nb::object, SamplePass> &pass) {
  pass_ = nb::cast<SamplePass *>(pass);
  pass_owner_ = pass;
  sensors_.clear();
  for (const SamplePass::Entry &one : pass_->entries())
    sensors_.push_back({one.tag(), one.code(), pass_->numbers() + one.first, one.count});
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
  for (MotorTarget &one : targets_) one.current = &one.motor.get();
}

// Whether a step of this duration may be made here.
bool DirectStepper::may_begin(int duration) const {
  if ((!is_shared_ && !round_) || due_ || duration <= 0) return false;
  // A late answer has to report its delay, which this path cannot.
  if (now() - asked_ - duration > 0.5) return false;
  return !round_ || round_->may_begin(seat_);
}

// Begins the step; its commands were applied.
int DirectStepper::begin(int duration) {
  asked_ = now();
  begin_ = world_->steps;
  due_ = asked_ + duration;
  if (!round_) return -1;
  const nb::object kept = round_owner_;  // the controller may wait longer than the round exists
  return round_->began(seat_);
}

int DirectStepper::step(int duration, const HostedChange *changes, size_t count) {
  return may_begin(duration) && choose(changes, count) && apply() ? begin(duration) : 0;
}

// Notes the commands of the step; false if there are others than targets and switches.
bool DirectStepper::choose(const HostedChange *changes, size_t count) {
  moved_.clear();
  turned_.clear();
  auto target = targets_.cbegin();
  auto turned = switches_.begin();
  for (const HostedChange *one = changes; one < changes + count; ++one) {
    while (target != targets_.cend() && target->key < one->key) ++target;
    if (target != targets_.cend() && target->key == one->key) {
      if (target->is_velocity ? !std::isfinite(one->number) : std::isnan(one->number)) return false;
      moved_.emplace_back(&*target, one->number);
      continue;
    }
    while (turned != switches_.end() && turned->key < one->key) ++turned;
    if (turned == switches_.end() || turned->key != one->key) return false;
    turned_.emplace_back(&*turned, static_cast<int64_t>(one->number));
  }
  return true;
}

// False, and the path with packets repeats the commands, if one needs it.
bool DirectStepper::apply() {
  bool is_cut = false;
  for (const auto &[target, value] : moved_) {
    Motor &motor = *target->current;
    is_cut |= target->is_velocity ? motor.set_velocity(value) : motor.set_position(value);
    target->motor.wake();
  }
  // If a target is cut, the path with packets sets it again and prints the warning.
  if (is_cut) return false;
  for (const auto &[one, wanted] : turned_) {
    if (one->is_known && one->value == wanted) continue;
    one->value = wanted;
    one->is_known = true;
    if (!nb::cast<bool>(one->execute(wanted))) return false;
  }
  return true;
}

void DirectStepper::tell() {
  samples_.clear();
  for (size_t i = 0; i < sensors_.size(); ++i) {
    SamplePass::Entry &one = pass_->entries()[i];
    if (!one.waits) continue;
    one.waits = false;
    samples_.push_back(sensors_[i]);
  }
  answer_ = {now() / 1000, samples_.data(), samples_.size()};
}

void DirectStepper::prefetch() const {
  for (const MotorTarget &one : targets_) __builtin_prefetch(one.current, 1);
  if (!pass_) return;
  for (const SamplePass::Entry &one : pass_->entries()) __builtin_prefetch(&one, 1);
}

void DirectStepper::clear() {
  leave();
  is_shared_ = false;
  targets_.clear();
  switches_.clear();
  sensors_.clear();
  pass_ = nullptr;
  pass_owner_.reset();
}

}  // namespace wb
