// Shared libraries that are loaded while the process runs.
#pragma once

#include <cstdint>
#include <string>

namespace wb {

// own: others do not see its functions. shared: libraries that are loaded later do. late: the same, and what
// its functions call is looked up when they are called first.
enum class Visibility { own, shared, late };

// The library, loaded once however often it is opened; null: see library_error.
void *open_library(const std::string &file, Visibility visibility);
void close_library(void *library);
// Why the last call failed.
std::string library_error();

// Null if there is none. Without a library: in the program and all shared libraries.
void *find_symbol(void *library, const char *name);
// The file in which an address is; "": unknown.
std::string file_of(const void *address);

// Where a library is in memory; zeros: unknown.
struct AddressRange {
  uintptr_t begin = 0, end = 0;
};
AddressRange range_of(void *library);

}  // namespace wb
