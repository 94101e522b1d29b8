/* Motion files: a line `#WEBOTS_MOTION,V1.0,<motor>,...`, then lines `<time>,<pose>,<position>,...`.

   Commas and blanks at the end of a line have no meaning. An empty line ends the file. All errors are
   reported with their lines. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/motor.h"
#include "generated/messages.h"
#include "motion.h"
#include "names.h"

#define HEAD "#WEBOTS_MOTION,V1.0"
#define LARGEST_MOTION (16 << 20) /* an hour of a humanoid at 25 Hz */
#define MOST_MOTORS 1000
#define MOST_PROBLEMS 100
#define LONGEST_TIME 9 /* maximum digits of a part of a time */

typedef struct {
  const char *path;
  Texts problems, names;
  Motion *motion;
  const Robot *robot;
} File;

/* Cut off the text up to a separator and trim it; `rest` moves past the separator. */
static char *cut(char **rest, const char *separators) {
  char *start = *rest;
  if (!start) return NULL;
  char *end = start + strcspn(start, separators);
  *rest = *end ? end + 1 : NULL;
  *end = '\0';
  start += strspn(start, " \t\r");
  while (end > start && strchr(" \t\r", end[-1])) *--end = '\0';
  return start;
}

static bool read_head(File *file, char *line) {
  const bool is_marked =
      line && !strncmp(line, "\xef\xbb\xbf", 3); /* UTF-8 byte order mark of Windows editors */
  char *rest = is_marked ? line + 3 : line, *magic = cut(&rest, ","), *version = cut(&rest, ",");
  if (!magic || !version || strcmp(magic, "#WEBOTS_MOTION") || strcmp(version, "V1.0")) {
    texts_add(&file->problems, "%s:1: found \"%s%s%s\"; expected \"%s\"", file->path, magic ? magic : "",
              version ? "," : "", version ? version : "", HEAD);
    return false;
  }
  for (char *name; (name = cut(&rest, ",")) && file->names.count <= MOST_MOTORS;) {
    if (*name) texts_add(&file->names, "%s", name);
  }
  if (file->names.count <= MOST_MOTORS) return true;
  texts_add(&file->problems, MESSAGE_MANY_MOTORS, file->path, MOST_MOTORS);
  return false;
}

/* Convert `[[minutes:]seconds:]milliseconds` to ms; -1 if the format is invalid. */
static int read_time(const char *text) {
  static const int SIZES[] = {1, 1000, 60000};
  int parts[3] = {0}, count = 0;
  for (const char *at = text;; ++at) {
    const size_t digits = strspn(at, "0123456789");
    if (!digits || digits > LONGEST_TIME || count == 3) return -1;
    parts[count++] = (int)strtol(at, NULL, 10);
    at += digits;
    if (!*at) break;
    if (*at != ':') return -1;
  }
  double time = 0;
  for (int i = 0; i < count; ++i) time += (double)parts[count - 1 - i] * SIZES[i];
  return time < 2e9 ? (int)time : -1;
}

/* Parse a position; false if the text is invalid. */
static bool read_position(const char *text, double *position) {
  if (!strcmp(text, "*")) {
    *position = NAN;
    return true;
  }
  char *end = NULL;
  *position = strtod(text, &end);
  return *text && !*end;
}

static void add_problem(File *file, int line, const char *text) {
  texts_add(&file->problems, "%s:%d: %s", file->path, line, text);
}

static void read_pose(File *file, char *text, int line) {
  Motion *motion = file->motion;
  char *rest = text, *time_text = cut(&rest, ",");
  const int time = read_time(time_text),
            last = motion->pose_count ? motion->poses[motion->pose_count - 1].time : -1;
  double *positions = allocate(sizeof *positions * (size_t)file->names.count);
  int count = 0;
  bool fine = true;
  cut(&rest, ","); /* the name of the pose */
  for (char *cell; (cell = cut(&rest, ",")); ++count) {
    double ignored;
    if (!*cell && count >= file->names.count) {
      --count;
      continue;
    }
    fine = read_position(cell, count < file->names.count ? &positions[count] : &ignored) && fine;
  }
  if (time < 0)
    texts_add(&file->problems, "%s:%d: " MESSAGE_INVALID_POSE_TIME, file->path, line, time_text);
  else if (time <= last)
    texts_add(&file->problems, "%s:%d: " MESSAGE_TIME_NOT_LATER, file->path, line, time_text);
  else if (count != file->names.count)
    texts_add(&file->problems, "%s:%d: " MESSAGE_INVALID_POSE_LENGTH, file->path, line, count,
              file->names.count);
  else if (!fine)
    add_problem(file, line, MESSAGE_INVALID_POSITION);
  else {
    motion->poses = reallocate(motion->poses, sizeof *motion->poses * ((size_t)motion->pose_count + 1));
    motion->poses[motion->pose_count++] = (Pose){time, positions};
    return;
  }
  free(positions);
}

static bool is_blank(const char *text) { return !text[strspn(text, " \t\r")]; }

/* Let each line end with "\n": files of Windows have "\r\n", and others only "\r". */
static void unify_line_ends(char *text) {
  for (char *at = text; (at = strchr(at, '\r')); ++at) *at = at[1] == '\n' ? ' ' : '\n';
}

static void read_lines(File *file, char *text) {
  unify_line_ends(text);
  char *rest = text, *line = cut(&rest, "\n");
  if (!read_head(file, line)) return;
  for (int number = 2; (line = cut(&rest, "\n")) && !is_blank(line); ++number) {
    read_pose(file, line, number);
    if (file->problems.count < MOST_PROBLEMS) continue;
    texts_add(&file->problems, MESSAGE_MANY_PROBLEMS, file->path, MOST_PROBLEMS);
    return;
  }
  if (!file->problems.count && !(file->names.count && file->motion->pose_count))
    texts_add(&file->problems, MESSAGE_EMPTY_MOTION, file->path, file->names.count, file->motion->pose_count);
}

static int find_motor(const File *file, const char *name) {
  const Robot *robot = file->robot;
  const char **names = allocate(sizeof *names * (size_t)robot->device_count);
  int count = 0, found = 0;
  for (int tag = 1; tag < robot->device_count && !found; ++tag) {
    const Device *device = robot->devices[tag];
    if (!device || device->kind != &motor_kind) continue;
    names[count++] = device->name;
    found = strcmp(device->name, name) ? 0 : tag;
  }
  if (!found)
    report_warning("wbu_motion_new", true, MESSAGE_UNKNOWN_MOTOR, file->path, name,
                   closest(name, names, count));
  free(names);
  return found;
}

static void find_motors(File *file) {
  Motion *motion = file->motion;
  motion->motor_count = file->names.count;
  motion->motors = allocate(sizeof *motion->motors * (size_t)motion->motor_count);
  for (int i = 0; i < motion->motor_count; ++i) motion->motors[i] = find_motor(file, file->names.items[i]);
}

static bool load(const char *path, Buffer *out) {
  FILE *stream = fopen(path, "rb");
  if (!stream) {
    report_error("wbu_motion_new", "could not read the motion: [Errno %d] %s: '%s'", errno, strerror(errno),
                 path);
    return false;
  }
  put_file(out, stream, LARGEST_MOTION + 1);
  fclose(stream);
  if (out->size > LARGEST_MOTION) {
    report_error("wbu_motion_new", "could not read the motion: " MESSAGE_LARGE_FILE, path, LARGEST_MOTION);
    return false;
  }
  put_u8(out, 0);
  return true;
}

bool motion_read(Motion *motion, const Robot *robot, const char *path) {
  File file = {.path = path, .motion = motion, .robot = robot};
  Buffer text = {0};
  const bool loaded = load(path, &text);
  if (loaded) read_lines(&file, (char *)text.data);
  for (int i = 0; i < file.problems.count; ++i)
    report_error("wbu_motion_new", MESSAGE_UNREADABLE_MOTION, file.problems.items[i]);
  const bool fine = loaded && !file.problems.count;
  if (fine) find_motors(&file);
  texts_free(&file.names);
  texts_free(&file.problems);
  buffer_free(&text);
  return fine;
}
