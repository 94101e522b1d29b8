// Calls of a plugin's functions that may crash, throw or never return: all three end as an EngineError.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wb {

// How a guarded call failed.
struct CallFailure {
  int signal;  // 0: it took too long
};

// Calls `call(data)` and returns whether it returned. A crash or an elapsed limit abandons it where it is,
// without destructors, so that the state of whatever it used is undefined. Exceptions pass through. Systems
// without signals guard nothing (plain/).
bool call_guarded(void (*call)(void *), void *data, double limit_s, CallFailure &failure);

// Called when a crash outside of guarded calls is about to end the process: in a thread of the plugin's own,
// or in the simulator. It runs in a signal handler. `code` is the address of the faulty instruction; 0:
// unknown.
extern void (*tell_crash)(int signal, uintptr_t code);

// The name of such a signal. Signal handlers may call it.
const char *crash_name(int signal);

// Writes to stderr, also in a signal handler.
void write_error(const char *text, size_t size);

// While it exists, this thread is in the simulator's own code, where a failure is not the plugin's.
class OutsidePlugin {
 public:
  OutsidePlugin();
  ~OutsidePlugin();  // NOLINT(performance-trivially-destructible): empty on some systems only
  OutsidePlugin(const OutsidePlugin &) = delete;
  OutsidePlugin &operator=(const OutsidePlugin &) = delete;

 private:
  [[maybe_unused]] void *landing_;  // of a failure in the plugin
};

}  // namespace wb
