// ODE's process-wide state: start-up, data per thread, messages and the seed of its random numbers.
#pragma once

#include <ode/ode.h>

#include <string>
#include <vector>

namespace wb {

// What one thread has of ODE.
struct OdeThread {
  bool prepared = false;
  std::vector<std::string> *log = nullptr;  // takes ODE's messages
  // How often the exact solver gave up. What such a step leaves behind is no motion.
  unsigned long exact_failures = 0;
};

// Starts ODE once and prepares the calling thread; cheap when already done.
OdeThread &enter_ode();

// ODE's messages of this thread go to `log` while this object lives (newest last, a bounded number).
class MessageScope {
 public:
  MessageScope(OdeThread &thread, std::vector<std::string> *log) : thread_(thread), previous_(thread.log) {
    thread.log = log;
  }
  ~MessageScope() { thread_.log = previous_; }
  MessageScope(const MessageScope &) = delete;
  MessageScope &operator=(const MessageScope &) = delete;

 private:
  OdeThread &thread_;
  std::vector<std::string> *previous_;
};

// Runs dWorldQuickStep with `seed` as ODE's seed and keeps the seed it leaves. The seed is global in ODE, so
// only one thread is inside at a time; worlds stay independent of each other.
bool quick_step(dWorldID world, double dt, unsigned long &seed);

// A self-threaded implementation owned by one world: without it all worlds share one and collide.
class OwnThreading {
 public:
  explicit OwnThreading(dWorldID world);
  void release();

 private:
  dThreadingImplementationID implementation_;
};

}  // namespace wb
