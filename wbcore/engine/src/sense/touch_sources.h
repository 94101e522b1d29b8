// Measurements of contacts and of the forces that hold a sensor. Source: manual, chapter TouchSensor.
#pragma once

#include <optional>

#include "mount.h"
#include "response.h"
#include "source.h"

namespace wb {

// Bumper: whether one of its geoms has touched anything since the last sample, as 1 or 0.
class Touching : public Source {
 public:
  Touching(std::shared_ptr<World> world, std::vector<uint32_t> geoms, bool touched)
      : touched(touched), world_(std::move(world)), geoms_(std::move(geoms)) {}
  bool is_usable() const override { return true; }
  bool watches() const override { return true; }
  void watch() override;
  void measure(double elapsed, double *values) override;

  bool touched;

 private:
  bool is_touched() const;
  bool is_own(uint32_t geom) const;

  std::shared_ptr<World> world_;
  std::vector<uint32_t> geoms_;
};

// The force (N) of the sensor's body on its parent, in the sensor's axes.
class HoldingForce : public Source {
 public:
  // axis: the only one that counts, forces along it are negative; none: all three.
  HoldingForce(JointHandle joint, Mount mount, Response response, std::optional<Vec3> axis)
      : joint_(std::move(joint)), mount_(std::move(mount)), response_(std::move(response)), axis_(axis) {}
  std::vector<int> parts() const override { return {axis_ ? 1 : 3}; }
  bool is_usable() const override { return joint_.valid() && mount_.is_usable(); }
  void measure(double elapsed, double *values) override;

 private:
  JointHandle joint_;
  Mount mount_;
  Response response_;
  std::optional<Vec3> axis_;
};

}  // namespace wb
