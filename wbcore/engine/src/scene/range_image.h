// Distances along many rays from one point in the visible world: the pictures of range finders and lidars.
//
// The rays are in rows and columns. They form a tree of tiles, each with the cone around its rays; from the
// whole picture down to the smallest tiles, fewer and fewer instances remain that its rays can meet. Which
// surface a ray meets first does not depend on the tiles.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "../batch_crew.h"
#include "ray_grid.h"
#include "scene.h"

namespace wb {

// A point of a lidar, as controllers read it.
struct LidarPoint {
  float x, y, z;  // m, in the frame of the rays
  int32_t layer;
  float time;  // s
};
static_assert(sizeof(LidarPoint) == 20);

// How distances (m) become the numbers of a picture.
struct RangeLimits {
  double near = 0;             // nothing is seen up to here
  double least = 0, most = 1;  // infinite below the first, and from the second on
  double deviation = 0;        // of the noise
  double resolution = 0;       // distances are multiples of this; 0: any
  double kept = 0;             // share of the previous picture, from 0 to 1
};

class RangeImage {
 public:
  // `grid`: the rays in their frame, which is at `offset` in the body. `opaque_only`: transparent surfaces
  // are invisible.
  RangeImage(std::shared_ptr<Scene> scene, uint32_t body, const Pose &offset, RayGrid grid, bool opaque_only);

  size_t rows() const { return grid_.rows(); }
  size_t columns() const { return grid_.columns(); }
  bool is_valid() const { return body_ == kNone || scene_->world()->bodies.holds(body_, generation_); }

  // Instances of the scene that are invisible here, by number.
  void hide(const std::vector<uint32_t> &instances);
  // Measures `count` columns from `first` on, after the last one the first ones, and writes them into
  // `ranges`, which has all rows and columns.
  void capture(const RangeLimits &limits, size_t first, size_t count, float *ranges);
  // Where the rays of some columns have ended: in column i after `first` at `time` + i `step` (s).
  void place(const float *ranges, size_t first, size_t count, double time, double step,
             LidarPoint *points) const;

 private:
  // A rectangle of rays and the cone around them. The first child follows; `second` is the other one.
  struct Tile {
    RayBlock block;
    Cone cone;
    double stretch;       // of its rays
    uint32_t second = 0;  // 0: no children
  };
  // A sphere around an instance, in the frame of the rays.
  struct Bound {
    Vec3 center;
    double distance, radius;  // of the center; of the sphere
    double nearest;           // lower limit of the distance of a surface
    double cosine, sine;      // of half the angle under which it is seen
    uint32_t instance;
  };

  // What a thread works on: the columns that are captured, the bounds that the current tile and those above
  // it meet, and the rays of the current tile.
  struct Tracing {
    const RangeLimits *limits;
    float *ranges;
    size_t begin, end;
    std::vector<uint32_t> met;
    RayBatch rays;
  };

  void make_tile(const RayBlock &block);
  void divide(uint32_t tile, size_t most);
  void find_bounds(double reach);
  static bool meets(const Tile &tile, const Bound &bound);
  void trace(uint32_t tile, size_t from, Tracing &tracing) const;
  // Loads the rays that are measured after a leaf.
  void fetch_next(const RayBlock &leaf, RayBlock next) const;
  void trace_leaf(const Tile &tile, size_t from, Tracing &tracing) const;
  void cast(const Bound &bound, RayBatch &rays) const;
  void finish(const RangeLimits &limits, size_t begin, size_t end, float *ranges);
  // Calls `visit(first, end)` for the columns from `first` on, after the last one the first ones.
  template <class Visit>
  void each_span(size_t first, size_t count, Visit &&visit) const {
    const size_t end = first + count;
    visit(first, std::min(end, columns()));
    if (end > columns()) visit(size_t{0}, end - columns());
  }

  std::shared_ptr<Scene> scene_;
  uint32_t body_, generation_ = 0;
  Pose offset_;
  RayGrid grid_;
  bool opaque_only_;
  std::vector<bool> hidden_;  // by instance
  std::vector<Tile> tiles_;
  // Tiles that threads share, and the threads; large images only.
  std::vector<uint32_t> pieces_;
  std::optional<BatchCrew> crew_;
  // During a capture: the pose of the rays, and the bounds of all instances from the nearest on.
  Pose pose_;
  std::vector<Bound> bounds_;
  std::vector<Pose> seen_;         // where instances are in the frame of the rays, by number
  std::vector<Tracing> tracings_;  // one for each piece
  std::vector<float> fresh_;       // the new picture, to be mixed with the previous one
};

}  // namespace wb
