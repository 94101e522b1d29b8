/* See window_plugin.h. */
#include "window_plugin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <webots/robot_window.h>

#include "plugin_guard.h"

typedef void (*Action)(void);

/* Functions of both generations: wbw_... until R2022a, wb_robot_window_... since then. Entries may be NULL.
 */
static struct {
  bool (*check)(void);
  Action init, cleanup, new_cleanup, update, pre_update, read, write, show;
  void (*step)(int);
  void *(*custom)(void *);
} plugin;
static bool runs;
static const char *file;

static void find(void *library, const char *name, void *place) {
  void *found = dlsym(library, name);
  memcpy(place, &found, sizeof found); /* ISO C has no conversion to function pointers */
}

static void enter(const char *function) {
  runs = true;
  wbh_guard_begin(file, function);
}

static void leave(void) {
  wbh_guard_end();
  runs = false;
}

static void act(Action action, const char *function) {
  if (!action) return;
  enter(function);
  action();
  leave();
}

static void find_all(void *library) {
  find(library, "wb_robot_window_init", &plugin.init);
  find(library, "wb_robot_window_step", &plugin.step);
  find(library, "wb_robot_window_cleanup", &plugin.new_cleanup);
  find(library, "wbw_init", &plugin.check);
  find(library, "wbw_cleanup", &plugin.cleanup);
  find(library, "wbw_update_gui", &plugin.update);
  find(library, "wbw_pre_update_gui", &plugin.pre_update);
  find(library, "wbw_read_sensors", &plugin.read);
  find(library, "wbw_write_actuators", &plugin.write);
  find(library, "wbw_show", &plugin.show);
  find(library, "wbw_robot_window_custom_function", &plugin.custom);
}

static bool ends_with(const char *text, const char *end) {
  const size_t size = strlen(text), wanted = strlen(end);
  return size >= wanted && !strcmp(text + size - wanted, end);
}

static void forget(const char *name, const char *why) {
  fprintf(stderr, "Robot window: %s: %s; the controller goes on without it\n", name, why);
  memset(&plugin, 0, sizeof plugin);
}

void window_plugin_load(const Robot *robot) {
  const char *name = robot->window_library;
  if (!ends_with(name, ".so")) return;
  file = name;
  enter("its initialization on loading");
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  leave();
  if (!library) {
    forget(name, dlerror());
    return;
  }
  find_all(library);
  const bool is_new = plugin.init || plugin.step || plugin.new_cleanup;
  if (!is_new && !(plugin.check && plugin.cleanup && plugin.update)) {
    forget(name,
           "it has neither wb_robot_window_init, _step and _cleanup nor wbw_init, wbw_cleanup and "
           "wbw_update_gui");
    return;
  }
  enter("wbw_init");
  const bool fits = !plugin.check || plugin.check();
  leave();
  if (!fits) {
    forget(name, "it does not support this robot");
    return;
  }
  act(plugin.init, "wb_robot_window_init");
  if (robot->shows_window) act(plugin.show, "wbw_show");
}

void window_plugin_before(void) {
  act(plugin.write, "wbw_write_actuators");
  act(plugin.pre_update, "wbw_pre_update_gui");
}

void window_plugin_meanwhile(void) { act(plugin.update, "wbw_update_gui"); }

void window_plugin_after(int duration) {
  act(plugin.read, "wbw_read_sensors");
  if (!plugin.step) return;
  enter("wb_robot_window_step");
  plugin.step(duration);
  leave();
}

void window_plugin_cleanup(void) {
  act(plugin.cleanup, "wbw_cleanup");
  act(plugin.new_cleanup, "wb_robot_window_cleanup");
  memset(&plugin, 0, sizeof plugin);
}

bool window_plugin_runs(void) { return runs; }

void *wb_robot_window_custom_function(void *arg) { return plugin.custom ? plugin.custom(arg) : NULL; }
