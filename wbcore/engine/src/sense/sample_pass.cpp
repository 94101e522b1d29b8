// Samples the due sensors of a robot in one call, and writes the answer with their values.
#include "sample_pass.h"

#include <bit>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <numeric>

namespace nb = nanobind;

namespace wb {
namespace {

static_assert(std::endian::native == std::endian::little, "packets hold little-endian numbers");

constexpr size_t kAnswerHead = 8;

// Writes a few bytes and numbers, and returns the place behind them. Calls of memcpy would cost more than
// they do.
char *put(char *at, const std::string &head, const double *numbers, size_t count) {
  for (const char one : head) *at++ = one;
  for (size_t i = 0; i < count; ++i, at += sizeof(double)) std::memcpy(at, &numbers[i], sizeof(double));
  return at;
}

// A Python tuple of Python floats.
nb::object vector_of(const double *numbers, int count) {
  nb::object made = nb::steal(PyTuple_New(count));
  for (int i = 0; i < count; ++i) PyTuple_SetItem(made.ptr(), i, PyFloat_FromDouble(numbers[i]));
  return made;
}

}  // namespace

void SamplePass::add(nb::object owner, Source *source, std::string head, double period, double last) {
  if (source->watches()) watchers_.push_back(source);
  const std::vector<int> parts = source->parts();
  const size_t first = numbers_.size();
  const size_t count = std::accumulate(parts.begin(), parts.end(), size_t{0});
  numbers_.resize(first + count);
  longest_ += head.size() + count * sizeof(double);
  entries_.push_back(
      {source, period, last, first, count, false, false, std::move(owner), std::move(head), parts});
}

// False if a source that is due is not usable.
bool SamplePass::begin(double now) {
  for (Source *one : watchers_) one->watch();
  for (const Entry &one : entries_)
    if (is_due(one, now) && !one.source->is_usable()) return false;
  return true;
}

void SamplePass::measure(Entry &entry, double now) {
  const double elapsed = (now - entry.last) / 1000;
  entry.last = now;
  entry.source->measure(elapsed, &numbers_[entry.first]);
  entry.waits = entry.has_values = true;
}

bool SamplePass::sample(double now) {
  if (!begin(now)) return false;
  for (Entry &one : entries_)
    if (is_due(one, now)) measure(one, now);
  return true;
}

std::optional<std::vector<int64_t>> SamplePass::sample_timed(double now) {
  using Clock = std::chrono::steady_clock;
  if (!begin(now)) return {};
  std::vector<int64_t> durations(entries_.size(), -1);
  auto begin = Clock::now();
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (!is_due(entries_[i], now)) continue;
    measure(entries_[i], now);
    const auto end = Clock::now();
    durations[i] = std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin).count();
    begin = end;
  }
  return durations;
}

bool SamplePass::waits() const {
  for (const Entry &one : entries_)
    if (one.waits) return true;
  return false;
}

void SamplePass::write(double seconds, std::string &out) {
  out.resize(kAnswerHead + time_head_.size() + sizeof seconds + longest_);
  char *at = put(out.data() + kAnswerHead, time_head_, &seconds, 1);
  for (Entry &one : entries_) {
    if (!one.waits) continue;
    one.waits = false;
    at = put(at, one.head, &numbers_[one.first], one.count);
  }
  // The head of an answer: its size and its delay.
  out.resize(static_cast<size_t>(at - out.data()));
  const int32_t head[] = {static_cast<int32_t>(out.size()), 0};
  std::memcpy(out.data(), head, sizeof head);
}

nb::tuple values_of(const std::vector<int> &parts, const double *numbers) {
  nb::object made = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(parts.size())));
  for (size_t i = 0; i < parts.size(); ++i) {
    nb::object part = parts[i] == 1 ? nb::steal(PyFloat_FromDouble(*numbers)) : vector_of(numbers, parts[i]);
    PyTuple_SetItem(made.ptr(), static_cast<Py_ssize_t>(i), part.release().ptr());
    numbers += parts[i];
  }
  return nb::borrow<nb::tuple>(made);
}

}  // namespace wb
