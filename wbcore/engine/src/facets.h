// Triangles of a shape's surface, for cutting it with the surface of a fluid.
#pragma once

#include <array>
#include <vector>

#include "shape.h"

namespace wb {

using Facet = std::array<Vec3, 3>;

// In the shape's own frame, turning counterclockwise seen from outside. Round shapes are approximated by
// prisms of the same volume; shapes without volume have none.
std::vector<Facet> facets_of(const Shape &shape);

}  // namespace wb
