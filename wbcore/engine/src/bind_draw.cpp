// Bindings of the list of drawn instances.
#include "bind.h"
#include "bind_world.h"
#include "draw/draw_list.h"
#include "scene/picture_noise.h"

namespace wb {
namespace {

using namespace nb::literals;
template <class T, size_t width>
using Table = nb::ndarray<nb::numpy, const T, nb::shape<-1, width>, nb::c_contig>;

uint32_t add_mesh(DrawList &list, const std::vector<std::tuple<uint32_t, uint32_t, uint32_t, float>> &levels,
                  const Vec3 &center, double radius, const Vec3 &half) {
  DrawMesh mesh;
  for (const auto &[first, count, base, pixels] : levels) mesh.levels.push_back({first, count, base, pixels});
  mesh.center = center;
  mesh.radius = radius;
  mesh.half = half;
  return list.add_mesh(std::move(mesh));
}

uint32_t add(DrawList &list, uint32_t mesh, uint32_t group, uint32_t material, uint32_t id, uint32_t flags,
             const std::optional<BodyHandle> &body, const Vec3 &position, const Quat &orientation,
             const Vec3 &scale) {
  DrawItem item;
  item.mesh = mesh, item.group = group, item.material = material, item.id = id, item.flags = flags;
  item.body = slot_in(list.world(), body, "body");
  item.generation = body ? body->generation : 0;
  item.offset = pose_of(position, orientation);
  item.scale = scale;
  return list.add(item);
}

auto choose(const std::shared_ptr<DrawList> &list, const Vec3 &eye, const Vec3 &right, const Vec3 &up,
            const Vec3 &forward, const std::array<double, 4> &reach, bool parallel, double pixels,
            uint64_t mask, uint32_t wanted) {
  DrawView view{eye, right, up, forward, reach[0], reach[1], reach[2], reach[3]};
  view.parallel = parallel, view.pixels = pixels, view.mask = mask, view.wanted = wanted;
  {
    nb::gil_scoped_release free;
    list->choose(view);
  }
  const nb::object owner = nb::cast(list);
  return std::make_tuple(Table<uint32_t, 16>(reinterpret_cast<const uint32_t *>(list->records.data()),
                                             {list->records.size(), 16}, owner),
                         Table<uint32_t, 5>(reinterpret_cast<const uint32_t *>(list->commands.data()),
                                            {list->commands.size(), 5}, owner),
                         Table<uint32_t, 3>(reinterpret_cast<const uint32_t *>(list->runs.data()),
                                            {list->runs.size(), 3}, owner));
}

using Picture = nb::ndarray<uint8_t, nb::shape<-1, -1, 4>, nb::c_contig, nb::device::cpu>;

void bind_picture_noise(nb::module_ &m) {
  nb::class_<PictureNoise>(m, "PictureNoise", "White noise on pictures.")
      .def(
          "__init__",
          [](PictureNoise *made, double deviation) {
            require_not_negative("deviation", deviation);
            new (made) PictureNoise(deviation);
          },
          "deviation"_a, "deviation: the standard deviation, in units of a byte; 0 or more.")
      .def(
          "add",
          [](const PictureNoise &noise, const Picture &picture, uint64_t seed) {
            const nb::gil_scoped_release free;
            noise.add(picture.data(), picture.shape(0) * picture.shape(1), seed);
          },
          "picture"_a, "seed"_a,
          "Adds noise to the first three channels of a picture, (rows, columns, 4) uint8, rounded and "
          "limited to 0 "
          "to 255. The same seed gives the same noise.");
}

}  // namespace

void bind_draw(nb::module_ &m) {
  bind_picture_noise(m);
  nb::class_<DrawList>(m, "DrawList",
                       "Instances of meshes that follow the bodies of a world, chosen for each view.")
      .def(
          "__init__", [](DrawList *made, const PyWorld &world) { new (made) DrawList(world.world); },
          "world"_a)
      .def("add_mesh", &add_mesh, "levels"_a, "center"_a, "radius"_a, "half"_a,
           "levels: from coarse to fine, (first index, number of indices, base vertex, pixels): a level is "
           "taken for radii below its pixels, the last one for all others. center, radius: of a sphere, and "
           "half the edges of a box, "
           "around all vertices. Returns its number.")
      .def("add", &add, "mesh"_a, "group"_a, "material"_a, "id"_a, "flags"_a, "body"_a.none(), "position"_a,
           "orientation"_a, "scale"_a,
           "Adds an instance at a pose in a body (None: in the world); flags: 1 transparent, 2 casts "
           "shadows. Returns its number.")
      .def(
          "set_material",
          [](DrawList &list, uint32_t number, uint32_t group, uint32_t material, uint32_t flags) {
            DrawItem &item = list.item(number);
            item.material = material, item.flags = flags;
            list.regroup(number, group);
          },
          "number"_a, "group"_a, "material"_a, "flags"_a, "Changes the look of an instance.")
      .def(
          "set_place",
          [](DrawList &list, uint32_t number, const Vec3 &position, const Quat &orientation,
             const Vec3 &scale) { list.move(number, pose_of(position, orientation), scale); },
          "number"_a, "position"_a, "orientation"_a, "scale"_a, "Changes the pose of an instance.")
      .def(
          "hide", [](DrawList &list, uint32_t number, uint64_t mask) { list.item(number).hidden = mask; },
          "number"_a, "mask"_a, "Hides an instance from views that have one of these bits.")
      .def("clear", &DrawList::clear, "Removes all instances and meshes.")
      .def("update", &DrawList::update, "Follows the bodies, and changes of instances.")
      .def(
          "bounds",
          [](const DrawList &list, int raised) {
            const Box box = list.bounds(raised);
            return std::make_tuple(box.low, box.high);
          },
          "raised"_a = -1,
          "The lowest and highest corner of a box around all instances, after `update`; infinite, the low "
          "one above the high one, without any. raised: around what casts shadows, without what lies flat "
          "at the bottom along this axis, such as floors.")
      .def("choose", &choose, "eye"_a, "right"_a, "up"_a, "forward"_a, "reach"_a, "parallel"_a = false,
           "pixels"_a = 0.0, "mask"_a = 0, "wanted"_a = 0,
           "What a view shows. eye (m) and unit vectors are in the world; reach: half width and half "
           "height at distance 1 (of a parallel view: everywhere), nearest and farthest distance (m); "
           "pixels: half the height of the picture. Returns records (n, 16), commands (m, 5) and runs (k, 3) "
           "of group, first command, number of commands: uint32 views, valid until the next call.");
}

}  // namespace wb
