/* The supervisor's control of the simulation: speed, reset, worlds, labels, recordings. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../generated/messages.h"
#include "../image_files.h"
#include "../names.h"
#include "../platform/system.h"
#include "scene.h"

#define BEST_QUALITY 100

enum { IMAGE = 50, LOAD, RELOAD, LABEL, QUIT, RESET, MODE, RESET_PHYSICS };
enum { START_MOVIE = 58, STOP_MOVIE, START_ANIMATION, STOP_ANIMATION };
enum {
  ANIMATION_STARTED = 16,
  ANIMATION_STOPPED = 17,
  SAVE = 82,
  HEADSET = 98,
  HEADSET_POSITION,
  HEADSET_ORIENTATION
};
#define LABELS 100

static Scene *current_scene(void) { return scene_of(robot_current()); }

/* The absolute path of a file. Free the result. */
static char *absolute(const char *path) {
  char *folder = system_is_absolute(path) ? NULL : system_current_folder();
  Texts made = {0};
  texts_add(&made, folder ? "%s/%s" : "%s%s", folder ? folder : "", path);
  char *found = made.items[0];
  free(made.items);
  free(folder);
  return found;
}

static void command_plain(const char *function, int code) {
  Scene *scene = current_scene();
  if (scene_begin(scene, function, code)) scene_command(scene);
}

static void command_number(const char *function, int code, int number) {
  Scene *scene = current_scene();
  Buffer *out = scene_begin(scene, function, code);
  if (!out) return;
  put_i32(out, number);
  scene_command(scene);
}

/* Labels. */

static bool is_within(const char *name, double value, double low, double high) {
  if (low <= value && value <= high) return true;
  report_error("wb_supervisor_set_label", MESSAGE_INVALID_LABEL_PLACE, name, number_text(value));
  return false;
}

static bool is_whole_within(const char *name, int value, int high) {
  if (0 <= value && value <= high) return true;
  report_error("wb_supervisor_set_label", MESSAGE_INVALID_LABEL_NUMBER, name, value, high);
  return false;
}

void wb_supervisor_set_label(int id, const char *text, double x, double y, double size, int color,
                             double transparency, const char *font) {
  if (is_null(__func__, "text", text) || is_null(__func__, "font", font)) return;
  if (is_nan(__func__, "x", x) || is_nan(__func__, "y", y)) return;
  Scene *scene = current_scene();
  if (!is_whole_within("id", id, LABELS - 1) || !is_whole_within("color", color, 0xFFFFFF) ||
      !is_within("size", size, 0, 1) || !is_within("transparency", transparency, 0, 1))
    return;
  Buffer *out = scene_begin(scene, __func__, LABEL);
  if (!out) return;
  put_u16(out, (unsigned)id);
  put_f64s(out, (double[]){x, y, size}, 3);
  put_u32(out, (uint32_t)(transparency * 255) << 24 | (uint32_t)color);
  put_text(out, text);
  put_text(out, font);
  scene_command(scene);
}

/* Speed and reset. */

void wb_supervisor_simulation_quit(int status) { command_number(__func__, QUIT, status); }

void wb_supervisor_simulation_set_mode(WbSimulationMode mode) {
  if ((int)mode < 0 || (int)mode > 2)
    report_error(__func__, MESSAGE_INVALID_SIMULATION_MODE, (int)mode);
  else
    command_number(__func__, MODE, (int)mode);
}

WbSimulationMode wb_supervisor_simulation_get_mode(void) {
  return (WbSimulationMode)robot_current()->simulation_mode;
}

void wb_supervisor_simulation_reset(void) { command_plain(__func__, RESET); }

void wb_supervisor_simulation_reset_physics(void) { command_plain(__func__, RESET_PHYSICS); }

/* Worlds. */

void wb_supervisor_world_load(const char *filename) {
  if (is_null(__func__, "filename", filename)) return;
  Scene *scene = current_scene();
  Buffer *out = scene_begin(scene, __func__, LOAD);
  if (!out) return;
  put_text(out, filename);
  scene_command(scene);
}

void wb_supervisor_world_reload(void) { command_plain(__func__, RELOAD); }

bool wb_supervisor_world_save(const char *filename) {
  Scene *scene = current_scene();
  const size_t size = filename ? strlen(filename) : 0;
  if (filename && (size < 4 || strcmp(filename + size - 4, ".wbt"))) {
    report_error(__func__, MESSAGE_NOT_A_WORLD, filename);
    return false;
  }
  Buffer *out = scene_begin(scene, __func__, SAVE);
  if (!out) return false;
  put_u8(out, filename != NULL);
  if (filename) put_text(out, filename);
  return scene_ask(scene, SAVE) && scene->replies.flag;
}

/* Images, movies and animations. */

void wb_supervisor_export_image(const char *filename, int quality) {
  if (is_null(__func__, "filename", filename)) return;
  Scene *scene = current_scene();
  const bool has_quality = is_jpeg_file(filename);
  if (has_quality && (quality < 1 || quality > 100)) {
    report_error(__func__, MESSAGE_INVALID_EXPORT_QUALITY, quality);
    return;
  }
  Buffer *out = scene_begin(scene, __func__, IMAGE);
  if (!out) return;
  char *path = absolute(filename);
  put_u8(out, has_quality ? (unsigned)quality : BEST_QUALITY);
  put_text(out, path);
  free(path);
  scene_command(scene);
}

static bool is_movie(int width, int height, int quality, int acceleration) {
  static const char *const NAMES[] = {"width", "height", "quality", "acceleration"};
  const int values[] = {width, height, quality, acceleration};
  for (int i = 0; i < 4; ++i) {
    if (values[i] < 1 || (i > 1 && values[i] > 255)) {
      report_error("wb_supervisor_movie_start_recording", MESSAGE_INVALID_MOVIE_SETTING, NAMES[i], values[i]);
      return false;
    }
  }
  return true;
}

void wb_supervisor_movie_start_recording(const char *filename, int width, int height, int codec, int quality,
                                         int acceleration, bool caption) {
  if (is_null(__func__, "filename", filename)) return;
  Scene *scene = current_scene();
  if (!is_movie(width, height, quality, acceleration)) return;
  Buffer *out = scene_begin(scene, __func__, START_MOVIE);
  if (!out) return;
  char *path = absolute(filename);
  put_i32(out, width);
  put_i32(out, height);
  put_u8(out, (unsigned)codec & 255);
  put_u8(out, (unsigned)quality);
  put_u8(out, (unsigned)acceleration);
  put_u8(out, caption);
  put_text(out, path);
  free(path);
  scene->movie_status = WB_SUPERVISOR_MOVIE_READY;
  scene_command(scene);
}

void wb_supervisor_movie_stop_recording(void) { command_plain(__func__, STOP_MOVIE); }

bool wb_supervisor_movie_failed(void) {
  return current_scene()->movie_status >= WB_SUPERVISOR_MOVIE_WRITE_ERROR;
}

bool wb_supervisor_movie_is_ready(void) {
  return current_scene()->movie_status == WB_SUPERVISOR_MOVIE_READY || wb_supervisor_movie_failed();
}

int wb_supervisor_movie_get_status(void) { return current_scene()->movie_status; }

int wb_supervisor_get_movie_status(void) { return wb_supervisor_movie_get_status(); }

bool wb_supervisor_animation_start_recording(const char *filename) {
  if (is_null(__func__, "filename", filename)) return false;
  Scene *scene = current_scene();
  Buffer *out = scene_begin(scene, __func__, START_ANIMATION);
  if (!out) return false;
  char *path = absolute(filename);
  put_text(out, path);
  free(path);
  return scene_ask(scene, ANIMATION_STARTED) && scene->replies.flag;
}

bool wb_supervisor_animation_stop_recording(void) {
  Scene *scene = current_scene();
  return scene_begin(scene, __func__, STOP_ANIMATION) && scene_ask(scene, ANIMATION_STOPPED) &&
         scene->replies.flag;
}

/* The headset. */

bool wb_supervisor_virtual_reality_headset_is_used(void) {
  Scene *scene = current_scene();
  return scene_begin(scene, __func__, HEADSET) && scene_ask(scene, HEADSET) && scene->replies.flag;
}

/* Values of the headset, or NaN without a headset. */
static const double *headset(Scene *scene, int code, double *numbers, int count, const char *function) {
  const bool there = scene_begin(scene, function, code) && scene_ask(scene, code);
  for (int i = 0; i < count && !there; ++i) numbers[i] = NAN;
  return numbers;
}

const double *wb_supervisor_virtual_reality_headset_get_position(void) {
  Scene *scene = current_scene();
  return headset(scene, HEADSET_POSITION, scene->headset_position, 3, __func__);
}

const double *wb_supervisor_virtual_reality_headset_get_orientation(void) {
  Scene *scene = current_scene();
  return headset(scene, HEADSET_ORIENTATION, scene->headset_orientation, 9, __func__);
}
