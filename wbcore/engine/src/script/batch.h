// The same steps in many worlds, on several threads.
#pragma once

#include <vector>

#include "../batch_crew.h"
#include "stepper.h"

namespace wb {

class ScriptBatch {
 public:
  ScriptBatch(size_t worlds, size_t threads) : crew_(worlds, threads), worlds_(worlds) {}

  // Sets the steps of a world; None: the next calls leave it out.
  void set(size_t index, const nb::object &stepper);
  // Makes steps in each world; returns what `ScriptStepper::run` returns for each, and the count for those
  // that are left out.
  std::vector<int64_t> step(int64_t count);

  template <class Visit>
  void visit(Visit visit) {
    for (World &one : worlds_) visit(one.owner);
  }
  void clear() {
    for (World &one : worlds_) one = {};
  }

 private:
  struct World {
    nb::object owner;
    ScriptStepper *stepper = nullptr;
  };

  BatchCrew crew_;
  std::vector<World> worlds_;
};

}  // namespace wb
