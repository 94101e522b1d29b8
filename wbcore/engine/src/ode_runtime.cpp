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
thread_local OdeThread this_thread;

std::string format(const char *text, va_list arguments) {
  char line[512];
  std::vsnprintf(line, sizeof line, text, arguments);
  return line;
}

void on_message(int, const char *text, va_list arguments) {
  if (std::strstr(text, "LCP internal error")) {
    ++this_thread.exact_failures;  // the other solver repeats the step, which is counted and not an error
    return;
  }
  std::vector<std::string> *log = this_thread.log;
  if (!log) return;
  if (log->size() >= kMaxMessages) log->erase(log->begin());
  log->push_back(format(text, arguments));
}

// ODE ends the process when an error or debug handler returns, so these throw an exception.
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

OdeThread &enter_ode() {
  OdeThread &thread = this_thread;
  if (thread.prepared) return thread;
  static std::once_flag started;
  std::call_once(started, start_ode);
  if (!dAllocateODEDataForThread(dAllocateMaskAll)) throw EngineError("ODE has no memory for this thread");
  thread.prepared = true;
  return thread;
}

void pass_on(std::vector<std::string> &messages, OdeThread &thread) {
  if (std::vector<std::string> *log = thread.log) {
    log->insert(log->end(), messages.begin(), messages.end());
    if (log->size() > kMaxMessages)
      log->erase(log->begin(), log->end() - static_cast<std::ptrdiff_t>(kMaxMessages));
  }
  messages.clear();
}

bool quick_step(IslandThreads &world, double dt, unsigned long &seed) {
  static std::mutex one_at_a_time;
  std::lock_guard lock(one_at_a_time);
  dRandSetSeed(seed);
  const bool ok = world.step_iteratively(dt);
  seed = dRandGetSeed();
  return ok;
}

int collide_in_turn(dGeomID a, dGeomID b, int flags, dContactGeom *found) {
  static const bool has_own_buffers = dCheckConfiguration("ODE_EXT_mt_collisions") != 0;
  static std::mutex one_at_a_time;
  const bool has_mesh = dGeomGetClass(a) == dTriMeshClass || dGeomGetClass(b) == dTriMeshClass;
  std::unique_lock lock(one_at_a_time, std::defer_lock);
  if (has_mesh && !has_own_buffers) lock.lock();
  return dCollide(a, b, flags, found, sizeof(dContactGeom));
}

}  // namespace wb
