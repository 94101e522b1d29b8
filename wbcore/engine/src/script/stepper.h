// Steps of a world whose robots a script drives: physics, and the samples of their sensors.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "../bind_world.h"
#include "../inline/free_steps.h"

namespace wb {

class ScriptStepper {
 public:
  using Numbers = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

  explicit ScriptStepper(const nb::typed<nb::object, PyWorld> &world)
      : owner_(world), world_(nb::cast<PyWorld *>(world)->world) {}

  // A pass over the sensors of a robot, and where its numbers are copied to: the place of each sensor's first
  // number.
  void add(const nb::typed<nb::object, SamplePass> &pass, const Numbers &numbers,
           const std::vector<size_t> &places);
  // The clock is at `before` (s) at step `since`.
  void set_clock(double before, uint64_t since, double dt) { timing_ = {before, since, dt}; }

  // Makes steps; returns how many. It stops after a step whose samples Python has to take: the number is
  // negative then.
  int64_t step(int64_t count);
  // The same, without the interpreter: for threads. A failure is kept for `raise_failure`; 0 then.
  int64_t run(int64_t count) noexcept;
  void raise_failure() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  template <class Visit>
  void visit(Visit visit) {
    visit(owner_);
    for (Robot &one : robots_) visit(one.owner);
  }
  void clear() { robots_.clear(); }

 private:
  struct Robot {
    nb::object owner;
    SamplePass *pass;
    Numbers numbers;
    std::vector<size_t> places;
  };

  bool advance();
  void copy_numbers();

  nb::object owner_;
  std::shared_ptr<World> world_;
  std::vector<Robot> robots_;
  Timing timing_;
  std::exception_ptr failure_;
};

}  // namespace wb
