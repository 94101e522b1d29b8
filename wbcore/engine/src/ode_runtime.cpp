// ODE's process-wide state: start-up, data per thread, messages and the seed of its random numbers.
#include "ode_runtime.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "errors.h"

namespace wb {
namespace {

constexpr size_t kMaxMessages = 100;
thread_local std::vector<std::string> *message_log = nullptr;

std::string format(const char *text, va_list arguments) {
  char line[512];
  std::vsnprintf(line, sizeof line, text, arguments);
  return line;
}

thread_local unsigned long lcp_failures = 0;

void on_message(int, const char *text, va_list arguments) {
  if (std::strstr(text, "LCP internal error")) {
    ++lcp_failures;  // the step is made again by the other solver, which is counted and no fault
    return;
  }
  if (!message_log) return;
  if (message_log->size() >= kMaxMessages) message_log->erase(message_log->begin());
  message_log->push_back(format(text, arguments));
}

// ODE ends the process when an error or debug handler returns, so these leave by an exception.
void on_failure(int, const char *text, va_list arguments) {
  throw EngineError("ODE: " + format(text, arguments));
}

void start_ode() {
  if (!dInitODE2(0)) throw EngineError("ODE does not start");
  dSetErrorHandler(on_failure);
  dSetDebugHandler(on_failure);
  dSetMessageHandler(on_message);
}

}  // namespace

unsigned long exact_failures() { return lcp_failures; }

void enter_ode() {
  thread_local bool prepared = false;
  if (prepared) return;
  static std::once_flag started;
  std::call_once(started, start_ode);
  if (!dAllocateODEDataForThread(dAllocateMaskAll)) throw EngineError("ODE has no memory for this thread");
  prepared = true;
}

MessageScope::MessageScope(std::vector<std::string> *log) : previous_(message_log) { message_log = log; }
MessageScope::~MessageScope() { message_log = previous_; }

bool quick_step(dWorldID world, double dt, unsigned long &seed) {
  static std::mutex one_at_a_time;
  std::lock_guard lock(one_at_a_time);
  dRandSetSeed(seed);
  const int ok = dWorldQuickStep(world, dt);
  seed = dRandGetSeed();
  return ok != 0;
}

OwnThreading::OwnThreading(dWorldID world) : implementation_(dThreadingAllocateSelfThreadedImplementation()) {
  if (!implementation_) throw EngineError("ODE has no memory for a threading implementation");
  dWorldSetStepThreadingImplementation(world, dThreadingImplementationGetFunctions(implementation_),
                                       implementation_);
}

void OwnThreading::release() {
  dThreadingFreeImplementation(implementation_);
  implementation_ = nullptr;
}

}  // namespace wb
