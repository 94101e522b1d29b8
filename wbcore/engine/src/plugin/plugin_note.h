// Where a plugin is: written before each call of it, so that who finds the process dead can tell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace wb {

struct PluginNote {
  char plugin[256];
  char function[64];   // called last; "": none
  uint64_t step;       // steps made before that call
  uint64_t calls;      // made so far
  int32_t is_running;  // 1 during a call
  int32_t has_failed;  // 1 after a call that crashed, threw or took too long
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
  bool is_shared() const { return note_ != &own_; }

 private:
  PluginNote own_{};
  PluginNote *note_ = &own_;
};

}  // namespace wb
