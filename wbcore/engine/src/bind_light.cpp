// Bindings of lights and of their measurement.
#include "bind.h"
#include "bind_world.h"
#include "sense/light_sources.h"

namespace wb {
namespace {

using namespace nb::literals;

LightKind kind_of(const std::string &name) {
  if (name == "directional") return LightKind::directional;
  if (name == "point") return LightKind::point;
  if (name == "spot") return LightKind::spot;
  throw std::invalid_argument("kind must be \"directional\", \"point\" or \"spot\", not \"" + name + "\"");
}

void bind_lights(nb::module_ &m) {
  nb::class_<Light>(m, "Light", "A light as light sensors measure it.")
      .def(
          "__init__",
          [](Light *made, const std::string &kind, bool is_on, double intensity, double ambient,
             const Vec3 &color, const Mount &mount, const Vec3 &scale, const Vec3 &location,
             const Vec3 &direction, const Vec3 &terms, double beam, double cut) {
            new (made) Light{kind_of(kind), is_on,    intensity, ambient, color, mount,
                             scale,         location, direction, terms,   beam,  cut};
          },
          "kind"_a, "is_on"_a, "intensity"_a, "ambient"_a, "color"_a, "mount"_a, "scale"_a, "location"_a,
          "direction"_a, "terms"_a, "beam"_a, "cut"_a,
          "kind: \"directional\", \"point\" or \"spot\"; mount and scale: the frame of location (m) and "
          "direction; terms: a, b, c of the attenuation 1 / (a + b d + c d^2); beam, cut: angles (rad) at "
          "which a spot light begins to fade, and ends.");
  nb::class_<Lights>(m, "Lights", "The lights of a world, shared by the sensors that measure them.")
      .def(nb::init<>())
      .def(
          "replace_all",
          [](Lights &lights, std::vector<Light> all) {
            lights.all = std::move(all);
            lights.stale = false;
          },
          "lights"_a, "Use these lights; they are not stale.")
      .def(
          "replace", [](Lights &lights, size_t number, const Light &light) { lights.all.at(number) = light; },
          "number"_a, "light"_a, "Replace one of the lights.")
      .def_rw("stale", &Lights::stale, "Not usable until all are replaced: the tree has changed.");
}

}  // namespace

void bind_light(nb::module_ &m) {
  bind_lights(m);
  nb::class_<Irradiance, Source>(
      m, "Irradiance", "The mean of the filtered colors (W/m^2) of all lights in front of a mount, along +x.")
      .def(
          "__init__",
          [](Irradiance *made, const PyWorld &world, std::shared_ptr<Lights> lights, const Mount &mount,
             const Response &response, const Vec3 &filter, std::optional<int32_t> occluded) {
            new (made) Irradiance(world.world, std::move(lights), mount, response, filter);
            if (occluded) made->occlude(*occluded);
          },
          "world"_a, "lights"_a, "mount"_a, "response"_a, "filter"_a, "occluded"_a.none() = nb::none(),
          "occluded: None if nothing hides a light; otherwise bounding objects do, except those of the robot "
          "with this number (-1: none).");
}

}  // namespace wb
