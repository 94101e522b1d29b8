// Shared by all bindings: checked handles, and the functions that add each kind to the module.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>

#include "array_caster.h"
#include "world.h"

namespace nb = nanobind;

namespace wb {

// A Python object that refers to an object in a world. It keeps the world alive and detects removal.
struct Handle {
  std::shared_ptr<World> world;
  uint32_t slot = 0, generation = 0;
};

template <class T, Slots<T> World::*Member>
struct HandleTo : Handle {
  HandleTo(std::shared_ptr<World> w, uint32_t s) {
    world = std::move(w);
    slot = s;
    generation = (world.get()->*Member).generation(s);
  }
  T &get() const {
    world->check_access();
    return (world.get()->*Member).at(slot, generation);
  }
  bool valid() const { return (world.get()->*Member).holds(slot, generation); }
  bool operator==(const HandleTo &o) const {
    return world == o.world && slot == o.slot && generation == o.generation;
  }
};

using BodyHandle = HandleTo<Body, &World::bodies>;
using GeomHandle = HandleTo<Geom, &World::geoms>;
using JointHandle = HandleTo<Joint, &World::joints>;
using RaysHandle = HandleTo<RaySet, &World::rays>;
using FluidHandle = HandleTo<Fluid, &World::fluids>;
using ImmersionHandle = HandleTo<Immersion, &World::immersions>;
using PropellerHandle = HandleTo<Propeller, &World::propellers>;
using TrackHandle = HandleTo<Track, &World::tracks>;

// One axis of a joint.
struct AxisHandle {
  JointHandle joint;
  int index;
  JointAxis &get() const { return joint.get().axes[index]; }
};

// A standalone motor, or the motor of a joint axis, a propeller or a track.
class MotorHandle {
 public:
  MotorHandle() : own_(std::make_shared<Motor>()) {}
  MotorHandle(const JointHandle &joint, int axis) : joint_(joint), axis_(axis) {}
  explicit MotorHandle(const PropellerHandle &propeller) : propeller_(propeller) {}
  explicit MotorHandle(const TrackHandle &track) : track_(track) {}
  Motor &get() const;
  void wake() const;
  double feedback() const;
  double position() const;

 private:
  std::shared_ptr<Motor> own_;
  std::optional<JointHandle> joint_;
  std::optional<PropellerHandle> propeller_;
  std::optional<TrackHandle> track_;
  int axis_ = 0;
};

// Slot of a handle that may be None; it must belong to the same world.
template <class H>
uint32_t slot_in(const std::shared_ptr<World> &world, const std::optional<H> &handle, const char *what) {
  if (!handle) return kNone;
  if (handle->world != world) throw HandleError(std::string("this ") + what + " belongs to another world");
  handle->get();
  return handle->slot;
}

inline Pose pose_of(const Vec3 &position, const Quat &orientation) {
  require_finite("position", position);
  return {position, to_matrix(require_rotation("orientation", orientation))};
}

// A read-only view on memory that `owner` keeps alive.
template <class T>
nb::ndarray<nb::numpy, const T> view(const T *data, std::initializer_list<size_t> shape, nb::handle owner) {
  return nb::ndarray<nb::numpy, const T>(data, shape, owner);
}

// A view on the results of rays, with `width` numbers per ray. It shares them with the rays, so it stays
// valid after these are removed.
template <class T>
nb::ndarray<nb::numpy, const T> results(const std::shared_ptr<RayResults> &r, const std::vector<T> &data,
                                        size_t width) {
  auto *kept = new std::shared_ptr<RayResults>(r);
  nb::capsule owner(kept, [](void *p) noexcept { delete static_cast<std::shared_ptr<RayResults> *>(p); });
  const size_t n = data.size() / width;
  if (width == 1) return view(data.data(), {n}, owner);
  return view(data.data(), {n, width}, owner);
}

// Adds the attributes that all handles have.
template <class H>
nb::class_<H> bind_handle(nb::module_ &m, const char *name, const char *doc) {
  return nb::class_<H>(m, name, doc)
      .def_prop_ro(
          "id", [](const H &h) { return h.slot; }, "Row in the arrays; reused after removal.")
      .def_prop_ro(
          "valid", [](const H &h) { return h.valid(); }, "False once it was removed.")
      .def("__eq__", [](const H &a, const H &b) { return a == b; })
      .def("__eq__", [](const H &, nb::object) { return false; })
      .def("__hash__", [](const H &h) { return (static_cast<uint64_t>(h.generation) << 32) ^ h.slot; })
      .def("__repr__", [name](const H &h) {
        return std::string("<") + name + " " + std::to_string(h.slot) + (h.valid() ? ">" : ", removed>");
      });
}

void bind_mathematics(nb::module_ &m);
void bind_mass(nb::module_ &m);
void bind_shape(nb::module_ &m);
void bind_body(nb::module_ &m);
void bind_geom(nb::module_ &m);
void bind_motor(nb::module_ &m);
void bind_joint(nb::module_ &m);
void bind_contacts(nb::module_ &m);
void bind_rays(nb::module_ &m);
void bind_drives(nb::module_ &m);
void bind_packets(nb::module_ &m);
void bind_draw(nb::module_ &m);
void bind_scene(nb::module_ &m);
void bind_range_image(nb::module_ &m);
void bind_sense(nb::module_ &m);
void bind_motion(nb::module_ &m);
void bind_touch(nb::module_ &m);
void bind_light(nb::module_ &m);
void bind_world(nb::module_ &m);
void bind_plugin(nb::module_ &m);
void bind_direct_stepper(nb::module_ &m);
void bind_batch_stepper(nb::module_ &m);
void bind_script(nb::module_ &m);
void bind_articulation(nb::module_ &m);

}  // namespace wb
