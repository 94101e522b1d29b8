// Samples the due sensors of a robot in one call, and writes the answer with their values.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "source.h"

namespace wb {

// Tolerance (ms): times are sums of steps that may not be exact binary fractions.
constexpr double kSlack = 1e-6;

// The numbers of a sample as the arguments of the message's handler.
nanobind::tuple values_of(const std::vector<int> &parts, const double *numbers);

class SamplePass {
 public:
  // `owner` keeps the source alive; `head` are the bytes before its numbers in an answer, which must have
  // its numbers as 8 bytes each. Times are in ms.
  void add(nanobind::object owner, Source *source, std::string head, double period, double last);
  void set_time_head(std::string head) { time_head_ = std::move(head); }

  // Samples what is due at `now` (ms), in the order of addition. False, without any effect, if a source that
  // is due is not usable.
  bool sample(double now);

  // The same; durations in ns, -1 for what is not due. Nothing if a source that is due is not usable.
  std::optional<std::vector<int64_t>> sample_timed(double now);

  // An answer with the time (s) and the values that wait, which then no longer wait.
  std::string packet(double seconds) {
    std::string out;
    write(seconds, out);
    return out;
  }
  void write(double seconds, std::string &out);

  struct Entry {
    // What each step needs comes first.
    Source *source;
    double period, last;
    size_t first, count;  // place of its numbers
    bool waits = false;   // the controller does not have the newest values yet
    bool has_values = false;
    nanobind::object owner;
    std::string head;
    std::vector<int> parts;  // see Source

    // The device's tag and the message's code, with which the head begins.
    unsigned tag() const { return byte(0) | byte(1) << 8; }
    unsigned code() const { return byte(2); }
    unsigned byte(size_t at) const { return static_cast<unsigned char>(head.at(at)); }
  };

  std::vector<Entry> &entries() { return entries_; }
  void clear() { entries_.clear(), watchers_.clear(), longest_ = 0; }
  // The newest numbers of all sensors, in the order of addition.
  const double *numbers() const { return numbers_.data(); }
  size_t count() const { return numbers_.size(); }
  bool waits() const;
  nanobind::tuple values(const Entry &entry) const { return values_of(entry.parts, &numbers_[entry.first]); }

 private:
  bool begin(double now);
  void measure(Entry &entry, double now);
  bool is_due(const Entry &entry, double now) const { return now - entry.last >= entry.period - kSlack; }

  std::vector<Entry> entries_;
  std::vector<Source *> watchers_;
  std::vector<double> numbers_;
  std::string time_head_;
  size_t longest_ = 0;  // size of the values of all entries in an answer, in bytes
};

}  // namespace wb
