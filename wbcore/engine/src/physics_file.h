// The physics of a world as bytes, from which a program without Python makes the same world.
#pragma once

#include <memory>
#include <vector>

#include "world.h"

namespace wb {

// What the builder set, and the state. Numbers are little-endian. Rays, plugins and functions that Python
// hooks into a step are left out: none belongs to the state. Throws EngineError if slots are empty because
// objects were removed.
std::vector<char> write_physics(World &world);

// The same world: its steps have the same bits as those of the one that was written before its first step.
// Later, the joints are set up anew at the poses that they have then. Throws std::invalid_argument if the
// bytes are damaged.
std::unique_ptr<World> read_physics(const char *data, size_t size);

}  // namespace wb
