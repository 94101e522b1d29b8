// Runs ODE's islands on several threads with the same bits as on one.
#include "island_threads.h"

#include <unistd.h>

#include <mutex>
#include <utility>

#include "crew_threads.h"
#include "errors.h"
#include "ode_runtime.h"

namespace wb {

// A function posted by ODE. It runs when `waits_for` reaches 0, and is finished when it has returned and the
// calls that it added as dependencies of itself are finished.
struct IslandThreads::Call {
  dThreadedCallFunction *run;
  void *context;
  dcallindex_t index;
  std::atomic<size_t> waits_for;
  Call *dependent, *next;
  int *fault;
  bool has_run, failed;
};

// The calls of one job and its successors, in the order in which they become ready.
struct IslandThreads::Lane {
  void push(Call *call) {
    call->next = nullptr;
    (last ? last->next : first) = call;
    last = call;
  }
  Call *pop() {
    Call *call = first;
    if (call && !(first = call->next)) last = nullptr;
    return call;
  }
  Call *take() {
    if (!unused) return &storage.emplace_back();
    Call *call = unused;
    unused = call->next;
    return call;
  }
  void give_back(Call *call) {
    call->next = unused;
    unused = call;
  }
  void clear() {
    first = last = unused = nullptr;
    storage.clear();
  }

  Call *first = nullptr, *last = nullptr, *unused = nullptr;
  std::deque<Call> storage;
  std::atomic<bool> taken{true};
  std::exception_ptr failure;
  // What ODE reported on a worker thread, for the thread that steps.
  std::vector<std::string> messages;
  unsigned long exact_failures = 0;
};

// The worker threads. `round` wakes them, `left` counts the lanes that are not finished.
struct IslandThreads::Crew {
  explicit Crew(IslandThreads &owner) : owner(owner), process(getpid()) {}
  ~Crew() {
    stopping = true;
    round.fetch_add(1);
    round.notify_all();
    for (std::thread &one : workers) one.join();
  }
  void work(Lane &lane, int seen);
  void close_lane() {
    if (left.fetch_sub(1) == 1) left.notify_all();
  }

  IslandThreads &owner;
  pid_t process;
  std::atomic<int> round{0}, left{0};
  std::atomic<bool> stopping{false};
  std::vector<std::thread> workers;
};

namespace {

thread_local void *this_lane = nullptr;

}  // namespace

// The functions that ODE calls, see ode/threading.h.
struct ThreadingFunctions {
  using Call = IslandThreads::Call;
  static IslandThreads &of(dThreadingImplementationID id) { return *reinterpret_cast<IslandThreads *>(id); }
  static Call *call(dCallReleaseeID id) { return reinterpret_cast<Call *>(id); }
  static std::mutex *mutexes(dMutexGroupID id) { return reinterpret_cast<std::mutex *>(id); }

  static dMutexGroupID alloc_mutexes(dThreadingImplementationID, dmutexindex_t count, const char *const *) {
    return reinterpret_cast<dMutexGroupID>(new std::mutex[count]);
  }
  static void free_mutexes(dThreadingImplementationID, dMutexGroupID group) { delete[] mutexes(group); }
  static void lock(dThreadingImplementationID id, dMutexGroupID group, dmutexindex_t index) {
    if (of(id).active_ > 1) mutexes(group)[index].lock();
  }
  static void unlock(dThreadingImplementationID id, dMutexGroupID group, dmutexindex_t index) {
    if (of(id).active_ > 1) mutexes(group)[index].unlock();
  }

  // `wait` runs all calls to their end, so the objects to wait for have no state.
  static dCallWaitID alloc_wait(dThreadingImplementationID id) { return reinterpret_cast<dCallWaitID>(id); }
  static void reset_wait(dThreadingImplementationID, dCallWaitID) {}
  static void free_wait(dThreadingImplementationID, dCallWaitID) {}
  static void wait(dThreadingImplementationID id, int *status, dCallWaitID, const dThreadedWaitTime *,
                   const char *) {
    of(id).run();
    if (status) *status = 1;
  }

  static void post(dThreadingImplementationID id, int *fault, dCallReleaseeID *posted,
                   ddependencycount_t waits_for, dCallReleaseeID dependent, dCallWaitID,
                   dThreadedCallFunction *run, void *context, dcallindex_t index, const char *) {
    Call *made;
    of(id).post(made, waits_for, call(dependent), fault, run, context, index);
    if (posted) *posted = reinterpret_cast<dCallReleaseeID>(made);
  }
  static void alter(dThreadingImplementationID id, dCallReleaseeID target, ddependencychange_t change) {
    of(id).add_waits(call(target), change);
  }
  static unsigned count(dThreadingImplementationID id) { return of(id).active_; }
  static int preallocate(dThreadingImplementationID, ddependencycount_t) { return 1; }

  static constexpr dThreadingFunctionsInfo all() {
    dThreadingFunctionsInfo f{};
    f.struct_size = sizeof f;
    f.alloc_mutex_group = alloc_mutexes, f.free_mutex_group = free_mutexes;
    f.lock_group_mutex = lock, f.unlock_group_mutex = unlock;
    f.alloc_call_wait = alloc_wait, f.reset_call_wait = reset_wait, f.free_call_wait = free_wait;
    f.post_call = post, f.alter_call_dependencies_count = alter, f.wait_call = wait;
    f.retrieve_thread_count = count, f.preallocate_resources_for_calls = preallocate;
    return f;
  }
};

IslandThreads::IslandThreads(dWorldID world) {
  static constexpr dThreadingFunctionsInfo functions = ThreadingFunctions::all();
  use(1);
  dWorldSetStepThreadingImplementation(world, &functions, reinterpret_cast<dThreadingImplementationID>(this));
}

IslandThreads::~IslandThreads() { leave_crew_of_parent(); }

// After a fork, the child has no worker threads to join: the crew stays in memory, unused.
void IslandThreads::leave_crew_of_parent() {
  if (!crew_ || crew_->process == getpid()) return;
  [[maybe_unused]] const Crew *left = crew_.release();
}

void IslandThreads::use(uint32_t threads) {
  active_ = threads;
  while (lanes_.size() < active_) lanes_.emplace_back();
}

// The lane of the running call; calls posted by the step itself are spread over all lanes.
IslandThreads::Lane &IslandThreads::lane() {
  if (active_ == 1) return lanes_[0];
  if (this_lane) return *static_cast<Lane *>(this_lane);
  return lanes_[next_lane_];
}

void IslandThreads::post(Call *&posted, size_t waits_for, Call *dependent, int *fault,
                         dThreadedCallFunction *run, void *context, dcallindex_t index) {
  Lane &at = lane();
  Call *call = posted = at.take();
  call->run = run, call->context = context, call->index = index;
  call->waits_for.store(waits_for, std::memory_order_relaxed);
  call->dependent = dependent, call->fault = fault;
  call->has_run = call->failed = false;
  if (waits_for > 0) return;
  at.push(call);
  if (active_ > 1 && !this_lane) next_lane_ = (next_lane_ + 1) % active_;
}

void IslandThreads::add_waits(Call *call, ddependencychange_t change) {
  const size_t before = call->waits_for.fetch_add(static_cast<size_t>(change), std::memory_order_acq_rel);
  if (before + static_cast<size_t>(change) != 0) return;
  if (call->has_run)
    finish(lane(), call);
  else
    lane().push(call);
}

void IslandThreads::finish(Lane &at, Call *call) {
  Call *dependent = call->dependent;
  if (call->failed) {
    if (call->fault) *call->fault = 1;
    if (dependent) dependent->failed = true;
  }
  at.give_back(call);
  if (dependent) add_waits(dependent, -1);
}

// Runs a lane until nothing is left. No other lane adds calls to it.
void IslandThreads::drain(Lane &at) {
  this_lane = &at;
  try {
    while (Call *call = at.pop()) {
      call->has_run = true;
      call->waits_for.store(1, std::memory_order_relaxed);
      if (!call->run(call->context, call->index, reinterpret_cast<dCallReleaseeID>(call)))
        call->failed = true;
      add_waits(call, -1);
    }
  } catch (...) {
    at.failure = std::current_exception();
  }
  this_lane = nullptr;
}

void IslandThreads::Crew::work(Lane &lane, int seen) {
  OdeThread &thread = enter_ode();
  for (;;) {
    await_change(round, seen);
    seen = round.load();
    if (stopping) return;
    if (lane.taken.exchange(true, std::memory_order_acq_rel)) continue;
    const unsigned long before = thread.exact_failures;
    {
      MessageScope scope(thread, &lane.messages);
      owner.drain(lane);
    }
    lane.exact_failures = thread.exact_failures - before;
    close_lane();
  }
}

void IslandThreads::start_crew(uint32_t workers) {
  leave_crew_of_parent();
  if (!crew_) crew_ = std::make_unique<Crew>(*this);
  BlockedSignals blocked;
  while (crew_->workers.size() < workers) {
    Lane &lane = lanes_[crew_->workers.size() + 1];
    crew_->workers.emplace_back(
        [crew = crew_.get(), &lane, seen = crew_->round.load()] { crew->work(lane, seen); });
  }
}

// Lanes that no worker has begun are run by this thread, so that a step never waits for a sleeping worker.
void IslandThreads::run() {
  if (active_ > 1) {
    start_crew(active_ - 1);
    crew_->left.store(static_cast<int>(active_ - 1));
    for (uint32_t i = 1; i < active_; ++i) lanes_[i].taken.store(false, std::memory_order_release);
    crew_->round.fetch_add(1);
    crew_->round.notify_all();
  }
  drain(lanes_[0]);
  for (uint32_t i = 1; i < active_; ++i) {
    if (lanes_[i].taken.exchange(true, std::memory_order_acq_rel)) continue;
    drain(lanes_[i]);
    crew_->close_lane();
  }
  if (active_ > 1)
    for (int left; (left = crew_->left.load()) != 0;) await_change(crew_->left, left);
  next_lane_ = 0;
  merge_reports();
}

// Passes the workers' reports to the thread that steps. After a failure, unfinished calls are dropped.
void IslandThreads::merge_reports() {
  std::exception_ptr failure = lanes_[0].failure;
  if (active_ > 1) {
    OdeThread &thread = enter_ode();
    for (Lane &one : lanes_) {
      thread.exact_failures += std::exchange(one.exact_failures, 0);
      pass_on(one.messages, thread);
      if (!failure) failure = one.failure;
    }
  }
  if (!failure) return;
  for (Lane &one : lanes_) one.clear(), one.failure = nullptr;
  std::rethrow_exception(failure);
}

}  // namespace wb
