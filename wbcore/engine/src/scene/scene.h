// The visible world for rays: instances of shapes that follow the bodies of a world.
//
// Each body carries its instances in a tree of its own, which never changes while it moves; a tree over the
// moving bodies is all that a step updates. The scene reads the world and never changes it.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "../tree.h"
#include "../world.h"
#include "mapping.h"
#include "material.h"
#include "solids.h"

namespace wb {

// A visible shape.
struct Instance {
  Shape shape;
  Mapping mapping;
  uint32_t material = 0;
  Pose offset;  // in the body, or in the world
};

// What a ray needs of an instance, apart from the rest to be close together in memory.
struct Target {
  ShapeKind kind;
  uint8_t parts;  // of a frustum
  Vec3 size;
  const Triangles *faces;  // of a mesh
  uint32_t carrier;
  uint64_t version = 0;  // of the carrier, when `pose` was updated
  Pose offset, pose;     // in the body, and in the world; the axis of round shapes is along z
  // A sphere around the shape, in its own frame.
  Vec3 center;
  double radius;
  bool is_shown = true;
};

// What a ray has hit.
struct SceneHit {
  double length;
  int32_t instance = -1;
  Vec3 normal = kZero;  // unit vector
  TriangleHit triangle{0};
};

// The carrier that rays belong to, with those of its instances that a ray may hit.
struct RayHome {
  uint32_t carrier = kNone;
  bool is_known = false;  // false: it may hit any
  std::span<const uint32_t> instances{};
};

class Scene {
 public:
  explicit Scene(std::shared_ptr<World> world);

  const std::shared_ptr<World> &world() const { return world_; }

  // Instances and materials, numbered from 0. `body`: slot in the world, kNone for a fixed place.
  uint32_t add(const Shape &shape, const Mapping &mapping, uint32_t body, const Pose &offset,
               uint32_t material);
  // Changes where an instance is in its body.
  void move(uint32_t number, const Pose &offset);
  // Rays pass through an instance that is not shown.
  void show(uint32_t number, bool is_shown);
  void clear();  // removes all instances and materials
  uint32_t add_material(Material material);
  void set_material(uint32_t number, Material material);

  // The tree of nodes has changes that the scene does not show yet.
  bool stale = false;
  // Poses have changed without a step.
  void touch() { synced_ = UINT64_MAX; }
  // Follows the bodies; call before casting.
  void sync();

  // The nearest surface on a ray, whose direction is a unit vector. `home` makes the search faster; see
  // `carrier_number` and `list_own`.
  SceneHit cast(const AimedRay &ray, double length, bool front_only, const RayHome &home = {});
  // Appends the instances of a carrier that a ray in its frame, or one near it, may hit.
  void list_own(uint32_t carrier, const AimedRay &ray, double length, bool front_only, const Near &near,
                std::vector<uint32_t> &found) const;
  // A number that changes with what a carrier carries and with its place there, the only one of its kind.
  uint64_t planting(uint32_t carrier) const { return carriers_[carrier].planting; }
  // The carrier of a body; kNone if it has no instances.
  uint32_t carrier_number(uint32_t body) const;
  // The same for one instance: updates `hit` if it is nearer. Call `sync` before.
  void cast_instance(uint32_t number, const AimedRay &ray, bool front_only, SceneHit &hit);
  // The pose of an instance in the world. Call `sync` before.
  const Pose &pose(uint32_t number) {
    settle(targets_[number]);
    return targets_[number].pose;
  }
  // Shortens rays from one point that meet the front of an instance, which is at `pose` in their frame.
  // Returns false, and does nothing, if `cast_instance` is needed.
  bool measure(uint32_t number, const Pose &pose, RayBatch &rays) const;
  // Calls `visit(instance, center, radius)` with a sphere in the world around each instance. Call `sync`
  // before.
  template <class Visit>
  void each_sphere(bool opaque_only, Visit &&visit) {
    for (uint32_t number = 0; number < targets_.size(); ++number) {
      Target &target = targets_[number];
      if (!target.is_shown || !is_present(carriers_[target.carrier])) continue;
      if (opaque_only && materials_[instances_[number].material].is_transparent) continue;
      settle(target);
      visit(number, target.pose * target.center, target.radius);
    }
  }
  // Infra-red rays go through the surface of an instance.
  bool is_clear(int32_t instance) const { return materials_[instances_[instance].material].is_clear; }
  // The look of the surface where a ray has hit it.
  Look look(const SceneHit &hit, const AimedRay &ray) const;
  // Its texture coordinates there; none if the shape shows no picture.
  std::optional<UV> place(const SceneHit &hit, const AimedRay &ray) const;

  // The pose of a body as rays see it.
  Pose body_pose(uint32_t slot) const;

 private:
  // The carriers around one, for its short rays. The search is the same for all of them.
  struct Neighbors {
    uint64_t sync = 0;  // when they were found
    double reach = 0;   // m, of the rays
    Box box;            // that rays must not leave
    bool are_many = false;
    std::vector<uint32_t> carriers;
  };

  // A body with its instances; the first one is the world itself.
  struct Carrier {
    uint32_t body = kNone, generation = 0;
    Pose pose;
    uint64_t version = 1;  // counts changes of the pose
    std::array<double, 7> row{};
    std::vector<uint32_t> instances;
    Bvh tree;  // over the instances, in the body's frame
    bool planted = false;
    uint64_t planting = 0;
    uint32_t leaf = kNone;  // in moving_
    Neighbors neighbors;
  };

  Carrier &carrier_of(uint32_t body);
  void plant(Carrier &carrier);
  void follow(uint32_t number);
  bool is_present(const Carrier &carrier) const;
  const Neighbors *neighbors_of(uint32_t number, const AimedRay &ray, double length);
  void cast_carrier(Carrier &carrier, const AimedRay &ray, bool front_only, SceneHit &hit);
  bool may_meet(uint32_t number, const AimedRay &ray, double length, bool front_only, const Near &near) const;
  void settle(Target &target) const;

  std::shared_ptr<World> world_;
  std::vector<Instance> instances_;
  std::vector<Target> targets_;  // one per instance
  std::vector<Material> materials_;
  std::vector<Carrier> carriers_;
  std::unordered_map<uint32_t, uint32_t> carrier_numbers_;  // by body
  Tree moving_;                                             // the bounds of the carriers, slightly enlarged
  uint64_t synced_ = UINT64_MAX;                            // number of steps at the last sync
  uint64_t syncs_ = 0, plantings_ = 0;
};

}  // namespace wb
