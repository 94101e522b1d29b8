// Threads that share a number of equal pieces of work, again and again.
#include "batch_crew.h"

#include <utility>

#include "crew_threads.h"

namespace wb {

BatchCrew::BatchCrew(size_t pieces, size_t threads)
    : pieces_(static_cast<int>(pieces)), next_(static_cast<int>(pieces)) {
  without_signals([&] {
    for (size_t i = 1; i < threads; ++i) others_.emplace_back([this] { run(); });
  });
}

BatchCrew::~BatchCrew() {
  if (process_id() != process_) {  // a fork has only the thread that made it
    for (std::thread &one : others_) one.detach();
    return;
  }
  stopping_ = true;
  round_.fetch_add(1);
  round_.notify_all();
  for (std::thread &one : others_) one.join();
}

void BatchCrew::run() {
  for (int seen = 0;;) {
    await_change(round_, seen);
    seen = round_;
    if (stopping_) return;
    work_on();
  }
}

// A thread that wakes late finds nothing, or takes part in the next call of `share`.
void BatchCrew::work_on() {
  while (next_.load(std::memory_order_relaxed) < pieces_) {
    const int piece = next_.fetch_add(1, std::memory_order_acquire);
    if (piece >= pieces_) return;
    try {
      if (!failed_) work_(static_cast<size_t>(piece));
    } catch (...) {
      if (!failed_.exchange(true)) failure_ = std::current_exception();
    }
    if (done_.fetch_add(1) + 1 == pieces_) done_.notify_all();
  }
}

void BatchCrew::share(std::function<void(size_t)> work) {
  work_ = std::move(work);
  failed_ = false;
  done_ = 0;
  next_.store(0, std::memory_order_release);
  if (!others_.empty() && process_id() == process_) {
    round_.fetch_add(1);
    round_.notify_all();
  }
  work_on();
  for (int done; (done = done_.load(std::memory_order_acquire)) != pieces_;) await_change(done_, done);
  if (failed_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace wb
