// Memory from POSIX systems.
#include "../pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../errors.h"

namespace wb {

void *reserve_pages(size_t bytes) {
  void *pages =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

void release_pages(void *pages, size_t bytes) { munmap(pages, bytes); }

void *map_file(const std::string &file, size_t bytes) {
  const int opened = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (opened < 0) throw EngineError("cannot open " + file);
  void *place = MAP_FAILED;
  if (ftruncate(opened, static_cast<off_t>(bytes)) == 0)
    place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
  close(opened);
  if (place == MAP_FAILED) throw EngineError("cannot map " + file);
  return place;
}

void unmap_file(void *place, size_t bytes) { munmap(place, bytes); }

}  // namespace wb
