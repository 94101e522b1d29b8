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

// Physical rays, which the engine casts at the end of steps in which they are due, and otherwise on request.
class PhysicalRays {
 public:
  explicit PhysicalRays(RaysHandle rays) : rays_(std::move(rays)) {}
  bool is_usable() const { return rays_.valid(); }
  const RayResults &read();
  World &world() const { return *rays_.world; }
  RaySet &set() const { return rays_.get(); }

 private:
  RaysHandle rays_;
};

// Generic and laser sensors: the weighted mean; misses count as the maximum range.
class MeanDistance : public Source {
 public:
  MeanDistance(RaysHandle rays, Distances distances) : rays_(std::move(rays)), own_(std::move(distances)) {}
  bool is_usable() const override { return rays_.is_usable(); }
  void measure(double elapsed, double *values) override;

 private:
  PhysicalRays rays_;
  Distances own_;
};

// Sonar: the distance of the nearest surface that reflects the sound.
class Echo : public Source {
 public:
  Echo(RaysHandle rays, Distances distances) : rays_(std::move(rays)), own_(std::move(distances)) {}
  bool is_usable() const override { return rays_.is_usable(); }
  void measure(double elapsed, double *values) override;

 private:
  PhysicalRays rays_;
  Distances own_;
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
