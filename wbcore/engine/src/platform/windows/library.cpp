// Shared libraries of Windows, which see no functions of each other but those they were linked with.
#include "../library.h"

#include <windows.h>

namespace wb {

void *open_library(const std::string &file, Visibility) { return LoadLibraryA(file.c_str()); }

void close_library(void *library) { FreeLibrary(static_cast<HMODULE>(library)); }

std::string library_error() { return "error " + std::to_string(GetLastError()) + " of Windows"; }

void *find_symbol(void *library, const char *name) {
  const HMODULE where = library ? static_cast<HMODULE>(library) : GetModuleHandleA(nullptr);
  return reinterpret_cast<void *>(GetProcAddress(where, name));
}

std::string file_of(const void *address) {
  HMODULE library = nullptr;
  char name[MAX_PATH];
  constexpr DWORD kOfAddress =
      GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  if (!GetModuleHandleExA(kOfAddress, static_cast<const char *>(address), &library)) return "";
  const DWORD size = GetModuleFileNameA(library, name, sizeof name);
  return size < sizeof name ? std::string(name, size) : "";
}

AddressRange range_of(void *) { return {}; }

}  // namespace wb
