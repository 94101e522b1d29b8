// Where a plugin is, in memory or in a shared file.
#include "plugin_note.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../errors.h"

namespace wb {

NotePlace::NotePlace(const std::string &file) {
  if (file.empty()) return;
  const int opened = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (opened < 0) throw EngineError("cannot open " + file);
  void *place = MAP_FAILED;
  if (ftruncate(opened, sizeof(PluginNote)) == 0)
    place = mmap(nullptr, sizeof(PluginNote), PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
  close(opened);
  if (place == MAP_FAILED) throw EngineError("cannot map " + file);
  note_ = static_cast<PluginNote *>(place);
}

NotePlace::~NotePlace() {
  if (note_ != &own_) munmap(note_, sizeof(PluginNote));
}

}  // namespace wb
