/* See window_plugin.h. */
#include "window_plugin.h"

#include <stdlib.h>
#include <string.h>
#include <webots/robot_window.h>

#include "platform/system.h"
#include "plugin_guard.h"

#define GUI_MS 20 /* interval of the updates while the controller waits for the simulator */

typedef void (*Action)(void);

/* Functions of both generations: wbw_... until R2022a, wb_robot_window_... since then. Entries may be NULL.
 */
typedef struct WindowPlugin {
  const char *file;
  WindowCall *call; /* of a plugin that is not a library: the other functions are NULL */
  bool runs;        /* one of its functions */
  bool (*check)(void);
  Action init, cleanup, new_cleanup, update, pre_update, read, write, show;
  void (*step)(int);
  void *(*custom)(void *);
} WindowPlugin;

static void find(void *library, const char *name, void *place) {
  void *found = system_find(library, name);
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

/* A plugin's own calls of the API may come back here. */
static bool call(WindowPlugin *plugin, const char *function, int duration) {
  const bool ran = plugin->runs;
  plugin->runs = true;
  const bool succeeded = plugin->call(function, duration);
  plugin->runs = ran;
  return succeeded;
}

static void act(WindowPlugin *plugin, Action action, const char *function) {
  if (plugin->call) {
    call(plugin, function, 0);
    return;
  }
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
  if (!ends_with(name, SYSTEM_LIBRARY_SUFFIX)) return;
  WindowPlugin *plugin = robot->window_plugin = allocate(sizeof *plugin);
  plugin->file = name;
  enter(plugin, "its initialization on loading");
  void *library = system_load_library(name);
  leave(plugin);
  if (!library) {
    forget(robot, system_library_problem());
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
  window_plugin_show(robot, robot->shows_window);
}

bool window_plugin_use(Robot *robot, WindowCall *plugin_call) {
  WindowPlugin *plugin = robot->window_plugin = allocate(sizeof *plugin);
  plugin->call = plugin_call;
  if (call(plugin, "wbw_init", 0) && call(plugin, "wb_robot_window_init", 0)) {
    window_plugin_show(robot, robot->shows_window);
    return true;
  }
  free(plugin);
  robot->window_plugin = NULL;
  return false;
}

void window_plugin_show(const Robot *robot, bool shows) {
  WindowPlugin *plugin = robot->window_plugin;
  if (plugin && shows) act(plugin, plugin->show, "wbw_show");
}

void window_plugin_before(const Robot *robot) {
  WindowPlugin *plugin = robot->window_plugin;
  if (!plugin) return;
  act(plugin, plugin->write, "wbw_write_actuators");
  act(plugin, plugin->pre_update, "wbw_pre_update_gui");
}

void window_plugin_meanwhile(const Robot *robot) {
  WindowPlugin *plugin = robot->window_plugin;
  if (!plugin || !(plugin->update || plugin->call)) return;
  do act(plugin, plugin->update, "wbw_update_gui");
  while (robot->connection && connection_waits(robot->connection, GUI_MS));
}

void window_plugin_after(const Robot *robot, int duration) {
  WindowPlugin *plugin = robot->window_plugin;
  if (!plugin) return;
  act(plugin, plugin->read, "wbw_read_sensors");
  if (plugin->call) call(plugin, "wb_robot_window_step", duration);
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
