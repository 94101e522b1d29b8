// The position of a joint's axis or of a track.
#pragma once

#include <variant>

#include "../bind.h"
#include "response.h"
#include "source.h"

namespace wb {

// Position + noise * gaussian (rad or m), rounded to a multiple of `resolution` (manual, PositionSensor).
class JointPosition : public Source {
 public:
  using Measured = std::variant<AxisHandle, TrackHandle>;
  JointPosition(const Measured &measured, double noise, double resolution)
      : measured_(measured), noise_(noise), resolution_(resolution) {}

  bool is_usable() const override {
    return std::visit([](const auto &one) { return valid(one); }, measured_);
  }

  void measure(double, double *values) override {
    double value = std::visit([](const auto &one) { return one.get().position; }, measured_);
    if (noise_ > 0)
      value +=
          noise_ * std::visit([](const auto &one) { return world_of(one).random.gaussian(); }, measured_);
    values[0] = rounded(value, resolution_);
  }

 private:
  static bool valid(const AxisHandle &axis) { return axis.joint.valid(); }
  static bool valid(const TrackHandle &track) { return track.valid(); }
  static World &world_of(const AxisHandle &axis) { return *axis.joint.world; }
  static World &world_of(const TrackHandle &track) { return *track.world; }

  Measured measured_;
  double noise_, resolution_;
};

}  // namespace wb
