// WebAssembly has no shared libraries for physics plugins.
#include "../library.h"

namespace wb {

void *open_library(const std::string &, Visibility) { return nullptr; }
void close_library(void *) {}
std::string library_error() { return "WebAssembly has no shared libraries"; }
void *find_symbol(void *, const char *) { return nullptr; }
std::string file_of(const void *) { return ""; }
AddressRange range_of(void *) { return {}; }

}  // namespace wb
