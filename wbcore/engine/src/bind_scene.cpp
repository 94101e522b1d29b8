// Bindings of the visible world: mappings, textures, materials, the scene and its rays.
#include "bind.h"
#include "bind_world.h"
#include "scene/scene_rays.h"

namespace wb {
namespace {

using namespace nb::literals;
using Places = nb::ndarray<const double, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Pixels = decltype(Texture::pixels);

Mapping mapping(MappingKind kind, const Vec3 &size) {
  Mapping made;
  made.kind = kind;
  made.size = size;
  return made;
}

Mapping on_triangles(std::shared_ptr<Mesh> mesh, const Places &places) {
  require(places.shape(0) == mesh->vertices.size() / 3, "number of places", "that of the vertices",
          static_cast<double>(places.shape(0)));
  Mapping made = mapping(MappingKind::triangles, kZero);
  made.mesh = std::move(mesh);
  made.places = std::make_shared<std::vector<double>>(places.data(), places.data() + places.size());
  return made;
}

void bind_mapping(nb::module_ &m) {
  nb::class_<Mapping>(
      m, "Mapping",
      "Texture coordinates of points on a shape: u from the left, v from the top, 0 to 1. Round "
      "shapes, planes and grids are along z. Lengths in m.")
      .def_static(
          "none", [] { return Mapping(); }, "Of a shape that shows no picture.")
      .def_static(
          "box",
          [](const Vec3 &size, bool is_flipped) {
            Mapping made = mapping(MappingKind::box, size);
            made.is_flipped = is_flipped;
            return made;
          },
          "size"_a, "is_flipped"_a = false,
          "Each face shows the whole picture, upright on the sides; on top and bottom its right edge is "
          "toward "
          "+x (toward +y if flipped).")
      .def_static(
          "plane",
          [](const std::array<double, 2> &size) {
            return mapping(MappingKind::plane, {size[0], size[1], 0});
          },
          "size"_a, "The picture covers the plane, its top toward +y.")
      .def_static(
          "sphere", [](double radius) { return mapping(MappingKind::sphere, {radius, 0, 0}); }, "radius"_a,
          "Longitude and latitude.")
      .def_static(
          "cylinder", [](double r, double h) { return mapping(MappingKind::cylinder, {r, h, 0}); },
          "radius"_a, "height"_a, "The picture wraps around the side; each end shows its inscribed disk.")
      .def_static(
          "capsule", [](double r, double h) { return mapping(MappingKind::capsule, {r, h, 0}); }, "radius"_a,
          "height"_a, "The middle third wraps around the side, the others cover the hemispheres.")
      .def_static(
          "cone", [](double r, double h) { return mapping(MappingKind::cone, {r, h, 0}); }, "radius"_a,
          "height"_a, "The picture wraps around the side; the bottom shows its inscribed disk.")
      .def_static(
          "grid",
          [](double width, double depth, bool is_flipped) {
            Mapping made = mapping(MappingKind::grid, {width, depth, 0});
            made.is_flipped = is_flipped;
            return made;
          },
          "width"_a, "depth"_a, "is_flipped"_a = false,
          "The picture covers the grid, its top toward +y (toward -y if flipped).")
      .def_static("triangles", &on_triangles, "mesh"_a, "places"_a,
                  "Interpolates the coordinates of the mesh's vertices: (n, 2).")
      .def(
          "with_axes",
          [](const Mapping &of, const Mat3 &axes) {
            Mapping made = of;
            made.axes = axes;
            return made;
          },
          "axes"_a, "The same mapping for points that this matrix (row-major) takes to its axes.")
      .def("__call__", &Mapping::at, "point"_a,
           "The coordinates of a point on the surface, in the shape's frame (m); None if it has none.");
}

std::shared_ptr<Texture> texture(const Pixels &pixels, bool repeat_s, bool repeat_t) {
  require(pixels.shape(0) > 0 && pixels.shape(1) > 0, "number of pixels", "1 or more", 0);
  auto made = std::make_shared<Texture>();
  made->pixels = pixels;
  made->repeat_s = repeat_s;
  made->repeat_t = repeat_t;
  return made;
}

void bind_material(nb::module_ &m) {
  nb::class_<Texture>(m, "Texture",
                      "A picture on a surface. Coordinates are from the left and from the top, 0 to 1.")
      .def_static("of", &texture, "pixels"_a, "repeat_s"_a = true, "repeat_t"_a = true,
                  "pixels: (height, width, 4) uint8, red, green, blue, alpha, from the top.")
      .def(
          "set_transform",
          [](Texture &t, const UV &translation, const UV &center, const UV &scale, double rotation) {
            t.transform =
                Texture::Transform{translation, center, scale, std::cos(rotation), std::sin(rotation)};
          },
          "translation"_a, "center"_a, "scale"_a, "rotation"_a,
          "The fields of a TextureTransform node (rad).")
      .def("transformed", &Texture::transformed, "place"_a, "Coordinates after the transform.")
      .def("color", &Texture::color, "place"_a, "Red, green and blue of the pixel at coordinates, 0 to 1.");
  nb::class_<Material>(m, "Material", "What a surface looks like to a ray.")
      .def(
          "__init__",
          [](Material *made, const Vec3 &color, double roughness, std::shared_ptr<Texture> texture,
             std::shared_ptr<Texture> rough, std::shared_ptr<Texture> occluded, bool is_transparent,
             bool is_clear) {
            new (made) Material{{color, roughness}, std::move(texture), std::move(rough), std::move(occluded),
                                is_transparent,     is_clear,           nullptr};
          },
          "color"_a = Vec3{1, 1, 1}, "roughness"_a = 0.0, "texture"_a = nb::none(), "rough"_a = nb::none(),
          "occluded"_a = nb::none(), "is_transparent"_a = false, "is_clear"_a = false,
          "Color and roughness from 0 to 1; textures for color, roughness, occlusion; whether light passes "
          "at "
          "least in part; whether all of it does.")
      .def_prop_ro("is_plain", &Material::is_plain, "It looks the same everywhere.")
      .def_prop_ro(
          "texture_size",
          [](const Material &x) {
            return x.texture ? std::make_tuple(x.texture->pixels.shape(1), x.texture->pixels.shape(0))
                             : std::make_tuple(size_t{0}, size_t{0});
          },
          "Width and height of the texture of its color; 0 without one.")
      .def(
          "cover", [](Material &x, std::shared_ptr<Texture> ink) { x.ink = std::move(ink); }, "ink"_a,
          "Puts ink over the colors, by its alpha.")
      .def(
          "look",
          [](const Material &x, const std::optional<UV> &place) {
            const Look look = x.look(place);
            return std::make_tuple(look.color, look.roughness, look.occlusion);
          },
          "place"_a.none(), "Color, roughness and occlusion at coordinates (None: unknown), 0 to 1.");
}

std::shared_ptr<SceneRays> add_scene_rays(const std::shared_ptr<Scene> &scene,
                                          const std::optional<BodyHandle> &body, const Vec3 &position,
                                          const Quat &orientation, const std::vector<Vec3> &directions,
                                          double length, bool front_only, bool passes_clear) {
  require(!directions.empty(), "number of directions", "1 or more", 0);
  require_positive("length", length);
  auto made = std::make_shared<SceneRays>();
  made->scene = scene;
  made->body = slot_in(scene->world(), body, "body");
  made->generation = body ? body->generation : 0;
  made->offset = pose_of(position, orientation);
  for (const Vec3 &one : directions) made->directions.push_back(require_direction("direction", one));
  made->length = length;
  made->front_only = front_only;
  made->passes_clear = passes_clear;
  return made;
}

void cast(SceneRays &rays) {
  if (!rays.is_valid()) throw HandleError("the body of these rays was removed");
  rays.cast();
}

std::optional<std::tuple<Vec3, double, double>> look(const SceneRays &rays, size_t ray) {
  if (ray >= rays.hits.size() || rays.hits[ray].instance < 0) return std::nullopt;
  const Look found = rays.look(ray);
  return std::make_tuple(found.color, found.roughness, found.occlusion);
}

void bind_scene_rays(nb::module_ &m) {
  nb::class_<SceneRays>(m, "SceneRays", "Rays of one sensor in the visible world; made by `Scene.rays`.")
      .def("cast", &cast, "Cast them at the current poses.")
      .def_prop_ro("valid", &SceneRays::is_valid, "False once the body that carries them was removed.")
      .def_prop_ro(
          "distances", [](SceneRays &r) { return results(r.view(), r.view()->distances, 1); },
          nb::rv_policy::automatic, "(n,) m; the rays' length where nothing was hit. A view: fetch it once.")
      .def_prop_ro(
          "instances", [](SceneRays &r) { return results(r.view(), r.view()->geoms, 1); },
          nb::rv_policy::automatic, "(n,) int32 numbers of the instances hit, -1: none. A view.")
      .def_prop_ro(
          "normals", [](SceneRays &r) { return results(r.view(), r.view()->normals, 3); },
          nb::rv_policy::automatic, "(n, 3) surface normals at the hits, 0 without. A view.")
      .def("look", &look, "ray"_a,
           "Color, roughness and occlusion (0 to 1) where a ray has hit; None without a hit.")
      .def(
          "place",
          [](const SceneRays &r, size_t ray) -> std::optional<UV> {
            if (ray >= r.hits.size() || r.hits[ray].instance < 0) return std::nullopt;
            return r.scene->place(r.hits[ray], r.aimed[ray]);
          },
          "ray"_a, "Texture coordinates where a ray has hit; None without a hit or coordinates.");
}

}  // namespace

void bind_scene(nb::module_ &m) {
  bind_mapping(m);
  bind_material(m);
  bind_scene_rays(m);
  nb::class_<Scene>(
      m, "Scene",
      "The visible world for rays: instances of shapes that follow the bodies of a world. Casting "
      "rays changes neither contacts nor states.")
      .def(
          "__init__", [](Scene *made, const PyWorld &world) { new (made) Scene(world.world); }, "world"_a)
      .def(
          "add",
          [](Scene &scene, const Shape &shape, const Mapping &mapping, const std::optional<BodyHandle> &body,
             const Vec3 &position, const Quat &orientation, uint32_t material) {
            return scene.add(shape, mapping, slot_in(scene.world(), body, "body"),
                             pose_of(position, orientation), material);
          },
          "shape"_a, "mapping"_a, "body"_a.none(), "position"_a, "orientation"_a, "material"_a,
          "Adds an instance at a pose in a body (None: in the world); returns its number. ValueError for "
          "planes "
          "and height fields, which have to be meshes.")
      .def(
          "move",
          [](Scene &scene, uint32_t number, const Vec3 &position, const Quat &orientation) {
            scene.move(number, pose_of(position, orientation));
          },
          "number"_a, "position"_a, "orientation"_a, "Changes the pose of an instance in its body.")
      .def("show", &Scene::show, "number"_a, "is_shown"_a, "Rays pass through instances that are not shown.")
      .def("clear", &Scene::clear, "Removes all instances and materials; rays stay.")
      .def("add_material", &Scene::add_material, "material"_a, "Returns its number.")
      .def("set_material", &Scene::set_material, "number"_a, "material"_a)
      .def_rw(
          "stale", &Scene::stale,
          "Set by the owner while changes of the tree are not in the scene yet: measurements are not usable.")
      .def("touch", &Scene::touch, "Call when poses have changed without a step.")
      .def("rays", &add_scene_rays, "body"_a.none(), "position"_a, "orientation"_a, "directions"_a,
           "length"_a, "front_only"_a = true, "passes_clear"_a = false,
           "Rays from one origin at a pose in a body (None: in the world), in directions of that frame. "
           "front_only: surfaces are hit only from outside, as cameras show them. passes_clear: rays go on "
           "behind surfaces that are wholly transparent.");
}

}  // namespace wb
