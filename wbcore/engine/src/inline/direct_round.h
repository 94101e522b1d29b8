// Rounds: inline controllers run one after the other, then the world steps, without Python between them.
#pragma once

#include <vector>

#include "direct_stepper.h"
#include "process_fields.h"

namespace wb {

// What is activated when a controller runs.
struct Activation {
  ProcessFields *process = nullptr;
  nb::object owner;              // of `process`
  nb::object state;              // the same for Python
  nb::object robot, connection;  // of the API
};

class DirectRound {
 public:
  // The times (ms) of a controller's last request, of its end unless it has ended, and of its last values.
  using Result = std::tuple<std::optional<double>, std::optional<double>, std::optional<double>>;

  // space: where the API keeps the robot that is active; holder: keeps the active state in `active`;
  // enter: gives the process to a state; to_hub: switches to the scheduler of the controllers.
  using Space = nb::typed<nb::dict, nb::str, nb::any>;
  DirectRound(const nb::typed<nb::object, PyWorld> &world, Space space, nb::object holder, nb::object enter,
              nb::object to_hub);

  // resume: switches to the controller; deliver: informs one that does not wait in a direct step.
  void add(const nb::typed<nb::object, DirectStepper> &stepper, nb::object resume, nb::object deliver,
           const nb::typed<nb::object, ProcessFields> &process, nb::object state, nb::object robot,
           nb::object connection);

  // All controllers are about to go on; their answers were delivered. `asked`: their last requests (ms).
  void open(const nb::object &self, const Timing &timing, const std::vector<std::optional<double>> &asked);

  // Runs controllers and steps until one needs the scheduler, which becomes `running`, or until no free
  // steps are left: then all wait, and `running` is -1.
  void run(uint64_t steps, double seconds);
  int running() const { return running_; }
  // A step was made, but not all sensors were sampled or it failed.
  bool is_broken_off() const { return is_broken_off_; }

  // Ends the round: controllers whose step has ended are informed.
  std::vector<Result> close();
  uint64_t made() const { return free_.made; }
  void raise_failure() { free_.raise_failure(); }

  // For steppers: whether a controller may begin a step, and what happens next (see DirectStepper::step).
  bool may_begin(size_t seat) const { return is_open_ && running_ == static_cast<int>(seat); }
  int began(size_t seat);

  template <class Visit>
  void visit(Visit visit) {
    for (nb::object *one : {&world_owner_, &holder_, &enter_, &to_hub_}) visit(*one);
    for (Seat &seat : seats_)
      for (nb::object *one : {&seat.owner, &seat.resume, &seat.deliver, &seat.active.owner,
                              &seat.active.state, &seat.active.robot, &seat.active.connection})
        visit(*one);
  }
  void clear() { seats_.clear(); }

 private:
  enum class Phase { kRuns, kWaits, kReady };
  struct Seat {
    nb::object owner;  // of the stepper
    DirectStepper *stepper;
    nb::object resume, deliver;
    Activation active;
    Phase phase = Phase::kReady;
    uint64_t end = 0;           // number of steps at which its step ends
    bool is_inside = false;     // it waits in `began`
    bool is_resumed = false;    // by this round
    bool is_delivered = false;  // its answer waits for it
    std::optional<double> told{};
  };

  int next();
  bool advance();
  void hand_over(int from, size_t to);
  void switch_to(const nb::object &resume);
  void tell(Seat &seat);

  nb::object world_owner_;
  std::shared_ptr<World> world_;
  nb::dict space_;
  nb::object holder_, enter_, to_hub_;
  std::vector<Seat> seats_;
  FreeSteps free_;
  Timing timing_;
  size_t cursor_ = 0;
  int running_ = -1;
  bool is_open_ = false, is_broken_off_ = false;
};

}  // namespace wb
