// The visible world for rays: instances of shapes that follow the bodies of a world.
#include "scene.h"

#include <algorithm>
#include <cstring>

namespace wb {
namespace {

// Share of the size by which the bounds of a moving body grow, so that small motions do not change the tree.
constexpr double kFreedom = 0.1;

// Carriers around one that are searched one after the other; more of them are faster in the tree.
constexpr size_t kMostNeighbors = 16;

Box enlarged(const Box &box, double share) {
  Box r = box;
  for (int k = 0; k < 3; ++k) {
    const double room = share * (box.high[k] - box.low[k]) + 1e-9;
    r.low[k] -= room;
    r.high[k] += room;
  }
  return r;
}

// Half the bounds of a shape in its own frame, without meshes.
Vec3 half_extents(const Shape &s) {
  const double radius = s.kind == ShapeKind::frustum ? std::max(s.size[0], s.size[2]) : s.size[0];
  const double along = s.size[1] / 2 + (s.kind == ShapeKind::capsule ? radius : 0);
  switch (s.kind) {
    case ShapeKind::box: return s.size * 0.5;
    case ShapeKind::sphere: return {radius, radius, radius};
    default: return s.up == UpAxis::z ? Vec3{radius, radius, along} : Vec3{radius, along, radius};
  }
}

Box own_bounds(const Shape &s) {
  if (s.kind == ShapeKind::mesh) return s.mesh->faces().bounds();
  const Vec3 half = half_extents(s);
  return Box{-half, half};
}

}  // namespace

Scene::Scene(std::shared_ptr<World> world) : world_(std::move(world)) { clear(); }

void Scene::clear() {
  instances_.clear();
  targets_.clear();
  materials_.clear();
  carriers_.clear();
  carrier_numbers_.clear();
  moving_ = Tree();
  carriers_.emplace_back();  // the world
  carrier_numbers_[kNone] = 0;
  touch();
}

uint32_t Scene::add(const Shape &shape, const Mapping &mapping, uint32_t body, const Pose &offset,
                    uint32_t material) {
  if (shape.kind == ShapeKind::plane || shape.kind == ShapeKind::heightfield)
    throw std::invalid_argument("visible planes and height fields consist of triangles");
  require(material < materials_.size(), "material", "a number of the scene's materials", material);
  const auto number = static_cast<uint32_t>(instances_.size());
  Carrier &carrier = carrier_of(body);
  instances_.push_back({shape, mapping, material, offset});
  const Triangles *faces = shape.kind == ShapeKind::mesh ? &shape.mesh->faces() : nullptr;
  const Box bounds = own_bounds(shape);
  const Vec3 center = (bounds.low + bounds.high) * 0.5;
  const double radius = shape.kind == ShapeKind::sphere ? shape.size[0] : norm(bounds.high - center);
  targets_.push_back({shape.kind,
                      shape.parts,
                      shape.size,
                      faces,
                      carrier_numbers_[body],
                      0,
                      offset * shape.ode_frame(),
                      {},
                      center,
                      radius});
  carrier.instances.push_back(number);
  carrier.planted = false;
  touch();
  return number;
}

void Scene::move(uint32_t number, const Pose &offset) {
  require(number < instances_.size(), "instance", "a number of the scene's instances", number);
  instances_[number].offset = offset;
  Target &target = targets_[number];
  target.offset = offset * instances_[number].shape.ode_frame();
  target.version = 0;
  carriers_[target.carrier].planted = false;
  touch();
}

void Scene::show(uint32_t number, bool is_shown) {
  require(number < instances_.size(), "instance", "a number of the scene's instances", number);
  targets_[number].is_shown = is_shown;
}

Scene::Carrier &Scene::carrier_of(uint32_t body) {
  const auto [found, is_new] = carrier_numbers_.try_emplace(body, static_cast<uint32_t>(carriers_.size()));
  if (is_new) {
    Carrier carrier;
    carrier.body = body;
    carrier.generation = world_->bodies.generation(body);
    carriers_.push_back(std::move(carrier));
  }
  return carriers_[found->second];
}

uint32_t Scene::add_material(Material material) {
  materials_.push_back(std::move(material));
  return static_cast<uint32_t>(materials_.size() - 1);
}

void Scene::set_material(uint32_t number, Material material) {
  require(number < materials_.size(), "material", "a number of the scene's materials", number);
  materials_[number] = std::move(material);
}

void Scene::plant(Carrier &carrier) {
  std::vector<Box> boxes;
  boxes.reserve(carrier.instances.size());
  for (uint32_t number : carrier.instances)
    boxes.push_back(enlarged(own_bounds(instances_[number].shape).turned(instances_[number].offset), 1e-9));
  carrier.tree.build(boxes);
  carrier.planted = true;
  carrier.planting = ++plantings_;
  carrier.row.fill(NAN);  // different from all poses
}

bool Scene::is_present(const Carrier &carrier) const {
  return carrier.body == kNone || world_->bodies.holds(carrier.body, carrier.generation);
}

// The rows that Python reads, so that both see the same bits.
Pose Scene::body_pose(uint32_t slot) const {
  const double *p = world_->columns.positions.row(slot), *q = world_->columns.quaternions.row(slot);
  return {{p[0], p[1], p[2]}, to_matrix(require_rotation("orientation", {q[0], q[1], q[2], q[3]}))};
}

void Scene::sync() {
  if (world_->steps == synced_) return;
  synced_ = world_->steps;
  ++syncs_;
  for (uint32_t number = 0; number < carriers_.size(); ++number) {
    if (!carriers_[number].planted) plant(carriers_[number]);
    if (number) follow(number);
  }
}

void Scene::follow(uint32_t number) {
  Carrier &c = carriers_[number];
  if (!is_present(c)) {
    if (c.leaf != kNone) moving_.remove(c.leaf), c.leaf = kNone;
    return;
  }
  std::array<double, 7> row;
  std::memcpy(row.data(), world_->columns.positions.row(c.body), 3 * sizeof(double));
  std::memcpy(row.data() + 3, world_->columns.quaternions.row(c.body), 4 * sizeof(double));
  if (row == c.row) return;
  c.row = row;
  c.pose = body_pose(c.body);
  ++c.version;
  const Box bounds = c.tree.bounds().turned(c.pose);
  if (c.leaf != kNone) {
    if (moving_.box(c.leaf).contains(bounds)) return;
    moving_.remove(c.leaf);
  }
  c.leaf = moving_.insert(enlarged(bounds, kFreedom), number);
}

uint32_t Scene::carrier_number(uint32_t body) const {
  const auto found = carrier_numbers_.find(body);
  return body == kNone || found == carrier_numbers_.end() ? kNone : found->second;
}

SceneHit Scene::cast(const AimedRay &ray, double length, bool front_only, const RayHome &home) {
  SceneHit hit{length};
  cast_carrier(carriers_[0], ray, front_only, hit);
  const Segment segment(ray.origin, ray.direction);
  if (home.is_known)
    for (uint32_t number : home.instances) cast_instance(number, ray, front_only, hit);
  const uint32_t done = home.is_known ? home.carrier : kNone;
  if (const Neighbors *found = neighbors_of(home.carrier, ray, length)) {
    for (uint32_t number : found->carriers) {
      Carrier &carrier = carriers_[number];
      if (number != done && segment.entry(moving_.box(carrier.leaf), hit.length) <= hit.length)
        cast_carrier(carrier, ray, front_only, hit);
    }
    return hit;
  }
  moving_.cast(segment, hit.length, [&](uint32_t number, double) {
    if (number != done) cast_carrier(carriers_[number], ray, front_only, hit);
    return hit.length;
  });
  return hit;
}

void Scene::list_own(uint32_t carrier, const AimedRay &ray, double length, bool front_only, const Near &near,
                     std::vector<uint32_t> &found) const {
  for (uint32_t number : carriers_[carrier].instances)
    if (may_meet(number, ray, length, front_only, near)) found.push_back(number);
}

// Solids by their bounds, meshes by their triangles.
bool Scene::may_meet(uint32_t number, const AimedRay &ray, double length, bool front_only,
                     const Near &near) const {
  const auto &[shape, mapping, material, offset] = instances_[number];
  const Segment segment(local_point(offset, ray.origin), unrotate(offset.rotation, ray.direction));
  const double room = near.room(length), longest = length + room;
  if (!(segment.entry(own_bounds(shape).widened(room), longest) <= longest)) return false;
  return shape.kind != ShapeKind::mesh || shape.mesh->faces().may_meet(segment, length, front_only, near);
}

// The carriers that a ray of a carrier may hit; null if they are many or the ray begins elsewhere.
const Scene::Neighbors *Scene::neighbors_of(uint32_t number, const AimedRay &ray, double length) {
  if (number == kNone || carriers_[number].leaf == kNone) return nullptr;
  const Box &own = moving_.box(carriers_[number].leaf);
  Neighbors &found = carriers_[number].neighbors;
  if (found.sync != syncs_ || found.reach < length) {
    found.sync = syncs_;
    found.reach = length;
    const double reach = length * (1 + 1e-9) + 1e-9;  // directions are unit vectors except for rounding
    const Vec3 room{reach, reach, reach};
    found.box = {own.low - room, own.high + room};
    found.carriers.clear();
    found.are_many = false;
    moving_.query(found.box, [&](uint32_t one) {
      found.are_many |= found.carriers.size() == kMostNeighbors;
      if (!found.are_many) found.carriers.push_back(one);
    });
  }
  const bool is_inside = own.contains(Box{ray.origin, ray.origin});
  return is_inside && !found.are_many ? &found : nullptr;
}

void Scene::cast_carrier(Carrier &carrier, const AimedRay &ray, bool front_only, SceneHit &hit) {
  const Segment segment = carrier.body == kNone ? Segment(ray.origin, ray.direction)
                                                : Segment(local_point(carrier.pose, ray.origin),
                                                          unrotate(carrier.pose.rotation, ray.direction));
  carrier.tree.cast(segment, hit.length, [&](uint32_t item, double) {
    cast_instance(carrier.instances[item], ray, front_only, hit);
    return hit.length;
  });
}

void Scene::settle(Target &target) const {
  const Carrier &carrier = carriers_[target.carrier];
  if (target.version == carrier.version) return;
  target.version = carrier.version;
  target.pose = carrier.body == kNone ? target.offset : carrier.pose * target.offset;
}

// At equal distances the instance that was added first wins, independent of the search order.
void Scene::cast_instance(uint32_t number, const AimedRay &ray, bool front_only, SceneHit &hit) {
  Target &target = targets_[number];
  if (!target.is_shown) return;
  settle(target);
  const auto order = static_cast<int32_t>(number);
  const bool is_later = hit.instance >= 0 && hit.instance < order;
  if (target.faces) {
    TriangleHit found{hit.length};
    target.faces->cast(local_point(target.pose, ray.origin), unrotate(target.pose.rotation, ray.direction),
                       front_only, found);
    if (found.triangle < 0 || (is_later && found.length == hit.length)) return;
    hit = {found.length, order, target.pose.rotation * found.normal, found};
    return;
  }
  SolidHit found{hit.length};
  if (!cast_at_solid(ray, target.kind, target.parts, target.size, target.pose, front_only, found)) return;
  if (is_later && found.length == hit.length) return;
  hit = {found.length, order, found.normal, {0}};
}

bool Scene::measure(uint32_t number, const Pose &pose, RayBatch &rays) const {
  const Target &target = targets_[number];
  switch (target.kind) {
    case ShapeKind::box: measure_box(target.size, pose, rays); return true;
    case ShapeKind::sphere: measure_sphere(pose.position, target.size[0], rays); return true;
    default: return target.faces && target.faces->measure(pose, rays);
  }
}

std::optional<UV> Scene::place(const SceneHit &hit, const AimedRay &ray) const {
  const Instance &instance = instances_[hit.instance];
  const Carrier &carrier = carriers_[targets_[hit.instance].carrier];
  const Pose pose = carrier.body == kNone ? instance.offset : carrier.pose * instance.offset;
  return instance.mapping.at_hit(local_point(pose, ray.origin + ray.direction * hit.length), hit.triangle);
}

Look Scene::look(const SceneHit &hit, const AimedRay &ray) const {
  const Material &material = materials_[instances_[hit.instance].material];
  return material.is_plain() ? material.plain : material.look(place(hit, ray));
}

}  // namespace wb
