// Calls of plugins on systems without signals: a crash ends the process, and nothing ends a call that takes
// too long.
#include "../guarded_call.h"

#include <cstdio>

namespace wb {

void (*tell_crash)(int signal, uintptr_t code) = nullptr;

bool call_guarded(void (*call)(void *), void *data, double, CallFailure &) {
  call(data);
  return true;
}

const char *crash_name(int) { return "Aborted"; }

void write_error(const char *text, size_t size) { std::fwrite(text, 1, size, stderr); }

OutsidePlugin::OutsidePlugin() : landing_(nullptr) {}
OutsidePlugin::~OutsidePlugin() = default;

}  // namespace wb
