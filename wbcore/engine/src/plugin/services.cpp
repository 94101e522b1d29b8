// The functions that physics plugins call, exported by name: the plugin's library finds them, and ODE's, once
// this one is visible to all (see `open_to_plugins`).
#include <cstdarg>
#include <cstdio>
#include <string>

#include "../platform/guarded_call.h"
#include "../world.h"
#include "native_plugin.h"

#define EXPORTED extern "C" __attribute__((visibility("default"), used))

namespace {

using wb::NativePlugin;

// Calls `function` of the current plugin's simulator; the plugin is not to blame for what it does.
template <class Result, class F>
Result with_plugin(Result otherwise, F function) {
  NativePlugin *const plugin = NativePlugin::current();
  if (!plugin) return otherwise;
  wb::OutsidePlugin outside;
  return function(*plugin);
}

void warn(NativePlugin &plugin, const char *function, const char *text) {
  plugin.host().print(std::string("warning: ") + function + "(): " + text);
}

}  // namespace

EXPORTED dBodyID dWebotsGetBodyFromDEF(const char *def) {
  return with_plugin<dBodyID>(nullptr, [def](NativePlugin &plugin) -> dBodyID {
    if (def && *def) return plugin.host().body(def);
    warn(plugin, "dWebotsGetBodyFromDEF", "the DEF name is NULL or empty");
    return nullptr;
  });
}

EXPORTED dGeomID dWebotsGetGeomFromDEF(const char *def) {
  return with_plugin<dGeomID>(nullptr, [def](NativePlugin &plugin) -> dGeomID {
    if (def && *def) return plugin.host().geom(def);
    warn(plugin, "dWebotsGetGeomFromDEF", "the DEF name is NULL or empty");
    return nullptr;
  });
}

EXPORTED dJointGroupID dWebotsGetContactJointGroup() {
  return with_plugin<dJointGroupID>(nullptr,
                                    [](NativePlugin &plugin) { return plugin.world().plugin_contacts(); });
}

EXPORTED void dWebotsSend(int channel, const void *buffer, int size) {
  with_plugin(0, [=](NativePlugin &plugin) {
    if (buffer && size >= 1)
      plugin.host().send(channel, buffer, static_cast<size_t>(size));
    else
      warn(plugin, "dWebotsSend", "nothing to send: the buffer is NULL or the size is below 1");
    return 0;
  });
}

EXPORTED void *dWebotsReceive(int *size) {
  if (size) *size = 0;
  return with_plugin<void *>(nullptr, [size](NativePlugin &plugin) { return plugin.received(size); });
}

EXPORTED double dWebotsGetTime() {
  return with_plugin(0.0, [](NativePlugin &plugin) { return plugin.time_ms(); });
}

EXPORTED void dWebotsConsolePrintf(const char *format, ...) {
  char text[4096];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  with_plugin(0, [&text](NativePlugin &plugin) {
    plugin.host().print(text);
    return 0;
  });
}

// Webots' ODE distributes geoms to threads; here, one thread sees all geoms.
EXPORTED void dGeomSetDynamicFlag(dGeomID) {}

// In Webots' ODE, geoms have one identity per thread.
EXPORTED int dAreGeomsSame(dGeomID a, dGeomID b) { return a == b; }
