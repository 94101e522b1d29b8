// Memory from the operating system: blocks of pages, and files as memory.
#pragma once

#include <cstddef>
#include <string>

namespace wb {

// Zeros, backed by memory when they are first used. Null: the system has no room.
void *reserve_pages(size_t bytes);
void release_pages(void *pages, size_t bytes);

// A file of that many bytes, as memory that all processes share that map it; it is created, for this user
// only, if it does not exist. Throws EngineError.
void *map_file(const std::string &file, size_t bytes);
void unmap_file(void *place, size_t bytes);

}  // namespace wb
