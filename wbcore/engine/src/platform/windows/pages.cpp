// Memory from Windows.
#include "../pages.h"

#include <windows.h>

#include "../../errors.h"

namespace wb {

void *reserve_pages(size_t bytes) {
  return VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void release_pages(void *pages, size_t) { VirtualFree(pages, 0, MEM_RELEASE); }

// The view keeps the file open.
void *map_file(const std::string &file, size_t bytes) {
  const HANDLE opened =
      CreateFileA(file.c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                  OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (opened == INVALID_HANDLE_VALUE) throw EngineError("cannot open " + file);
  void *place = nullptr;
  const HANDLE mapping =
      CreateFileMappingA(opened, nullptr, PAGE_READWRITE, 0, static_cast<DWORD>(bytes), nullptr);
  if (mapping) {
    place = MapViewOfFile(mapping, FILE_MAP_ALL_ACCESS, 0, 0, bytes);
    CloseHandle(mapping);
  }
  CloseHandle(opened);
  if (!place) throw EngineError("cannot map " + file);
  return place;
}

void unmap_file(void *place, size_t) { UnmapViewOfFile(place); }

}  // namespace wb
