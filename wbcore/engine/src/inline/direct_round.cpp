// Rounds: inline controllers run one after the other, then the world steps, without Python between them.
#include "direct_round.h"

namespace wb {

DirectRound::DirectRound(const nb::typed<nb::object, PyWorld> &world, Space space, nb::object holder,
                         nb::object enter, nb::object to_hub)
    : world_owner_(world),
      world_(nb::cast<PyWorld *>(world)->world),
      space_(std::move(space)),
      holder_(std::move(holder)),
      enter_(std::move(enter)),
      to_hub_(std::move(to_hub)) {}

void DirectRound::add(const nb::typed<nb::object, DirectStepper> &stepper, nb::object resume,
                      nb::object deliver, const nb::typed<nb::object, ProcessFields> &process,
                      nb::object state, nb::object robot, nb::object connection) {
  Activation active{nb::cast<ProcessFields *>(process), process, std::move(state), std::move(robot),
                    std::move(connection)};
  seats_.push_back({stepper, nb::cast<DirectStepper *>(stepper), std::move(resume), std::move(deliver),
                    std::move(active)});
}

void DirectRound::open(const nb::object &self, const Timing &timing,
                       const std::vector<std::optional<double>> &asked) {
  require(asked.size() == seats_.size(), "number of times", "that of the controllers",
          static_cast<double>(asked.size()));
  timing_ = timing;
  for (size_t i = 0; i < seats_.size(); ++i) {
    Seat &one = seats_[i];
    one.stepper->join(self, *this, i, timing, asked[i]);
    one.phase = Phase::kReady;
    one.is_delivered = true;
    one.told.reset();
  }
  cursor_ = 0;
  free_.made = 0;
  is_open_ = true;
  is_broken_off_ = false;
}

void DirectRound::run(uint64_t steps, double seconds) {
  free_.open(steps, seconds);
  running_ = -1;
  const int first = next();
  if (first >= 0) hand_over(-1, static_cast<size_t>(first));
}

std::vector<DirectRound::Result> DirectRound::close() {
  is_open_ = false;
  free_.close();
  std::vector<Result> found;
  found.reserve(seats_.size());
  for (Seat &one : seats_) {
    if (one.phase == Phase::kReady && !one.is_delivered) {
      tell(one);
      one.deliver();
    }
    found.push_back({one.stepper->asked(), one.stepper->due(), one.told});
    one.stepper->leave();
  }
  return found;
}

int DirectRound::began(size_t seat) {
  Seat &own = seats_[seat];
  own.phase = Phase::kWaits;
  own.end = own.stepper->end();
  const int chosen = next();
  if (chosen == static_cast<int>(seat)) {
    own.phase = Phase::kRuns;
    tell(own);
    return 1;
  }
  own.is_inside = true;
  own.is_resumed = false;
  try {
    if (chosen < 0) {
      running_ = -1;
      switch_to(to_hub_);
    } else {
      hand_over(static_cast<int>(seat), static_cast<size_t>(chosen));
    }
  } catch (...) {
    seats_[seat].is_inside = false;
    throw;
  }
  Seat &now = seats_[seat];  // the round may have got more seats
  now.is_inside = false;
  if (!now.is_resumed) return -1;
  tell(now);
  return 1;
}

// Returns the controller that goes on next, after as many steps as needed; -1 if no step can be made.
int DirectRound::next() {
  while (true) {
    for (; cursor_ < seats_.size(); ++cursor_)
      if (seats_[cursor_].phase == Phase::kReady) return static_cast<int>(cursor_++);
    cursor_ = seats_.size();
    if (is_broken_off_ || free_.left() == 0 || free_.is_time_over()) return -1;
    if (!advance()) {
      is_broken_off_ = true;
      return -1;
    }
  }
}

// Makes a step and samples all sensors, in the order of the controllers.
bool DirectRound::advance() {
  if (!free_.advance(*world_)) return false;
  for (Seat &one : seats_)
    if (!one.stepper->sample()) return false;
  for (Seat &one : seats_) {
    if (world_->steps < one.end) continue;
    one.phase = Phase::kReady;
    one.is_delivered = false;
    one.stepper->finish();
    cursor_ = 0;
  }
  return true;
}

void DirectRound::hand_over(int from, size_t to) {
  Seat &next = seats_[to];
  const Activation &active = next.active;
  if (from < 0 || !seats_[static_cast<size_t>(from)].active.process->hand_over(*active.process))
    enter_(active.state);
  else
    nb::setattr(holder_, "active", active.state);
  space_["_robot"] = active.robot;
  space_["_connect"] = active.connection;
  running_ = static_cast<int>(to);
  next.phase = Phase::kRuns;
  if (next.is_inside && !next.is_delivered) {
    next.is_resumed = true;
  } else if (!next.is_delivered) {
    tell(next);
    next.deliver();
  }
  next.is_delivered = false;
  if (to + 1 < seats_.size()) seats_[to + 1].stepper->prefetch();
  switch_to(nb::object(next.resume));
}

void DirectRound::switch_to(const nb::object &resume) {
  PyObject *result = PyObject_CallNoArgs(resume.ptr());
  if (!result) throw nb::python_error();
  Py_DECREF(result);
}

void DirectRound::tell(Seat &seat) {
  seat.stepper->tell();
  seat.told = seat.stepper->now();
}

}  // namespace wb
