// This process, as POSIX systems know it.
#include "../process.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sched.h>
#endif

namespace wb {
namespace {

struct BlockedSignals {
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
  sigset_t before;
};

}  // namespace

int64_t process_id() { return getpid(); }

size_t usable_processors() {
#if defined(__linux__)
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof usable, &usable) == 0)
    return std::max<size_t>(static_cast<size_t>(CPU_COUNT(&usable)), 1);
#endif
  return std::max<size_t>(std::thread::hardware_concurrency(), 1);
}

void without_signals(const std::function<void()> &start) {
  BlockedSignals blocked;
  start();
}

std::string current_folder() {
  std::vector<char> text(256);
  while (!getcwd(text.data(), text.size())) {
    if (errno != ERANGE) return "";
    text.resize(2 * text.size());
  }
  return text.data();
}

bool enter_folder(const std::string &folder) { return chdir(folder.c_str()) == 0; }

}  // namespace wb
