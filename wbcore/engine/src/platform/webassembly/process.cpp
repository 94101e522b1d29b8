// A module of WebAssembly is one thread, without signals.
#include "../process.h"

namespace wb {

int64_t process_id() { return 1; }
size_t usable_processors() { return 1; }
void without_signals(const std::function<void()> &start) { start(); }
std::string current_folder() { return ""; }
bool enter_folder(const std::string &) { return false; }  // only for libraries, which cannot be loaded there

}  // namespace wb
