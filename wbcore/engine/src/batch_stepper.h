// Steps of robots in many worlds in one call: numbers for motors in, numbers of sensors out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <vector>

#include "batch_crew.h"
#include "bind.h"
#include "inline/free_steps.h"

namespace wb {

// What a number sets.
enum class Drive : uint8_t { kPosition, kVelocity, kForce };

enum class Ending : uint8_t { kDone, kNotReady, kBroken };

class BatchStepper {
 public:
  using Numbers = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  using Readings = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  using Bounds = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  using Endings = nb::ndarray<uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

  // Bounds have a row of the lowest and a row of the highest readings.
  BatchStepper(size_t copies, size_t steps, const Bounds &bounds, size_t threads);

  // A world with the motors that numbers drive, and the pass over its sensors. The clock is at `before` (s)
  // at step `since`.
  void set(size_t index, const nb::typed<nb::object, PyWorld> &world, const std::vector<MotorHandle> &motors,
           const std::vector<int> &drives, const nb::typed<nb::object, SamplePass> &pass, double before,
           uint64_t since, double dt);
  // The next steps leave this copy out.
  void leave_out(size_t index) { copies_.at(index).is_in = false; }

  // Steps the copies. Rows are copies. Readings are clipped to their bounds; 0 is what could not be measured.
  void step(const Numbers &actions, const Readings &readings, const Endings &endings);

  template <class Visit>
  void visit(Visit visit) {
    for (Copy &one : copies_) {
      visit(one.world_owner);
      visit(one.pass_owner);
    }
  }
  void clear() { copies_.clear(); }

 private:
  struct Driven {
    MotorHandle motor;
    Drive drive;
  };
  struct Copy {
    nb::object world_owner, pass_owner;
    std::shared_ptr<World> world;
    SamplePass *pass = nullptr;
    std::vector<Driven> motors;
    Timing timing;
    bool is_in = false;
  };

  Ending step_copy(Copy &copy, const float *actions, float *readings);

  std::vector<Copy> copies_;
  size_t steps_;
  std::vector<float> low_, high_;
  BatchCrew crew_;
};

}  // namespace wb
