// Where a plugin is, in memory or in a shared file.
#include "plugin_note.h"

#include "../platform/pages.h"

namespace wb {

NotePlace::NotePlace(const std::string &file) {
  if (!file.empty()) note_ = static_cast<PluginNote *>(map_file(file, sizeof(PluginNote)));
}

NotePlace::~NotePlace() {
  if (note_ != &own_) unmap_file(note_, sizeof(PluginNote));
}

}  // namespace wb
