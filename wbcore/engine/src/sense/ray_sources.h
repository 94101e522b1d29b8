// Measurements with rays: mean distance, echo, and reflected infra-red light.
#pragma once

#include "../bind.h"
#include "../scene/scene_rays.h"
#include "response.h"
#include "source.h"

namespace wb {

// What all distance sensors have: the conversion of a distance to a value.
struct Distances {
  std::vector<double> weights;  // of the rays; their sum is 1
  double range;                 // m, of rays that hit nothing
  double scale;                 // of the sensor's frame: distances are divided by it
  Response response;
};

// A distance measured with physical rays, which the engine casts at the end of steps in which they are due,
// and otherwise on request.
class PhysicalDistance : public Source {
 public:
  PhysicalDistance(RaysHandle rays, Distances distances)
      : rays_(std::move(rays)), own_(std::move(distances)) {}
  bool is_usable() const override { return rays_.valid(); }
  void measure(double elapsed, double *values) override;

 protected:
  virtual double distance(const RaySet &rays) const = 0;  // m, from results of this step

  RaysHandle rays_;
  Distances own_;
};

// Generic and laser sensors: the weighted mean; misses count as the maximum range.
class MeanDistance : public PhysicalDistance {
 public:
  using PhysicalDistance::PhysicalDistance;

 protected:
  double distance(const RaySet &rays) const override;
};

// Sonar: the distance of the nearest surface that reflects the sound.
class Echo : public PhysicalDistance {
 public:
  using PhysicalDistance::PhysicalDistance;

 protected:
  double distance(const RaySet &rays) const override;
};

// Infra-red: the distance, increased by the share of light that is not reflected.
class Reflection : public Source {
 public:
  Reflection(std::shared_ptr<SceneRays> rays, Distances distances, double sensitivity)
      : rays_(std::move(rays)), own_(std::move(distances)), sensitivity_(sensitivity) {}
  bool is_usable() const override { return rays_->is_valid() && !rays_->scene->stale; }
  void measure(double elapsed, double *values) override;

 private:
  double factor(size_t ray) const;

  std::shared_ptr<SceneRays> rays_;
  Distances own_;
  double sensitivity_;
};

}  // namespace wb
