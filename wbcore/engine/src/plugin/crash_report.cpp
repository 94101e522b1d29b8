// The report is written in a signal handler: without memory, locks or streams.
#include "crash_report.h"

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "guard.h"

namespace wb {
namespace {

std::atomic<const PluginNote *> watched = nullptr;
std::atomic<uintptr_t> library_begin = 0, library_end = 0;

const char *name_of(int signal) {
  switch (signal) {
    case SIGSEGV: return "Segmentation fault";
    case SIGBUS: return "Bus error";
    case SIGFPE: return "Floating point exception";
    case SIGILL: return "Illegal instruction";
    default: return "Aborted";
  }
}

class Line {
 public:
  Line &operator<<(const char *text) {
    while (*text && size_ < sizeof text_) text_[size_++] = *text++;
    return *this;
  }
  Line &operator<<(uint64_t number) {
    char digits[24];
    char *at = digits + sizeof digits - 1;
    *at = '\0';
    do *--at = static_cast<char>('0' + number % 10);
    while (number /= 10);
    return *this << at;
  }
  void write_to(int file) const {
    if (write(file, text_, size_) < 0) return;  // nobody listens
  }

 private:
  char text_[1024];
  size_t size_ = 0;
};

// Once: a crash in the handlers that follow is not another one.
void report(int signal, uintptr_t code) {
  const PluginNote *const note = watched.exchange(nullptr);
  if (!note) return;
  Line line;
  if (code >= library_begin && code < library_end) {
    line << "error: physics plugin \"" << note->plugin << "\": a thread of its own crashed "
         << (note->is_running ? "during " : "after ") << note->function << " in step " << note->step << ": "
         << name_of(signal) << "\n";
  } else {
    line << "error: the simulation crashed: " << name_of(signal) << "; last call of physics plugin \""
         << note->plugin << "\": " << note->function << " in step " << note->step << "\n";
  }
  line.write_to(STDERR_FILENO);
}

struct Range {
  uintptr_t base, end;
};

int find_end(dl_phdr_info *info, size_t, void *data) {
  Range &range = *static_cast<Range *>(data);
  if (info->dlpi_addr != range.base) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto &part = info->dlpi_phdr[i];
    if (part.p_type == PT_LOAD)
      range.end = std::max<uintptr_t>(range.end, range.base + part.p_vaddr + part.p_memsz);
  }
  return 1;
}

Range range_of(void *library) {
  link_map *map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) return {0, 0};
  Range range{map->l_addr, 0};
  dl_iterate_phdr(find_end, &range);
  return range;
}

}  // namespace

void report_crashes(const PluginNote &note, void *library) {
  const Range range = range_of(library);
  library_begin = range.base;
  library_end = range.end;
  watched = &note;
  tell_crash = report;
}

void stop_reporting_crashes(const PluginNote &note) {
  const PluginNote *own = &note;
  watched.compare_exchange_strong(own, nullptr);
}

}  // namespace wb
