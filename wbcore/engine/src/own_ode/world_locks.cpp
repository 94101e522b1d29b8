// Locks of a world whose islands are solved on several threads: ODE's threading interface, of which steps by
// island_step.h use only the locks.
#include "world_locks.h"

#include <ode/ode.h>

#include <mutex>

#include "config.h"
#include "objects.h"

namespace wb {
namespace {

std::mutex *mutexes(dMutexGroupID id) { return reinterpret_cast<std::mutex *>(id); }

dMutexGroupID allocate(dThreadingImplementationID, dmutexindex_t count, const char *const *) {
  return reinterpret_cast<dMutexGroupID>(new std::mutex[count]);
}
void free_group(dThreadingImplementationID, dMutexGroupID group) { delete[] mutexes(group); }
void lock(dThreadingImplementationID, dMutexGroupID group, dmutexindex_t index) {
  mutexes(group)[index].lock();
}
void unlock(dThreadingImplementationID, dMutexGroupID group, dmutexindex_t index) {
  mutexes(group)[index].unlock();
}

// Nothing is posted, so nothing is waited for.
dCallWaitID allocate_wait(dThreadingImplementationID id) { return reinterpret_cast<dCallWaitID>(id); }
void ignore_wait(dThreadingImplementationID, dCallWaitID) {}
unsigned one_thread(dThreadingImplementationID) { return 1; }

constexpr dxThreadingFunctionsInfo functions_of_locks() {
  dxThreadingFunctionsInfo f{};
  f.struct_size = sizeof f;
  f.alloc_mutex_group = allocate, f.free_mutex_group = free_group;
  f.lock_group_mutex = lock, f.unlock_group_mutex = unlock;
  f.alloc_call_wait = allocate_wait, f.reset_call_wait = f.free_call_wait = ignore_wait;
  f.retrieve_thread_count = one_thread;
  return f;
}

}  // namespace

void give_locks(dWorldID world) {
  static constexpr dxThreadingFunctionsInfo functions = functions_of_locks();
  world->assignThreadingImpl(&functions, reinterpret_cast<dThreadingImplementationID>(world));
}

}  // namespace wb
