// This process, as Windows knows it. It has no signals that interrupt threads.
#include "../process.h"

#include <windows.h>

#include <bit>

#include "text.h"

namespace wb {

int64_t process_id() { return GetCurrentProcessId(); }

size_t usable_processors() {
  DWORD_PTR own = 0, all = 0;
  if (!GetProcessAffinityMask(GetCurrentProcess(), &own, &all) || !own) return 1;
  return static_cast<size_t>(std::popcount(static_cast<uint64_t>(own)));
}

void without_signals(const std::function<void()> &start) { start(); }

std::string current_folder() {
  std::wstring text(GetCurrentDirectoryW(0, nullptr), L'\0');
  text.resize(GetCurrentDirectoryW(static_cast<DWORD>(text.size()), text.data()));
  return narrow(text);
}

bool enter_folder(const std::string &folder) { return SetCurrentDirectoryW(wide(folder).c_str()); }

}  // namespace wb
