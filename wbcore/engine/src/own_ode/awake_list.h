// ODE's list of bodies without those that sleep: a step then takes no time for them.
#pragma once

#include <ode/ode.h>

#include <cstdint>
#include <vector>

namespace wb {

class AwakeList {
 public:
  // Lists the bodies that are awake, and kinematic ones, in ODE's order. `version` changes when a body is
  // added, removed, wakes or falls asleep.
  void update(dWorldID world, uint64_t version);

  // For its lifetime, the world's list has no other bodies, unless `list` is null. No body may be added or
  // removed then.
  class Scope {
   public:
    Scope(dWorldID world, const AwakeList *list);
    ~Scope();
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

   private:
    dWorldID world_;
    const AwakeList *list_;
  };

 private:
  struct Place {
    dBodyID body, next;
  };
  std::vector<Place> places_;
  dBodyID first_ = nullptr;
  uint64_t version_ = ~uint64_t{0};
};

}  // namespace wb
