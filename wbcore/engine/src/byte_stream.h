// Values as bytes, in the order of their fields. Functions that transfer an object serve both directions:
// they get a writer or a reader.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace wb {

class ByteWriter {
 public:
  static constexpr bool reading = false;
  template <class T>
  void operator()(T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const char *p = reinterpret_cast<const char *>(&value);
    bytes.insert(bytes.end(), p, p + sizeof(T));
  }
  std::vector<char> bytes;
};

// Reads them back in the same order.
class ByteReader {
 public:
  static constexpr bool reading = true;
  ByteReader(const char *data, size_t size) : data_(data), size_(size) {}
  template <class T>
  void operator()(T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (sizeof(T) > size_) throw std::invalid_argument("the state is too short");
    std::memcpy(&value, data_, sizeof(T));
    data_ += sizeof(T);
    size_ -= sizeof(T);
  }
  bool at_end() const { return size_ == 0; }
  size_t left() const { return size_; }

 private:
  const char *data_;
  size_t size_;
};

// A count and as many values. A damaged count must not allocate gigabytes.
template <class Io, class T>
void transfer_list(Io &io, std::vector<T> &values) {
  uint64_t count = values.size();
  io(count);
  if constexpr (Io::reading) {
    if (count > io.left() / sizeof(T)) throw std::invalid_argument("the state is damaged");
    values.resize(count);
  }
  for (T &value : values) io(value);
}

}  // namespace wb
