// A physics plugin in C or C++: loading, checks, and guarded calls.
#include "native_plugin.h"

#include <cxxabi.h>

#include <cstdio>
#include <cstring>
#include <typeinfo>

#include "../errors.h"
#include "../platform/guarded_call.h"
#include "../platform/library.h"
#include "../platform/process.h"
#include "../world.h"
#include "crash_report.h"
#include "gl_recorder.h"

namespace wb {
namespace {

constexpr const char *kSave = "webots_physics_save", *kRestore = "webots_physics_restore";

thread_local NativePlugin *running = nullptr;
std::atomic<NativePlugin *> newest = nullptr;

struct Running {
  explicit Running(NativePlugin *plugin) : before(running) { running = plugin; }
  ~Running() { running = before; }
  NativePlugin *before;
};

// The folder of a plugin is the current one during its init.
class InFolder {
 public:
  explicit InFolder(const std::string &folder) : before_(current_folder()) {
    if (!enter_folder(folder)) throw PluginFailure("cannot change to " + folder);
  }
  ~InFolder() {
    if (!before_.empty() && !enter_folder(before_))
      std::fprintf(stderr, "cannot return to the folder %s\n", before_.c_str());
  }

 private:
  std::string before_;
};

std::string current_exception_text() {
  try {
    throw;
  } catch (const std::exception &e) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(typeid(e).name(), nullptr, nullptr, &status), std::free);
    return std::string(name ? name.get() : typeid(e).name()) + ": " + e.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

template <class F>
F function_in(void *library, const char *name) {
  return reinterpret_cast<F>(find_symbol(library, name));
}

void copy_text(char *to, size_t size, const char *from) {
  std::strncpy(to, from, size - 1);
  to[size - 1] = '\0';
}

// exit() in a plugin ends the process without any other trace.
void on_exit() {
  if (NativePlugin *plugin = running) plugin->tell_exit();
}

}  // namespace

NativePlugin *NativePlugin::current() { return running ? running : newest.load(); }

template <class F>
void NativePlugin::call(const char *function, F body) {
  if (!failure_.empty()) throw PluginFailure(failure_);
  copy_text(note_->function, sizeof note_->function, function);
  note_->step = world_.steps;
  ++note_->calls;
  note_->is_running = 1;
  struct Call {
    F &body;
    std::string thrown;
  } made{body, {}};
  const auto make = [](void *data) {
    Call &one = *static_cast<Call *>(data);
    try {
      one.body();
    } catch (...) {
      one.thrown = current_exception_text();
    }
  };
  CallFailure failure{};
  Running scope(this);
  if (!call_guarded(make, &made, file_.limit_s, failure)) fail("", failure.signal);
  if (!made.thrown.empty()) fail(made.thrown, 0);
  note_->is_running = 0;
}

void NativePlugin::fail(const std::string &thrown, int signal) {
  const std::string name = note_->function, step = std::to_string(note_->step);
  note_->is_running = 0;
  note_->has_failed = 1;
  if (!thrown.empty()) {
    failure_ = name + " threw an exception in step " + step + ": " + thrown;
  } else if (signal) {
    failure_ = name + " crashed in step " + step + ": " + crash_name(signal);
  } else {
    char limit[32];
    std::snprintf(limit, sizeof limit, "%g", file_.limit_s);
    failure_ = name + " did not return within " + limit + " s, in step " + step;
  }
  throw PluginFailure(failure_);
}

NativePlugin::NativePlugin(World &world, PluginFile file, PluginHost host)
    : world_(world), file_(std::move(file)), host_(std::move(host)), note_(file_.note_file) {
  static const bool registered = std::atexit(on_exit) == 0;
  (void)registered;
  copy_text(note_->plugin, sizeof note_->plugin, file_.name.c_str());
  newest = this;
  const auto refuse = [this](const std::string &why) {
    unload();
    throw PluginFailure(why);
  };
  // constructors of C++ objects run now
  std::string problem;
  call("its initialization on loading", [&] {
    library_ = open_library(file_.path, Visibility::own);
    if (!library_) problem = library_error();
  });
  if (!library_) refuse(problem);
  init_ = function_in<Plain>(library_, "webots_physics_init");
  step_ = function_in<Plain>(library_, "webots_physics_step");
  step_end_ = function_in<Plain>(library_, "webots_physics_step_end");
  cleanup_ = function_in<Plain>(library_, "webots_physics_cleanup");
  collide_ = function_in<int (*)(dGeomID, dGeomID)>(library_, "webots_physics_collide");
  draw_ = function_in<void (*)(int, const char *)>(library_, "webots_physics_draw");
  predraw_ = function_in<Plain>(library_, "webots_physics_predraw");
  save_ = function_in<int (*)(void *, int)>(library_, kSave);
  restore_ = function_in<void (*)(const void *, int)>(library_, kRestore);
  try {
    check();
  } catch (const PluginFailure &e) {
    refuse(e.what());
  }
  if (!note_.is_shared()) report_crashes(*note_, library_);
}

// The manual requires step and cleanup; Webots requires init, too.
void NativePlugin::check() {
  std::string missing;
  for (const auto &[function, name] :
       {std::pair{init_, "webots_physics_init"}, std::pair{step_, "webots_physics_step"},
        std::pair{cleanup_, "webots_physics_cleanup"}})
    if (!function) missing += (missing.empty() ? "" : ", ") + std::string(name);
  if (!missing.empty())
    throw PluginFailure("it does not define " + missing +
                        "; in C++, include <plugins/physics.h> or declare them extern \"C\"");
  if (!save_ != !restore_)
    throw PluginFailure(std::string("it defines ") + (save_ ? kSave : kRestore) + ", but not " +
                        (save_ ? kRestore : kSave) + "; saved states need both");
  void *const theirs = find_symbol(library_, "dWorldCreate");
  if (theirs && theirs != reinterpret_cast<void *>(&dWorldCreate)) {
    const std::string where = file_of(theirs);
    throw PluginFailure("it brings its own ODE (" + (where.empty() ? "unknown" : where) +
                        "), which cannot use the bodies of this one; link it without ODE");
  }
  const int *const real = function_in<const int *>(library_, "webots_physics_size_of_real");
  if (real && *real != static_cast<int>(sizeof(dReal)))
    throw PluginFailure("it was compiled for numbers of " + std::to_string(8 * *real) +
                        " bits, but this ODE has " + std::to_string(8 * sizeof(dReal)) +
                        "; compile it without dSINGLE and dIDESINGLE");
}

NativePlugin::~NativePlugin() {
  try {
    cleanup();
  } catch (const PluginFailure &failure) {
    std::fprintf(stderr, "error: %s\n", failure.what());  // nobody is left to catch it
  }
  unload();
}

void NativePlugin::unload() noexcept {
  NativePlugin *self = this;
  newest.compare_exchange_strong(self, nullptr);
  stop_reporting_crashes(*note_);
  // what a failed call left behind may still use the library
  if (library_ && failure_.empty()) close_library(library_);
  library_ = nullptr;
}

void NativePlugin::tell_exit() {
  if (note_.is_shared()) return;  // who reads it tells
  std::fprintf(stderr, "error: the physics plugin \"%s\" ended the process: exit() in %s, step %llu\n",
               note_->plugin, note_->function, static_cast<unsigned long long>(note_->step));
}

// Old plugins use the arguments, which the manual calls obsolete.
void NativePlugin::init() {
  const auto with_arguments =
      function_in<void (*)(dWorldID, dSpaceID, dJointGroupID)>(library_, "webots_physics_init");
  received_.clear();
  was_read_ = false;
  time_ms_ = host_.time_ms();
  InFolder folder(file_.folder);
  call("webots_physics_init",
       [&] { with_arguments(world_.ode_world(), world_.plugin_space(), world_.plugin_contacts()); });
  is_ready_ = true;
}

void NativePlugin::cleanup() {
  if (!is_ready_ || !failure_.empty()) return;
  is_ready_ = false;
  call("webots_physics_cleanup", cleanup_);
}

void NativePlugin::step() {
  time_ms_ = host_.time_ms();
  if (was_read_) received_.clear(), was_read_ = false;
  if (is_ready_) call("webots_physics_step", step_);
}

int NativePlugin::collide(dGeomID a, dGeomID b) {
  if (!collide_ || !is_ready_) return 0;
  int result = 0;
  call("webots_physics_collide", [&] { result = collide_(a, b); });
  return result;
}

void NativePlugin::step_end() {
  if (step_end_ && is_ready_) call("webots_physics_step_end", step_end_);
}

std::vector<DrawnBatch> NativePlugin::draw(const char *view) {
  std::vector<DrawnBatch> batches;
  if (!is_ready_ || !(draw_ || predraw_) || (predraw_ && view)) return batches;
  DrawingScope scope(batches);
  // in old plugins, draw() is for the second pass of the main view only
  if (predraw_)
    call("webots_physics_predraw", predraw_);
  else
    call("webots_physics_draw", [&] { draw_(0, view); });
  gl_recorder()->begin_pass(1);
  if (draw_) call("webots_physics_draw", [&] { draw_(1, view); });
  return batches;
}

bool NativePlugin::has(const char *function) const {
  return library_ && find_symbol(library_, function) != nullptr;
}

// The first call asks for the number of bytes, the second for the bytes.
std::vector<char> NativePlugin::save() {
  int size = 0, filled = 0;
  call(kSave, [&] { size = save_(nullptr, 0); });
  if (size < 0)
    throw PluginFailure(std::string(kSave) + " returned " + std::to_string(size) +
                        "; expected a number of bytes, 0 or more");
  std::vector<char> data(static_cast<size_t>(size));
  call(kSave, [&] { filled = save_(data.data(), size); });
  if (filled != size)
    throw PluginFailure(std::string(kSave) + " returned " + std::to_string(size) + " and then " +
                        std::to_string(filled) + "; expected the same number of bytes");
  return data;
}

void NativePlugin::restore(const std::vector<char> &data) {
  call(kRestore, [&] { restore_(data.data(), static_cast<int>(data.size())); });
}

int NativePlugin::state_version() const {
  const int *const own = function_in<const int *>(library_, "webots_physics_state_version");
  return own ? *own : 1;
}

void NativePlugin::receive(const void *data, size_t size) {
  if (was_read_) received_.clear(), was_read_ = false;
  const char *bytes = static_cast<const char *>(data);
  received_.insert(received_.end(), bytes, bytes + size);
}

void NativePlugin::replace_unread(const char *data, size_t size) {
  received_.assign(data, data + size);
  was_read_ = false;
}

void *NativePlugin::received(int *size) {
  if (size) *size = static_cast<int>(received_.size());
  if (received_.empty()) return nullptr;
  was_read_ = true;
  return received_.data();
}

}  // namespace wb
