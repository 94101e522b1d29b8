// Memory in WebAssembly, which has one block that grows. There is no other process to share a file with.
#include "../pages.h"

#include <cstdlib>

#include "../../errors.h"

namespace wb {

void *reserve_pages(size_t bytes) { return std::calloc(bytes, 1); }
void release_pages(void *pages, size_t) { std::free(pages); }

void *map_file(const std::string &file, size_t) { throw EngineError("cannot map " + file); }
void unmap_file(void *, size_t) {}

}  // namespace wb
