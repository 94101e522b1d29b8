// Packets in which only numbers vary.
#pragma once

#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "errors.h"

namespace wb {

static_assert(std::endian::native == std::endian::little, "packets hold little-endian numbers");

// Bytes with places for numbers of 8 bytes.
class Frame {
 public:
  Frame(std::string bytes, std::vector<size_t> places)
      : bytes_(std::move(bytes)), places_(std::move(places)) {
    size_t end = 0;
    for (size_t place : places_) {
      require(place >= end && place + sizeof(double) <= bytes_.size(), "place",
              "behind the number before it, and in the frame", static_cast<double>(place));
      end = place + sizeof(double);
    }
  }

  // Whether a packet differs only by its numbers.
  bool fits(const char *packet, size_t size) const {
    if (size != bytes_.size()) return false;
    size_t at = 0;
    for (size_t place : places_) {
      if (std::memcmp(packet + at, bytes_.data() + at, place - at) != 0) return false;
      at = place + sizeof(double);
    }
    return std::memcmp(packet + at, bytes_.data() + at, size - at) == 0;
  }

  double number(const char *packet, size_t i) const {
    double value;
    std::memcpy(&value, packet + places_[i], sizeof value);
    return value;
  }

 private:
  std::string bytes_;
  std::vector<size_t> places_;
};

}  // namespace wb
