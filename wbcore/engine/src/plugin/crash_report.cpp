// The report is written in a signal handler: without memory, locks or streams.
#include "crash_report.h"

#include <atomic>

#include "../platform/guarded_call.h"
#include "../platform/library.h"

namespace wb {
namespace {

std::atomic<const PluginNote *> watched = nullptr;
std::atomic<uintptr_t> library_begin = 0, library_end = 0;

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
  void write() const { write_error(text_, size_); }

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
         << crash_name(signal) << "\n";
  } else {
    line << "error: the simulation crashed: " << crash_name(signal) << "; last call of physics plugin \""
         << note->plugin << "\": " << note->function << " in step " << note->step << "\n";
  }
  line.write();
}

}  // namespace

void report_crashes(const PluginNote &note, void *library) {
  const AddressRange range = range_of(library);
  library_begin = range.begin;
  library_end = range.end;
  watched = &note;
  tell_crash = report;
}

void stop_reporting_crashes(const PluginNote &note) {
  const PluginNote *own = &note;
  watched.compare_exchange_strong(own, nullptr);
}

}  // namespace wb
