// Calls of a plugin's functions that may crash, throw or never return: all three end as an EngineError.
#pragma once

#include <csetjmp>
#include <cstdint>

namespace wb {

// How a guarded call failed.
struct CallFailure {
  int signal;  // 0: it took too long
};

// Calls `call(data)` and returns whether it returned. A crash or an elapsed limit abandons it where it is,
// without destructors, so that the state of whatever it used is undefined. Exceptions pass through.
bool call_guarded(void (*call)(void *), void *data, double limit_s, CallFailure &failure);

// Called when a crash outside of guarded calls is about to end the process: in a thread of the plugin's own,
// or in the simulator. It runs in a signal handler. `code` is the address of the faulty instruction; 0:
// unknown.
extern void (*tell_crash)(int signal, uintptr_t code);

// While it exists, this thread is in the simulator's own code, where a failure is not the plugin's.
class OutsidePlugin {
 public:
  OutsidePlugin();
  ~OutsidePlugin();
  OutsidePlugin(const OutsidePlugin &) = delete;
  OutsidePlugin &operator=(const OutsidePlugin &) = delete;

 private:
  sigjmp_buf *landing_;
};

}  // namespace wb
