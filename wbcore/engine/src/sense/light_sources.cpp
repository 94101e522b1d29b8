// Measurements of light. Source: manual, chapters LightSensor, Light, SpotLight; between beamWidth and
// cutOffAngle a SpotLight fades linearly, as in Webots.
#include "light_sources.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../world.h"

namespace wb {
namespace {

// Distance (m) up to which obstacles shadow a directional light.
constexpr double kFar = 1000;

// The unit vector along `a`; zero for a zero or infinite vector.
Vec3 unit_or_zero(const Vec3 &a) {
  const double size = norm(a);
  return size > 0 && std::isfinite(size) ? a * (1 / size) : kZero;
}

// v + 2 w (u x v) + 2 u x (u x v), with the quaternion (w, u).
Vec3 rotate(const Quat &q, const Vec3 &v) {
  const Vec3 u{q[1], q[2], q[3]}, t = cross(u, v) * 2;
  return v + t * q[0] + cross(u, t);
}

}  // namespace

Sight Light::seen_from(const Vec3 &point) const {
  const Quat turn = mount.orientation();
  if (kind == LightKind::directional) return {unit_or_zero(-rotate(turn, direction)), kInfinity};
  const Vec3 inner{scale[0] * location[0], scale[1] * location[1], scale[2] * location[2]};
  const Vec3 way = mount.position() + rotate(turn, inner) - point;
  return {unit_or_zero(way), norm(way)};
}

double Light::attenuation(double distance) const {
  if (kind == LightKind::directional) return 1;
  const double divisor = terms[0] + terms[1] * distance + terms[2] * distance * distance;
  return divisor > 0 ? 1 / divisor : 1;
}

double Light::spot(const Vec3 &toward) const {
  if (kind != LightKind::spot) return 1;
  const Vec3 along = unit_or_zero(rotate(mount.orientation(), direction));
  const double angle = std::acos(std::clamp(-dot(toward, along), -1.0, 1.0));
  if (angle > cut) return 0;
  if (angle < beam) return 1;
  return beam < cut ? (cut - angle) / (cut - beam) : 1;
}

bool Lights::is_usable() const {
  return !stale &&
         std::all_of(all.begin(), all.end(), [](const Light &light) { return light.mount.is_usable(); });
}

Irradiance::Irradiance(std::shared_ptr<World> world, std::shared_ptr<Lights> lights, Mount mount,
                       Response response, const Vec3 &filter)
    : world_(std::move(world)),
      lights_(std::move(lights)),
      mount_(std::move(mount)),
      response_(std::move(response)),
      filter_(filter) {}

void Irradiance::occlude(int32_t robot) {
  occlusion_ = true;
  way_.robot = robot;
  way_.origins.resize(1);
  way_.directions.resize(1);
  way_.lengths.resize(1);
  way_.results = std::make_shared<RayResults>(1);
}

void Irradiance::measure(double, double *values) {
  const Vec3 place = mount_.position(), normal = mount_.to_world({1, 0, 0});
  double total = 0;
  if (occlusion_) world_->update_all_bounds();
  for (const Light &light : lights_->all)
    if (light.is_on) total += dot(filter_, from(light, place, normal));
  values[0] = response_(total / 3, world_->random);
}

// Red, green and blue from one light.
Vec3 Irradiance::from(const Light &light, const Vec3 &place, const Vec3 &normal) {
  const Sight sight = light.seen_from(place);
  double direct = light.intensity * std::max(0.0, dot(normal, sight.toward)) * light.spot(sight.toward);
  if (direct > 0 && occlusion_ && is_hidden(place, sight)) direct = 0;
  return light.color * (light.attenuation(sight.distance) * (light.ambient + direct));
}

bool Irradiance::is_hidden(const Vec3 &place, const Sight &sight) {
  way_.origins[0] = place;
  way_.directions[0] = normalized(sight.toward);
  way_.lengths[0] = std::isfinite(sight.distance) ? sight.distance : kFar;
  way_.measure_reach();
  world_->cast_set(way_);
  return way_.results->geoms[0] >= 0;
}

}  // namespace wb
