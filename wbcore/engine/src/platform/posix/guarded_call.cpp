// Guarded calls: signal handlers that jump out of a plugin, and a thread that watches the time.
#include "../guarded_call.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csetjmp>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <ucontext.h>
#endif

namespace wb {

void (*tell_crash)(int signal, uintptr_t code) = nullptr;

namespace {

constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr auto kTick = std::chrono::milliseconds(100);

// Where a failure in this thread jumps to; null: outside of plugins. Volatile: read by signal handlers.
thread_local sigjmp_buf *volatile landing = nullptr;

std::array<struct sigaction, 65> previous_actions;

#if defined(__linux__)
int timeout_signal() { return SIGRTMIN + 5; }
#else
int timeout_signal() { return SIGUSR2; }
#endif

uintptr_t instruction([[maybe_unused]] const void *context) {
#if defined(__linux__) && defined(__x86_64__)
  return static_cast<uintptr_t>(static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__linux__) && defined(__aarch64__)
  return static_cast<const ucontext_t *>(context)->uc_mcontext.pc;
#else
  return 0;
#endif
}

void on_signal(int signal, siginfo_t *info, void *context) {
  if (sigjmp_buf *to = landing) {
    landing = nullptr;
    siglongjmp(*to, signal);
  }
  if (signal == timeout_signal()) return;
  const struct sigaction &previous = previous_actions[static_cast<size_t>(signal)];
  // handlers with SA_SIGINFO may mend the fault; Python's faulthandler has another one
  if (tell_crash && !(previous.sa_flags & SA_SIGINFO)) tell_crash(signal, instruction(context));
  if (previous.sa_flags & SA_SIGINFO) {
    previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  } else {
    // the default action follows when the faulty instruction is repeated, or at once for abort()
    sigaction(signal, &previous, nullptr);
    if (signal == SIGABRT) raise(signal);
  }
}

// Stays installed: outside of plugins, the handlers pass signals on.
void install_handlers() {
  struct sigaction action{};
  action.sa_sigaction = on_signal;
  // not deferred, because a handler that is left by a jump never ends
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (int signal : kCrashes) sigaction(signal, &action, &previous_actions[static_cast<size_t>(signal)]);
  sigaction(timeout_signal(), &action, nullptr);
}

// A stack overflow leaves no room for its handler.
struct HandlerStack {
  HandlerStack() : memory(1 << 16) {
    stack_t now{};
    if (sigaltstack(nullptr, &now) == 0 && !(now.ss_flags & SS_DISABLE)) return;  // it has one
    stack_t stack{};
    stack.ss_sp = memory.data();
    stack.ss_size = memory.size();
    is_set = sigaltstack(&stack, nullptr) == 0;
  }
  ~HandlerStack() {
    if (!is_set) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }
  std::vector<char> memory;
  bool is_set = false;
};

// A program that waits at a breakpoint is not late.
bool is_debugged() {
  std::FILE *status = std::fopen("/proc/self/status", "re");
  if (!status) return false;
  char line[256];
  int tracer = 0;
  while (std::fgets(line, sizeof line, status))
    if (std::sscanf(line, "TracerPid: %d", &tracer) == 1) break;
  std::fclose(status);
  return tracer != 0;
}

// The calls under way, watched by one thread of the process.
class Watch {
 public:
  struct Call {
    pthread_t thread;
    double limit_s;
    std::atomic<uint64_t> number{0};  // of the current call; 0: none
    uint64_t seen = 0;
    std::chrono::steady_clock::time_point since{};
  };

  static Watch &instance() {
    static Watch *one = new Watch;  // outlives the threads at exit
    return *one;
  }
  void add(Call &call) {
    std::lock_guard lock(mutex_);
    calls_.push_back(&call);
    if (!is_running_) std::thread([this] { run(); }).detach();
    is_running_ = true;
  }
  void remove(Call &call) {
    std::lock_guard lock(mutex_);
    std::erase(calls_, &call);
  }

 private:
  void run() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    for (;;) {
      std::this_thread::sleep_for(kTick);
      std::lock_guard lock(mutex_);
      if (calls_.empty()) {
        is_running_ = false;
        return;
      }
      for (Call *call : calls_) check(*call);
    }
  }
  // The limit counts from when the call was first seen.
  void check(Call &call) {
    const uint64_t number = call.number.load(std::memory_order_relaxed);
    const auto now = std::chrono::steady_clock::now();
    if (number == 0 || number != call.seen) {
      call.seen = number;
      call.since = now;
      return;
    }
    if (std::chrono::duration<double>(now - call.since).count() <= call.limit_s) return;
    if (is_debugged())
      call.since = now;
    else
      pthread_kill(call.thread, timeout_signal());
  }

  std::mutex mutex_;
  std::vector<Call *> calls_;
  bool is_running_ = false;
};

// What a thread needs for guarded calls, made for its first one.
struct ThreadState {
  ThreadState() {
    static std::once_flag installed;
    std::call_once(installed, install_handlers);
    call.thread = pthread_self();
    Watch::instance().add(call);
  }
  ~ThreadState() { Watch::instance().remove(call); }
  HandlerStack stack;
  Watch::Call call;
  uint64_t calls = 0;
};

}  // namespace

bool call_guarded(void (*call)(void *), void *data, double limit_s, CallFailure &failure) {
  thread_local ThreadState state;
  sigjmp_buf here;
  sigjmp_buf *const outer = landing;
  const int signal = sigsetjmp(here, 0);
  if (signal != 0) {
    state.call.number = 0;
    landing = outer;
    failure.signal = signal == timeout_signal() ? 0 : signal;
    return false;
  }
  state.call.limit_s = limit_s;
  state.call.number.store(++state.calls, std::memory_order_relaxed);
  landing = &here;
  try {
    call(data);
  } catch (...) {
    landing = outer;
    state.call.number.store(0, std::memory_order_relaxed);
    throw;
  }
  landing = outer;
  state.call.number.store(0, std::memory_order_relaxed);
  return true;
}

OutsidePlugin::OutsidePlugin() : landing_(landing) { landing = nullptr; }
OutsidePlugin::~OutsidePlugin() { landing = static_cast<sigjmp_buf *>(landing_); }

const char *crash_name(int signal) {
  switch (signal) {
    case SIGSEGV: return "Segmentation fault";
    case SIGBUS: return "Bus error";
    case SIGFPE: return "Floating point exception";
    case SIGILL: return "Illegal instruction";
    default: return "Aborted";
  }
}

void write_error(const char *text, size_t size) {
  if (write(STDERR_FILENO, text, size) < 0) return;  // nobody listens
}

}  // namespace wb
