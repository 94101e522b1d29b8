// A physics plugin in C or C++: a shared library with the functions webots_physics_*.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "drawing.h"
#include "plugin_note.h"
#include "step_plugin.h"

namespace wb {

class World;

// What the simulator does for a plugin. Called in the thread of the step.
struct PluginHost {
  std::function<dBodyID(const char *)> body;
  std::function<dGeomID(const char *)> geom;
  std::function<void(int, const void *, size_t)> send;
  std::function<void(const std::string &)> print;
  std::function<double()> time_ms;
};

struct PluginFile {
  std::string name, path;
  std::string folder;     // the current one during init
  double limit_s;         // longest duration of a call
  std::string note_file;  // see PluginNote; "": none
};

class NativePlugin : public StepPlugin {
 public:
  // Loads the library. Throws EngineError if a function is missing or it would not use the ODE of the world.
  NativePlugin(World &world, PluginFile file, PluginHost host);
  ~NativePlugin() override;

  void init();     // in the folder of the library
  void cleanup();  // only after init
  void step() override;
  int collide(dGeomID a, dGeomID b) override;
  void step_end() override;
  // What both passes draw in a view: null for the main one, else the name of the robot whose camera it is.
  // Outside of calls.
  std::vector<DrawnBatch> draw(const char *view);
  bool has(const char *function) const;
  // The plugin's own variables, which it saves and restores itself; only if it has the functions for it.
  std::vector<char> save();
  void restore(const std::vector<char> &data);
  // Of the variables, as the plugin declares it; 1 by default.
  int state_version() const;
  void unload() noexcept;

  // Bytes for dWebotsReceive.
  void receive(const void *data, size_t size);
  void replace_unread(const char *data, size_t size);
  // Those that have not been read.
  std::vector<char> unread() const { return was_read_ ? std::vector<char>() : received_; }

  // The plugin whose function this thread executes, else the one loaded last: plugins may have threads.
  static NativePlugin *current();
  const PluginHost &host() const { return host_; }
  World &world() { return world_; }
  void *received(int *size);
  // The time at the start of the step, which all functions of the step see, as in Webots.
  double time_ms() const { return time_ms_; }
  void tell_exit();  // on stderr, from within exit()

 private:
  void check();
  template <class F>
  void call(const char *function, F body);
  [[noreturn]] void fail(const std::string &thrown, int signal);

  World &world_;
  PluginFile file_;
  PluginHost host_;
  NotePlace note_;
  void *library_ = nullptr;
  bool is_ready_ = false;  // init has returned
  std::string failure_;    // why it must not be called any more
  std::vector<char> received_;
  bool was_read_ = false;
  double time_ms_ = 0;
  using Plain = void (*)();
  Plain init_ = nullptr, step_ = nullptr, step_end_ = nullptr, cleanup_ = nullptr;
  int (*collide_)(dGeomID, dGeomID) = nullptr;
  void (*draw_)(int, const char *) = nullptr;
  Plain predraw_ = nullptr;
  int (*save_)(void *, int) = nullptr;
  void (*restore_)(const void *, int) = nullptr;
};

}  // namespace wb
