// Shared libraries of Windows, which see no functions of each other but those they were linked with.
#include "../library.h"

#include <windows.h>

#include "text.h"

namespace wb {
namespace {

constexpr DWORD kLongestPath = 32768;  // in UTF-16, with the end

}  // namespace

void *open_library(const std::string &file, Visibility) { return LoadLibraryW(wide(file).c_str()); }

void close_library(void *library) { FreeLibrary(static_cast<HMODULE>(library)); }

std::string library_error() { return "error " + std::to_string(GetLastError()) + " of Windows"; }

void *find_symbol(void *library, const char *name) {
  const HMODULE where = library ? static_cast<HMODULE>(library) : GetModuleHandleA(nullptr);
  return reinterpret_cast<void *>(GetProcAddress(where, name));
}

std::string file_of(const void *address) {
  HMODULE library = nullptr;
  std::wstring name(kLongestPath, L'\0');
  constexpr DWORD kOfAddress =
      GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  if (!GetModuleHandleExW(kOfAddress, static_cast<const wchar_t *>(address), &library)) return "";
  const DWORD size = GetModuleFileNameW(library, name.data(), kLongestPath);
  if (size == kLongestPath) return "";
  name.resize(size);
  return narrow(name);
}

AddressRange range_of(void *) { return {}; }

}  // namespace wb
