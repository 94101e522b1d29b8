// Direct steps of a client that sends and takes packets: requests are carried out, and answers written,
// without Python.
#include <cmath>
#include <cstring>

#include "direct_round.h"
#include "direct_stepper.h"

namespace wb {
namespace {

// Layout of a request: its size and duration, then blocks with the commands of a device each.
constexpr size_t kHead = 8, kBlockHead = 6;
// Commands of motors have a code of two bytes and a double; those with an integer a byte and four bytes.
constexpr size_t kTarget = 10, kSwitch = 5;
constexpr int kTagBits = 16;

template <class T>
T number_at(const unsigned char *data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

int step_of(void *context, const unsigned char *request, size_t size) {
  try {
    return static_cast<DirectStepper *>(context)->carry_out(request, size);
  } catch (nb::python_error &error) {
    error.restore();
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return -2;
}

const char *answer_of(void *context, size_t *size) {
  const std::string &answer = static_cast<DirectStepper *>(context)->answer();
  *size = answer.size();
  return answer.data();
}

}  // namespace

void DirectStepper::use_packets(std::string answer) {
  require(answer.size() > sizeof(double), "size of an answer", "above that of a number",
          static_cast<double>(answer.size()));
  answer_ = std::move(answer);
  calls_ = {this, step_of, answer_of};
  calls_capsule_ = nb::capsule(&calls_, HOSTED_CALLS);
}

int DirectStepper::carry_out(const unsigned char *request, size_t size) {
  if (size < kHead) return 0;
  const int64_t ms = number_at<uint32_t>(request + 4);
  if (!may_begin(ms) || !read(request, size) || !are_valid() || !apply()) return 0;
  return begin(ms);
}

// Notes the commands of a request; false if there are others than targets and switches.
bool DirectStepper::read(const unsigned char *request, size_t size) {
  for (MotorTarget &one : targets_) one.is_set = false;
  for (SwitchCommand &one : switches_) one.is_set = false;
  size_t target = 0, turned = 0;  // commands come in the order of their keys
  for (size_t at = kHead; at < size;) {
    if (size - at < kBlockHead) return false;
    const int64_t tag = number_at<uint16_t>(request + at);
    const size_t length = number_at<uint32_t>(request + at + 2);
    const unsigned char *data = request + at + kBlockHead;
    if (length > size - at - kBlockHead) return false;
    if (!read_targets(tag, data, length, target) && !read_switches(tag, data, length, turned)) return false;
    at += kBlockHead + length;
  }
  return true;
}

bool DirectStepper::read_targets(int64_t tag, const unsigned char *data, size_t size, size_t &next) {
  if (size % kTarget) return false;
  for (size_t at = 0; at < size; at += kTarget) {
    const int64_t key = tag << kTagBits | number_at<uint16_t>(data + at);
    while (next < targets_.size() && targets_[next].number < key) ++next;
    if (next == targets_.size() || targets_[next].number != key) return false;
    targets_[next].is_set = true;
    targets_[next].value = number_at<double>(data + at + 2);
  }
  return true;
}

bool DirectStepper::read_switches(int64_t tag, const unsigned char *data, size_t size, size_t &next) {
  if (size % kSwitch) return false;
  for (size_t at = 0; at < size; at += kSwitch) {
    const int64_t key = tag << kTagBits | data[at];
    while (next < switches_.size() && switches_[next].number < key) ++next;
    if (next == switches_.size() || switches_[next].number != key) return false;
    switches_[next].is_set = true;
    switches_[next].wanted = number_at<int32_t>(data + at + 1);
  }
  return true;
}

bool DirectStepper::are_valid() const {
  for (const MotorTarget &one : targets_) {
    if (!one.is_set) continue;
    if (one.is_velocity ? !std::isfinite(one.value) : std::isnan(one.value)) return false;
  }
  return true;
}

void DirectStepper::write_answer() {
  const double seconds = now() / 1000;
  if (pass_)
    pass_->write(seconds, answer_);
  else
    std::memcpy(answer_.data() + answer_.size() - sizeof seconds, &seconds, sizeof seconds);
}

}  // namespace wb
