// Objects in reusable slots. A slot's generation distinguishes handles of removed objects from current ones.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "errors.h"

namespace wb {

constexpr uint32_t kNone = 0xffffffffu;

template <class T>
class Slots {
 public:
  explicit Slots(const char *what, uint32_t capacity = kNone) : what_(what), capacity_(capacity) {}

  // Takes the most recently freed slot, or a new one.
  uint32_t add(T value) {
    uint32_t slot;
    if (!free_.empty()) {
      slot = free_.back();
      free_.pop_back();
      *items_[slot] = std::move(value);
    } else {
      slot = static_cast<uint32_t>(items_.size());
      if (slot >= capacity_)
        throw EngineError(std::string("no room for another ") + what_ + ": the world was created for " +
                          std::to_string(capacity_));
      items_.push_back(std::make_unique<T>(std::move(value)));
      generation_.push_back(0);
      alive_.push_back(0);
    }
    alive_[slot] = 1;
    rebuild();
    return slot;
  }

  void remove(uint32_t slot) {
    *items_[slot] = T{};
    alive_[slot] = 0;
    ++generation_[slot];
    free_.push_back(slot);
    rebuild();
  }

  T &at(uint32_t slot, uint32_t generation) {
    if (!holds(slot, generation)) throw HandleError(std::string("this ") + what_ + " was removed");
    return *items_[slot];
  }

  bool holds(uint32_t slot, uint32_t generation) const {
    return slot < items_.size() && alive_[slot] && generation_[slot] == generation;
  }
  bool alive(uint32_t slot) const { return slot < items_.size() && alive_[slot]; }
  T &operator[](uint32_t slot) { return *items_[slot]; }
  const T &operator[](uint32_t slot) const { return *items_[slot]; }
  uint32_t generation(uint32_t slot) const { return generation_[slot]; }
  // Number of slots ever used: the length of arrays indexed by slot.
  uint32_t extent() const { return static_cast<uint32_t>(items_.size()); }
  // The slots in use, in ascending order.
  const std::vector<uint32_t> &live() const {
    if (stale_) collect();
    return live_;
  }
  uint32_t size() const { return extent() - static_cast<uint32_t>(free_.size()); }

 private:
  void rebuild() { stale_ = true; }
  void collect() const {
    live_.clear();
    for (uint32_t i = 0; i < items_.size(); ++i)
      if (alive_[i]) live_.push_back(i);
    stale_ = false;
  }

  const char *what_;
  uint32_t capacity_;
  std::vector<std::unique_ptr<T>> items_;  // adding never moves items: ODE keeps pointers to them
  std::vector<uint32_t> generation_, free_;
  std::vector<uint8_t> alive_;
  mutable std::vector<uint32_t> live_;
  mutable bool stale_ = false;
};

}  // namespace wb
