// Measurements of light: the lights of a world, and the irradiance that they cause at a sensor.
#pragma once

#include "../rays.h"
#include "mount.h"
#include "response.h"
#include "source.h"

namespace wb {

enum class LightKind { directional, point, spot };

// A unit vector toward a light, zero at the light itself, and the distance (m; infinite if directional).
struct Sight {
  Vec3 toward;
  double distance;
};

struct Light {
  LightKind kind;
  bool is_on;
  double intensity, ambient;
  Vec3 color;
  // What carries the light, and the scale of its frame.
  Mount mount;
  Vec3 scale;
  Vec3 location, direction;  // in that frame; unused by directional and by point lights
  Vec3 terms;                // a, b and c of the attenuation
  double beam, cut;          // angles (rad) at which a spot light begins to fade, and ends

  Sight seen_from(const Vec3 &point) const;
  // The share of light that remains at a distance (m).
  double attenuation(double distance) const;
  // The share of a spot light toward a sensor that sees it in a direction; 1 for others.
  double spot(const Vec3 &toward) const;
};

// The lights of a world, shared by its sensors.
struct Lights {
  std::vector<Light> all;
  bool stale = true;  // the tree has changed: what is here is not valid

  bool is_usable() const;
};

// LightSensor: the mean of the filtered colors (W/m^2) from all lights in front of it, along +x.
class Irradiance : public Source {
 public:
  Irradiance(std::shared_ptr<World> world, std::shared_ptr<Lights> lights, Mount mount, Response response,
             const Vec3 &filter);
  // Bounding objects hide lights, except those of this robot (-1: none).
  void occlude(int32_t robot);
  bool is_usable() const override { return mount_.is_usable() && lights_->is_usable(); }
  void measure(double elapsed, double *values) override;

 private:
  Vec3 from(const Light &light, const Vec3 &place, const Vec3 &normal);
  bool is_hidden(const Vec3 &place, const Sight &sight);

  std::shared_ptr<World> world_;
  std::shared_ptr<Lights> lights_;
  Mount mount_;
  Response response_;
  Vec3 filter_;
  bool occlusion_ = false;
  RaySet way_;  // one ray, to a light
};

}  // namespace wb
