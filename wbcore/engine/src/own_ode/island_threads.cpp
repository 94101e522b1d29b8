// Runs ODE's islands on several threads with the same bits as on one.
#include "../island_threads.h"

#include <atomic>
#include <deque>
#include <exception>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../crew_threads.h"
#include "../ode_runtime.h"
#include "../platform/process.h"
#include "awake_list.h"
#include "island_step.h"
#include "world_locks.h"

namespace wb {

// The thread that steps, and workers: each takes the next island that is left. A worker that wakes late finds
// none, so that a step never waits for a sleeping thread.
struct IslandThreads::Crew {
  explicit Crew(dWorldID world) : world(world) {}
  ~Crew() { dismiss(); }

  // What a worker solves in, and its reports for the thread that steps.
  struct Worker {
    IslandMemory memory;
    std::vector<std::string> messages;
    unsigned long exact_failures = 0, sparse_failures = 0;
    std::exception_ptr failure;
    std::thread thread;
  };

  const AwakeList *awake_only() const { return sleepers_apart ? &awake : nullptr; }
  void solve_on_all(const IslandStep &step);
  void solve_rest(const IslandStep &step, dxWorldProcessMemArena *memory);
  void start(uint32_t count);
  void work(Worker &worker, int seen);
  void merge_reports();
  void dismiss();

  static constexpr size_t kClosed = ~size_t{0} / 2;

  dWorldID world;
  std::vector<IslandStep::Island> islands;  // of the current step
  uint32_t threads = 1;
  OdeSolver exact_solver = OdeSolver::sparse;
  AwakeList awake;
  bool sleepers_apart = false;
  int64_t process = process_id();
  const IslandStep *current = nullptr;  // set before `next` lets workers take an island of it
  std::atomic<size_t> next{kClosed};
  std::atomic<int> round{0}, busy{0};
  std::atomic<bool> stopping{false};
  std::deque<Worker> workers;  // their addresses stay
};

IslandThreads::IslandThreads(dWorldID world) : crew_(std::make_unique<Crew>(world)) {}
IslandThreads::~IslandThreads() = default;

void IslandThreads::use(uint32_t threads) {
  if (threads > 1 && crew_->workers.empty()) give_locks(crew_->world);
  crew_->threads = threads;
}

uint32_t IslandThreads::in_use() const { return crew_->threads; }

void IslandThreads::use_sparse_solver(bool on) {
  crew_->exact_solver = on ? OdeSolver::sparse : OdeSolver::exact;
}

void IslandThreads::use_awake(bool sleepers_apart, uint64_t version) {
  crew_->sleepers_apart = sleepers_apart;
  if (sleepers_apart) crew_->awake.update(crew_->world, version);
}

bool IslandThreads::step_exactly(double dt) try {
  const AwakeList::Scope awake(crew_->world, crew_->awake_only());
  const IslandStep step(crew_->world, dt, crew_->exact_solver, crew_->islands);
  if (crew_->threads > 1)
    crew_->solve_on_all(step);
  else
    for (size_t i = 0; i < step.count(); ++i)
      if (!step.solve(i, step.arena())) ++enter_ode().sparse_failures;
  return true;
} catch (const std::bad_alloc &) {
  return false;
}

bool IslandThreads::step_iteratively(double dt) try {
  const AwakeList::Scope awake(crew_->world, crew_->awake_only());
  const IslandStep step(crew_->world, dt, OdeSolver::iterative, crew_->islands);
  for (size_t i = 0; i < step.count(); ++i) step.solve(i, step.arena());
  return true;
} catch (const std::bad_alloc &) {
  return false;
}

bool IslandThreads::step_precisely(double dt, uint32_t &approximate, uint32_t &yielded) try {
  const AwakeList::Scope awake(crew_->world, crew_->awake_only());
  const IslandStep step(crew_->world, dt, OdeSolver::precise, crew_->islands);
  for (size_t i = 0; i < step.count(); ++i) {
    const precise::Outcome outcome = step.solve_precisely(i);
    approximate += outcome == precise::Outcome::approximate;
    yielded += outcome == precise::Outcome::yielded;
  }
  return true;
} catch (const std::bad_alloc &) {
  return false;
}

bool IslandThreads::prepare() { return step_exactly(1); }

void IslandThreads::Crew::solve_on_all(const IslandStep &step) {
  start(threads - 1);
  for (Worker &worker : workers) worker.memory.fit(step.arena());
  current = &step;
  next.store(0);
  round.fetch_add(1);
  round.notify_all();
  std::exception_ptr failure;
  try {
    solve_rest(step, step.arena());
  } catch (...) {
    failure = std::current_exception();
  }
  // Workers that come from now on find it closed; the others have announced themselves before.
  next.store(kClosed);
  for (int left; (left = busy.load()) != 0;) await_change(busy, left);
  merge_reports();
  for (Worker &worker : workers)
    if (std::exception_ptr later = std::exchange(worker.failure, nullptr); !failure) failure = later;
  if (failure) std::rethrow_exception(failure);
}

void IslandThreads::Crew::solve_rest(const IslandStep &step, dxWorldProcessMemArena *memory) {
  for (size_t i; (i = next.fetch_add(1)) < step.count();)
    if (!step.solve(i, memory)) ++enter_ode().sparse_failures;
}

// After a fork, the child has no workers to join: they stay in memory, unused.
void IslandThreads::Crew::start(uint32_t count) {
  if (process != process_id()) dismiss();
  without_signals([&] {
    while (workers.size() < count) {
      Worker &worker = workers.emplace_back();
      worker.thread = std::thread([this, &worker, seen = round.load()] { work(worker, seen); });
    }
  });
}

void IslandThreads::Crew::work(Worker &worker, int seen) {
  OdeThread &thread = enter_ode();
  for (;;) {
    await_change(round, seen);
    seen = round.load();
    if (stopping) return;
    busy.fetch_add(1);
    if (next.load() < kClosed) {
      const unsigned long before = thread.exact_failures, sparse_before = thread.sparse_failures;
      MessageScope scope(thread, &worker.messages);
      try {
        solve_rest(*current, worker.memory.arena());
      } catch (...) {
        worker.failure = std::current_exception();
      }
      worker.exact_failures += thread.exact_failures - before;
      worker.sparse_failures += thread.sparse_failures - sparse_before;
    }
    if (busy.fetch_sub(1) == 1) busy.notify_all();
  }
}

void IslandThreads::Crew::merge_reports() {
  OdeThread &thread = enter_ode();
  for (Worker &worker : workers) {
    thread.exact_failures += std::exchange(worker.exact_failures, 0);
    thread.sparse_failures += std::exchange(worker.sparse_failures, 0);
    pass_on(worker.messages, thread);
  }
}

void IslandThreads::Crew::dismiss() {
  if (process != process_id()) {
    // threads of the parent: their objects cannot be destroyed
    (new std::deque<Worker>)->swap(workers);
    process = process_id();
    return;
  }
  stopping = true;
  round.fetch_add(1);
  round.notify_all();
  for (Worker &worker : workers) worker.thread.join();
}

}  // namespace wb
