// Bindings of measurements of poses and rates.
#include "bind.h"
#include "bind_world.h"
#include "sense/motion_sources.h"

namespace wb {
namespace {

using namespace nb::literals;

const Mount &usable(const Mount *mount) {
  if (!mount->is_usable()) throw HandleError("the body that carries this sensor was removed");
  return *mount;
}

void bind_parts(nb::module_ &m) {
  nb::class_<Mount>(m, "SensorMount", "Where a sensor is attached: a pose in a body, or in the world.")
      .def(
          "__init__",
          [](Mount *made, const std::optional<BodyHandle> &body, const Vec3 &position,
             const Quat &orientation) {
            const Mat3 axes = to_matrix(orientation);
            new (made) Mount{
                body, {position, axes}, orientation, body && position == kZero && orientation == kUnitQuat};
          },
          "body"_a.none(), "position"_a, "orientation"_a)
      .def(
          "position", [](const Mount &x) { return usable(&x).position(); }, "Origin in the world (m).")
      .def(
          "orientation", [](const Mount &x) { return usable(&x).orientation(); },
          "Orientation in the world (w, x, y, z).")
      .def(
          "to_local", [](const Mount &x, const Vec3 &v) { return usable(&x).to_local(v); }, "vector"_a,
          "A vector of the world in the sensor's axes.")
      .def(
          "to_world", [](const Mount &x, const Vec3 &v) { return usable(&x).to_world(v); }, "vector"_a,
          "A vector of the sensor's axes in those of the world.");
  nb::class_<AxesResponse>(m, "AxesResponse", "The response of a sensor with one value per axis.")
      .def(
          "__init__",
          [](AxesResponse *made, const std::tuple<bool, bool, bool> &on, const Response &response) {
            const auto [x, y, z] = on;
            const bool is_exact = response.rows().empty() && response.resolution() <= 0;
            new (made) AxesResponse{{x, y, z}, is_exact ? std::nullopt : std::optional(response)};
          },
          "on"_a, "response"_a, "on: whether each axis measures.");
}

void bind_drift(nb::module_ &m) {
  nb::class_<Drift>(m, "Drift",
                    "Numbers of mean 0 and standard deviation 1, each correlated with its predecessor.")
      .def(
          "__init__", [](Drift *made, size_t size) { new (made) Drift{std::vector<double>(size)}; }, "size"_a)
      .def_rw("values", &Drift::values, "The newest numbers.");
}

}  // namespace

void bind_motion(nb::module_ &m) {
  bind_parts(m);
  bind_drift(m);
  nb::class_<AngularVelocity, Source>(m, "AngularVelocity", "Of a body (rad/s), in the axes of a mount.")
      .def(nb::init<BodyHandle, Mount, AxesResponse>(), "body"_a, "mount"_a, "response"_a);
  nb::class_<Acceleration, Source>(
      m, "Acceleration", "Change of velocity since the last sample over the time, minus gravity (m/s^2).")
      .def(nb::init<BodyHandle, Mount, AxesResponse, Vec3>(), "body"_a, "mount"_a, "response"_a, "last"_a)
      .def_rw("last", &Acceleration::last, "Velocity (m/s, world) at the last sample.");
  nb::class_<Direction, Source>(m, "Direction", "A direction of the world in the axes of a mount.")
      .def(
          "__init__",
          [](Direction *made, const PyWorld &world, const Mount &mount, const AxesResponse &response,
             const Vec3 &direction) { new (made) Direction(world.world, mount, response, direction); },
          "world"_a, "mount"_a, "response"_a, "direction"_a);
  nb::class_<Orientation, Source>(m, "Orientation", "Orientation of a mount as (x, y, z, w).")
      .def(
          "__init__",
          [](Orientation *made, const PyWorld &world, const Mount &mount, const std::optional<Quat> &frame,
             double noise, const std::tuple<bool, bool, bool> &off, double resolution) {
            const auto [x, y, z] = off;
            new (made) Orientation(world.world, mount, frame, {noise, {x, y, z}, resolution});
          },
          "world"_a, "mount"_a, "frame"_a.none(), "noise"_a, "off"_a, "resolution"_a,
          "frame: inverse rotation of the frame of reference, None for the world; noise: standard deviation "
          "about each axis as a fraction of half a turn; off: components of the rotation axis that are not "
          "measured.");
  nb::class_<Position, Source>(m, "Position", "Position (m), speed and velocity (m/s) of a mount.")
      .def(
          "__init__",
          [](Position *made, const PyWorld &world, const std::optional<BodyHandle> &body, const Mount &mount,
             const Vec3 &reference, double resolution, double speed_noise, double speed_resolution,
             std::shared_ptr<Drift> drift, double deviation, double correlation) {
            require(!drift || drift->values.size() == 3, "size of drift", "3",
                    static_cast<double>(drift ? drift->values.size() : 0));
            new (made)
                Position(world.world, body, mount, reference, {resolution, speed_noise, speed_resolution},
                         {std::move(drift), deviation, correlation});
          },
          "world"_a, "body"_a.none(), "mount"_a, "reference"_a, "resolution"_a, "speed_noise"_a,
          "speed_resolution"_a, "drift"_a.none() = nb::none(), "deviation"_a = 0, "correlation"_a = 0,
          "body: None if the velocity is the mean since the last sample; reference is added to the position; "
          "resolutions: -1 for none; speed_noise: relative; drift: "
          "shared "
          "noise of the position, of size 3, None for none; deviation: its standard deviation (m); "
          "correlation: the share of it that remains after 1 s.")
      .def_rw("last", &Position::last, nb::arg().none(),
              "Position (m, world) at the last sample; only without a body.");
}

}  // namespace wb
