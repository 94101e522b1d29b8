// Threads that share a number of equal pieces of work, again and again.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "platform/process.h"

namespace wb {

class BatchCrew {
 public:
  // Pieces of each work, and threads in all, with the one that calls `share`. The others start here, and
  // sleep between the calls.
  BatchCrew(size_t pieces, size_t threads);
  ~BatchCrew();
  BatchCrew(const BatchCrew &) = delete;
  BatchCrew &operator=(const BatchCrew &) = delete;

  // Calls `work` for each piece; each thread takes the next one that is left. Does not wait for threads that
  // have taken none. Rethrows the first exception at the end.
  void share(std::function<void(size_t)> work);

 private:
  void run();
  void work_on();

  const int pieces_;
  std::function<void(size_t)> work_;  // set before `next_` allows to take a piece
  std::atomic<int> next_, done_{0}, round_{0};
  std::atomic<bool> stopping_{false}, failed_{false};
  std::exception_ptr failure_;
  int64_t process_ = process_id();
  std::vector<std::thread> others_;
};

}  // namespace wb
