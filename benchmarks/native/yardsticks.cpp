// Yardsticks that need no simulator: a loop, and messages between two processes.
#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t message_bytes = 64;

bool receive(int socket, char *message) {
  return recv(socket, message, message_bytes, MSG_WAITALL) == static_cast<ssize_t>(message_bytes);
}

bool transmit(int socket, const char *message) {
  return send(socket, message, message_bytes, MSG_NOSIGNAL) == static_cast<ssize_t>(message_bytes);
}

// Returns messages until the other side closes the socket.
[[noreturn]] void answer(int socket) {
  char message[message_bytes];
  while (receive(socket, message) && transmit(socket, message)) {
  }
  _exit(0);
}

std::vector<double> round_trips(int socket, int rounds) {
  char message[message_bytes] = {};
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    const auto start = Clock::now();
    if (!transmit(socket, message) || !receive(socket, message)) break;
    times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  return times;
}

}  // namespace

extern "C" {

// Returns the seconds of `count` steps of a loop in which each step needs the result of the one before.
double plain_loop(long count) {
  const auto start = Clock::now();
  double x = 0.3;
  for (long i = 0; i < count; ++i) x = 3.7 * x * (1 - x);
  const volatile double result = x;
  const std::chrono::duration<double> taken = Clock::now() - start;
  return result < 2 ? taken.count() : 0;
}

// Calls a function with each of `count` numbers, or pairs of them.
void plain_one(double (*function)(double), const double *x, double *results, long count) {
  for (long i = 0; i < count; ++i) results[i] = function(x[i]);
}

void plain_two(double (*function)(double, double), const double *x, const double *y, double *results,
               long count) {
  for (long i = 0; i < count; ++i) results[i] = function(x[i], y[i]);
}

// Sends messages to a process on the same processor, which returns them; returns the median of the seconds of
// a round trip, -1 on failure.
double plain_echo(int rounds) {
  int pair[2];
  cpu_set_t usable, here;
  if (sched_getaffinity(0, sizeof usable, &usable) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return -1;
  CPU_ZERO(&here);
  CPU_SET(sched_getcpu(), &here);
  sched_setaffinity(0, sizeof here, &here);
  const pid_t child = fork();
  if (child == 0) {
    close(pair[0]);
    answer(pair[1]);
  }
  close(pair[1]);
  std::vector<double> times = child < 0 ? std::vector<double>{} : round_trips(pair[0], rounds);
  close(pair[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  sched_setaffinity(0, sizeof usable, &usable);
  if (times.empty() || times.size() < static_cast<size_t>(rounds)) return -1;
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  return times[rounds / 2];
}

}  // extern "C"
