// What a surface looks like to a ray: color, roughness and occlusion, uniform or from textures.
//
// Source: manual, chapters Material, PBRAppearance, ImageTexture, TextureTransform.
#pragma once

#include <nanobind/ndarray.h>

#include <memory>
#include <optional>

#include "mapping.h"

namespace wb {

// An image on a surface. Coordinates are from the left and from the top, 0 to 1.
struct Texture {
  // (height, width, 4) red, green, blue, alpha; row 0 is the top.
  nanobind::ndarray<const uint8_t, nanobind::shape<-1, -1, 4>, nanobind::c_contig, nanobind::device::cpu>
      pixels;
  bool repeat_s = true, repeat_t = true;
  // Of a TextureTransform node, if there is one.
  struct Transform {
    UV translation{0, 0}, center{0, 0}, scale{1, 1};
    double cosine = 1, sine = 0;
  };
  std::optional<Transform> transform;

  UV transformed(const UV &place) const;
  Vec3 color(const UV &place) const;  // of the pixel at a place, 0 to 1
  double alpha(const UV &place) const;

 private:
  const uint8_t *texel(const UV &place) const;
};

struct Look {
  Vec3 color{1, 1, 1};
  double roughness = 0, occlusion = 0;
};

struct Material {
  Look plain;  // without textures, or multiplied by them
  std::shared_ptr<const Texture> texture, rough, occluded;
  bool is_transparent = false;         // at least in part
  bool is_clear = false;               // wholly, so that infra-red rays go through
  std::shared_ptr<const Texture> ink;  // over the colors, by its alpha

  bool is_plain() const { return !texture && !ink; }

  Look look(const std::optional<UV> &place) const;

 private:
  Look without_ink(const std::optional<UV> &place) const;
};

}  // namespace wb
