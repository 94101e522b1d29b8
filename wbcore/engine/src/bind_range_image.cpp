// Bindings of range images.
#include "bind.h"
#include "bind_world.h"
#include "scene/range_image.h"

namespace wb {
namespace {

using namespace nb::literals;
template <class T, size_t... widths>
using Grid = nb::ndarray<T, nb::shape<-1, -1, widths...>, nb::c_contig, nb::device::cpu>;
using Ranges = Grid<float>;
using Points = Grid<float, 5>;

constexpr double kPerpendicular = 1e-6;  // largest cosine between axes of a plane

std::shared_ptr<RangeImage> range_image(const std::shared_ptr<Scene> &scene,
                                        const std::optional<BodyHandle> &body, const Vec3 &position,
                                        const Quat &orientation, const Grid<const double, 3> &directions,
                                        const std::optional<Grid<const double>> &shares, bool opaque_only) {
  const size_t rows = directions.shape(0), columns = directions.shape(1), count = rows * columns;
  require(count > 0, "number of rays", "1 or more", 0);
  std::vector<Vec3> rays(count);
  for (size_t i = 0; i < count; ++i) {
    const double *d = directions.data() + 3 * i;
    rays[i] = require_direction("direction", {d[0], d[1], d[2]});
  }
  std::vector<double> parts;
  if (shares) {
    require(shares->size() == count, "number of shares", "that of the rays",
            static_cast<double>(shares->size()));
    parts.assign(shares->data(), shares->data() + count);
    for (double one : parts) require(one > 0 && one <= 1, "share", "above 0, at most 1", one);
  }
  return std::make_shared<RangeImage>(scene, slot_in(scene->world(), body, "body"),
                                      pose_of(position, orientation),
                                      RayGrid(columns, rays, std::move(parts)), opaque_only);
}

std::shared_ptr<RangeImage> plane_image(const std::shared_ptr<Scene> &scene,
                                        const std::optional<BodyHandle> &body, const Vec3 &position,
                                        const Quat &orientation, const Vec3 &forward, const Vec3 &to_left,
                                        const Vec3 &to_up, std::vector<double> left, std::vector<double> up,
                                        bool opaque_only) {
  require(!left.empty() && !up.empty(), "number of rays", "1 or more", 0);
  for (const std::vector<double> *places : {&left, &up})
    for (double one : *places) require(std::isfinite(one), "place of a ray", "finite", one);
  const Plane plane{require_direction("forward", forward), require_direction("to_left", to_left),
                    require_direction("to_up", to_up)};
  for (double one :
       {dot(plane.forward, plane.to_left), dot(plane.forward, plane.to_up), dot(plane.to_left, plane.to_up)})
    require(std::abs(one) < kPerpendicular, "cosine between forward, to_left and to_up", "0", one);
  return std::make_shared<RangeImage>(scene, slot_in(scene->world(), body, "body"),
                                      pose_of(position, orientation),
                                      RayGrid(plane, std::move(left), std::move(up)), opaque_only);
}

void require_columns(const RangeImage &image, size_t rows, size_t columns, size_t first, size_t count) {
  require(rows == image.rows() && columns == image.columns(), "number of ranges", "that of the rays",
          static_cast<double>(rows * columns));
  require(first < columns, "first column", "less than the number of columns", static_cast<double>(first));
  require(count <= columns, "number of columns", "at most that of the rays", static_cast<double>(count));
}

void capture(RangeImage &image, const Ranges &ranges, size_t first, size_t count, double near, double least,
             double most, double deviation, double resolution, double kept) {
  require_columns(image, ranges.shape(0), ranges.shape(1), first, count);
  require_not_negative("near", near);
  require_positive("most", most);
  require(kept >= 0 && kept < 1, "kept", "0 or more, less than 1", kept);
  if (!image.is_valid()) throw HandleError("the body of these rays was removed");
  const nb::gil_scoped_release free;
  image.capture({near, least, most, deviation, resolution, kept}, first, count, ranges.data());
}

void place(const RangeImage &image, const Ranges &ranges, const Points &points, size_t first, size_t count,
           double time, double step) {
  require_columns(image, ranges.shape(0), ranges.shape(1), first, count);
  require_columns(image, points.shape(0), points.shape(1), first, count);
  const nb::gil_scoped_release free;
  image.place(ranges.data(), first, count, time, step, reinterpret_cast<LidarPoint *>(points.data()));
}

}  // namespace

void bind_range_image(nb::module_ &m) {
  nb::class_<RangeImage>(m, "RangeImage",
                         "Distances along rays from one point, in rows and columns; made by "
                         "`range_image` and `plane_image`.")
      .def_prop_ro("valid", &RangeImage::is_valid, "False once the body that carries it was removed.")
      .def("hide", &RangeImage::hide, "instances"_a,
           "The instances of the scene, by number, that are invisible here.")
      .def("capture", &capture, "ranges"_a, "first"_a, "count"_a, "near"_a, "least"_a, "most"_a,
           "deviation"_a = 0.0, "resolution"_a = 0.0, "kept"_a = 0.0,
           "Measures `count` columns from `first` on, after the last one the first ones, and writes them "
           "into ranges: (rows, columns) float32, in m, infinite below `least` and from `most` on. near: "
           "nothing is seen up to here; deviation: of normally distributed noise, from the world's random "
           "source; resolution: the unit of the distances, 0: any (m). kept: share of the previous "
           "picture, 0 to 1.")
      .def("place", &place, "ranges"_a, "points"_a, "first"_a, "count"_a, "time"_a, "step"_a,
           "Writes where the rays of these columns have ended into points: (rows, columns, 5) float32 with "
           "x, y, z in the frame of the rays (m), the row as an int32, and the time: `time` in column "
           "`first` and `step` later in each one after it (s).");
  m.def(
      "range_image", &range_image, "scene"_a, "body"_a.none(), "position"_a, "orientation"_a, "directions"_a,
      "shares"_a.none(), "opaque_only"_a = false,
      "Rays from one origin at a pose in a body (None: in the world). directions: (rows, columns, 3) "
      "vectors in that frame. shares: (rows, columns), what is measured of the length of each ray, above 0, "
      "at most 1; None: all. opaque_only: transparent surfaces are invisible. Surfaces are hit only from "
      "outside, as cameras show them.");
  m.def("plane_image", &plane_image, "scene"_a, "body"_a.none(), "position"_a, "orientation"_a, "forward"_a,
        "to_left"_a, "to_up"_a, "left"_a, "up"_a, "opaque_only"_a = false,
        "Makes a RangeImage whose rays pass through points of a plane at distance 1; parameters as in "
        "`range_image`. left: the places of the points by column; up: those by row. What is measured is the "
        "part of the length along the view. forward, to_left, to_up: unit vectors, perpendicular to each "
        "other. Needs less memory and time than the same directions one by one.");
}

}  // namespace wb
