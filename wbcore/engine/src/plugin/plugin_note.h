// Where a plugin is: written before each call of it, so that who finds the process dead can tell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace wb {

struct PluginNote {
  char plugin[256];
  char function[64];  // being called; "": none
  uint64_t step;      // steps made before this one
  int32_t signal;     // of a crash; 0: none
};

// A note in memory, or in a file that other processes can read.
class NotePlace {
 public:
  explicit NotePlace(const std::string &file);
  ~NotePlace();
  NotePlace(const NotePlace &) = delete;
  NotePlace &operator=(const NotePlace &) = delete;
  PluginNote &operator*() { return *note_; }
  PluginNote *operator->() { return note_; }

 private:
  PluginNote own_{};
  PluginNote *note_ = &own_;
};

}  // namespace wb
