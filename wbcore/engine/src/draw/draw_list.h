// What is drawn: instances of meshes that follow the bodies of a world, chosen and ordered for each view.
//
// A view gets the instances that it can see, sorted by group and mesh, as records and commands that
// OpenGL's glMultiDrawElementsIndirect takes unchanged.
#pragma once

#include <memory>
#include <vector>

#include "../tree.h"
#include "../world.h"

namespace wb {

// Indices of one level of detail; `first` and `count` in the index buffer, `base` in the vertex buffer.
struct DrawLevel {
  uint32_t first = 0, count = 0, base = 0;
  float least_pixels = 0;  // it is fine enough for smaller radii only
};

struct DrawMesh {
  std::vector<DrawLevel> levels;  // from coarse to fine
  Vec3 center = kZero;            // of the sphere and of the box around all vertices
  double radius = 0;
  Vec3 half = kZero;  // of the box
};

// What the vertex shader reads of an instance.
struct DrawRecord {
  float rows[12];  // the upper three rows of the matrix from the mesh to the world
  uint32_t material, id, flags, spare;
};
static_assert(sizeof(DrawRecord) == 64);

// The layout of OpenGL's DrawElementsIndirectCommand.
struct DrawCommand {
  uint32_t count, instances, first_index, base_vertex, base_instance;
};

// Consecutive commands of one group.
struct DrawRun {
  uint32_t group, first, count;
};

enum DrawFlags : uint32_t { kTransparent = 1, kCastsShadow = 2 };

struct DrawItem {
  uint32_t mesh = 0, group = 0, material = 0, id = 0, flags = 0;
  uint32_t body = kNone, generation = 0;
  uint64_t hidden = 0;  // a bit for each view that does not show it
  Pose offset;
  Vec3 scale{1, 1, 1};
};

// A view: axes to the right, up and forward in the world, seen from `eye`.
struct DrawView {
  Vec3 eye, right, up, forward;
  double reach_x, reach_y;  // half sizes: at distance 1, or at all distances if parallel
  double nearest, farthest;
  bool parallel = false;
  double pixels = 0;    // half the height of the picture
  uint64_t mask = 0;    // shows what has none of these bits in `hidden`
  uint32_t wanted = 0;  // shows what has these flags
};

class DrawList {
 public:
  explicit DrawList(std::shared_ptr<World> world) : world_(std::move(world)) {}

  const std::shared_ptr<World> &world() const { return world_; }

  uint32_t add_mesh(DrawMesh mesh);
  // Instances are numbered from 0.
  uint32_t add(DrawItem item);
  DrawItem &item(uint32_t number);
  void regroup(uint32_t number, uint32_t group);
  void move(uint32_t number, const Pose &offset, const Vec3 &scale);
  void clear();  // removes all instances and meshes

  // Follows the bodies; call before `choose` when time has passed or an instance was changed.
  void update();
  // A box around all instances, after `update`; empty (low above high) without any. `raised`: around what
  // casts shadows, without what lies flat at the bottom along this axis, such as floors: it shades nothing.
  Box bounds(int raised = -1) const;
  // Fills records, commands and runs: opaque instances by group and mesh, small ones first, which hide parts
  // of the large ones; then transparent ones from far to near. The order is the same for all views.
  void choose(const DrawView &view);

  std::vector<DrawRecord> records;
  std::vector<DrawCommand> commands;
  std::vector<DrawRun> runs;

 private:
  struct Ball {
    Vec3 center;
    double radius;  // negative: not drawn
    Vec3 half;      // of a box around it in the world
  };

  void sort();
  double radius_of(const DrawItem &item) const;
  void place(uint32_t number);
  bool is_seen(uint32_t number, const DrawView &view, double &distance) const;
  const DrawLevel &level_of(uint32_t number, const DrawView &view, double distance) const;
  void flush_level(const DrawLevel &level, uint32_t group, std::vector<uint32_t> &numbers);
  void add_command(const DrawCommand &command, uint32_t group);

  std::shared_ptr<World> world_;
  std::vector<DrawMesh> meshes_;
  std::vector<DrawItem> items_;
  std::vector<uint32_t> order_;
  std::vector<DrawRecord> placed_;
  std::vector<Ball> balls_;
  std::vector<std::vector<uint32_t>> waiting_;  // by level
  std::vector<std::pair<double, uint32_t>> far_to_near_;
  bool sorted_ = true;
};

}  // namespace wb
