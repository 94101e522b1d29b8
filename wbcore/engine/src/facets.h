// Triangles of a shape's surface, to be clipped at the surface of a fluid.
#pragma once

#include <array>
#include <vector>

#include "shape.h"

namespace wb {

using Facet = std::array<Vec3, 3>;

// In the shape's own frame, counterclockwise seen from outside. Round shapes are approximated by polyhedra of
// the same volume; shapes without volume have no facets.
std::vector<Facet> facets_of(const Shape &shape);

}  // namespace wb
