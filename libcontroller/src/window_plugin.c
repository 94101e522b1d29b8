/* See window_plugin.h. */
#include "window_plugin.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <webots/robot_window.h>

#include "plugin_guard.h"

typedef void (*Action)(void);

/* Functions of both generations: wbw_... until R2022a, wb_robot_window_... since then. Entries may be NULL.
 */
typedef struct WindowPlugin {
  const char *file;
  bool runs; /* one of its functions */
  bool (*check)(void);
  Action init, cleanup, new_cleanup, update, pre_update, read, write, show;
  void (*step)(int);
  void *(*custom)(void *);
} WindowPlugin;

static void find(void *library, const char *name, void *place) {
  void *found = dlsym(library, name);
  memcpy(place, &found, sizeof found); /* ISO C has no conversion to function pointers */
}

static void enter(WindowPlugin *plugin, const char *function) {
  plugin->runs = true;
  wbh_guard_begin(plugin->file, function);
}

static void leave(WindowPlugin *plugin) {
  wbh_guard_end();
  plugin->runs = false;
}

static void act(WindowPlugin *plugin, Action action, const char *function) {
  if (!action) return;
  enter(plugin, function);
  action();
  leave(plugin);
}

static void find_all(WindowPlugin *plugin, void *library) {
  find(library, "wb_robot_window_init", &plugin->init);
  find(library, "wb_robot_window_step", &plugin->step);
  find(library, "wb_robot_window_cleanup", &plugin->new_cleanup);
  find(library, "wbw_init", &plugin->check);
  find(library, "wbw_cleanup", &plugin->cleanup);
  find(library, "wbw_update_gui", &plugin->update);
  find(library, "wbw_pre_update_gui", &plugin->pre_update);
  find(library, "wbw_read_sensors", &plugin->read);
  find(library, "wbw_write_actuators", &plugin->write);
  find(library, "wbw_show", &plugin->show);
  find(library, "wbw_robot_window_custom_function", &plugin->custom);
}

static bool ends_with(const char *text, const char *end) {
  const size_t size = strlen(text), wanted = strlen(end);
  return size >= wanted && !strcmp(text + size - wanted, end);
}

static void forget(Robot *robot, const char *why) {
  report_line("Robot window: %s: %s; the controller goes on without it", robot->window_library, why);
  free(robot->window_plugin);
  robot->window_plugin = NULL;
}

void window_plugin_load(Robot *robot) {
  const char *name = robot->window_library;
  if (!ends_with(name, ".so")) return;
  WindowPlugin *plugin = robot->window_plugin = allocate(sizeof *plugin);
  plugin->file = name;
  enter(plugin, "its initialization on loading");
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  leave(plugin);
  if (!library) {
    forget(robot, dlerror());
    return;
  }
  find_all(plugin, library);
  const bool is_new = plugin->init || plugin->step || plugin->new_cleanup;
  if (!is_new && !(plugin->check && plugin->cleanup && plugin->update)) {
    forget(robot,
           "it has neither wb_robot_window_init, _step and _cleanup nor wbw_init, wbw_cleanup and "
           "wbw_update_gui");
    return;
  }
  enter(plugin, "wbw_init");
  const bool fits = !plugin->check || plugin->check();
  leave(plugin);
  if (!fits) {
    forget(robot, "it does not support this robot");
    return;
  }
  act(plugin, plugin->init, "wb_robot_window_init");
  if (robot->shows_window) act(plugin, plugin->show, "wbw_show");
}

void window_plugin_before(const Robot *robot) {
  WindowPlugin *plugin = robot->window_plugin;
  if (!plugin) return;
  act(plugin, plugin->write, "wbw_write_actuators");
  act(plugin, plugin->pre_update, "wbw_pre_update_gui");
}

void window_plugin_meanwhile(const Robot *robot) {
  WindowPlugin *plugin = robot->window_plugin;
  if (plugin) act(plugin, plugin->update, "wbw_update_gui");
}

void window_plugin_after(const Robot *robot, int duration) {
  WindowPlugin *plugin = robot->window_plugin;
  if (!plugin) return;
  act(plugin, plugin->read, "wbw_read_sensors");
  if (!plugin->step) return;
  enter(plugin, "wb_robot_window_step");
  plugin->step(duration);
  leave(plugin);
}

void window_plugin_cleanup(Robot *robot) {
  WindowPlugin *plugin = robot->window_plugin;
  if (!plugin) return;
  act(plugin, plugin->cleanup, "wbw_cleanup");
  act(plugin, plugin->new_cleanup, "wb_robot_window_cleanup");
  free(plugin);
  robot->window_plugin = NULL;
}

bool window_plugin_runs(const Robot *robot) { return robot->window_plugin && robot->window_plugin->runs; }

void *wb_robot_window_custom_function(void *arg) {
  const WindowPlugin *plugin = robot_is_there() ? robot_current()->window_plugin : NULL;
  return plugin && plugin->custom ? plugin->custom(arg) : NULL;
}
