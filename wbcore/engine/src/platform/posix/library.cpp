// Shared libraries of POSIX systems.
#include "../library.h"

#include <dlfcn.h>

#include <algorithm>

#if defined(__linux__)
#include <link.h>
#endif

namespace wb {

void *open_library(const std::string &file, Visibility visibility) {
  const int when = visibility == Visibility::late ? RTLD_LAZY : RTLD_NOW;
  return dlopen(file.c_str(), when | (visibility == Visibility::own ? RTLD_LOCAL : RTLD_GLOBAL));
}

void close_library(void *library) { dlclose(library); }

std::string library_error() {
  const char *text = dlerror();
  return text ? text : "";
}

void *find_symbol(void *library, const char *name) { return dlsym(library ? library : RTLD_DEFAULT, name); }

std::string file_of(const void *address) {
  Dl_info place{};
  return dladdr(const_cast<void *>(address), &place) && place.dli_fname ? place.dli_fname : "";
}

#if defined(__linux__)
namespace {

int find_end(dl_phdr_info *info, size_t, void *data) {
  AddressRange &range = *static_cast<AddressRange *>(data);
  if (info->dlpi_addr != range.begin) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto &part = info->dlpi_phdr[i];
    if (part.p_type == PT_LOAD)
      range.end = std::max<uintptr_t>(range.end, range.begin + part.p_vaddr + part.p_memsz);
  }
  return 1;
}

}  // namespace

AddressRange range_of(void *library) {
  link_map *map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) return {};
  AddressRange range{map->l_addr, 0};
  dl_iterate_phdr(find_end, &range);
  return range;
}
#else
AddressRange range_of(void *) { return {}; }
#endif

}  // namespace wb
