/* A speaker, which plays sounds and speaks texts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webots/speaker.h>

#include "../generated/messages.h"
#include "../generated/speaker_codec.h"
#include "../names.h"
#include "../robot.h"

enum { BOTH = 0, RIGHT = 1, LEFT = 65535 };
#define LARGEST_SOUND (64 << 20)

static const char *const ENGINES[] = {"pico", "microsoft", NULL};
static const char *const LANGUAGES[] = {"en-US", "en-UK", "de-DE", "es-ES", "fr-FR", "it-IT", "zh-CN", NULL};

/* The state of one sound file. */
typedef struct Sound {
  struct Sound *next;
  char *file;
  bool playing, uploaded, wanted;
  double settings[3]; /* volume, pitch, balance */
  unsigned side;
  bool loop;
} Sound;

typedef struct {
  Device base;
  Sound *sounds;
  char *engine, *language;
  bool speaking, stop_all;
  Texts stopped;
} Speaker;

static void start(Device *device) {
  Speaker *self = (Speaker *)device;
  keep_text(&self->engine, ENGINES[0]);
  keep_text(&self->language, LANGUAGES[0]);
}

static Sound *find_sound(const Speaker *self, const char *file) {
  Sound *one = self->sounds;
  while (one && strcmp(one->file, file)) one = one->next;
  return one;
}

static void take_sound_over(Speaker *self, Reader *in) {
  Sound *sound = find_sound(self, read_text(in));
  if (sound) sound->playing = false;
}

static void take_speech_over(Speaker *self, Reader *in) {
  (void)in;
  self->speaking = false;
}

/* The content of the sound file to upload; empty if only the simulator can find the file. */
static void put_content(Buffer *out, const char *file, const char *project) {
  Texts paths = {0};
  texts_add(&paths, "%s", file);
  texts_add(&paths, "%s/%s", project, file);
  const size_t at = out->size;
  put_i32(out, 0);
  FILE *stream = fopen(paths.items[0], "rb");
  if (!stream && file[0] != '/') stream = fopen(paths.items[1], "rb");
  if (stream) {
    put_file(out, stream, LARGEST_SOUND);
    fclose(stream);
  }
  put_i32_at(out, at, (int32_t)(out->size - at - 4));
  texts_free(&paths);
}

static void put_sound(Buffer *out, Sound *sound, const Robot *robot) {
  put_lstr16(out, sound->file);
  put_f64s(out, sound->settings, 3);
  put_u16(out, sound->side);
  put_u8(out, sound->loop);
  sound->wanted = false;
  if (robot->dialect != R2025A) return;
  if (sound->uploaded)
    put_i32(out, 0);
  else
    put_content(out, sound->file, robot->project_path);
  sound->uploaded = true;
}

static void put_stopped(Speaker *self, Buffer *out) {
  put_u8(out, SPEAKER_STOP);
  put_u16(out, self->stop_all ? 0 : (unsigned)self->stopped.count);
  for (int i = 0; i < self->stopped.count && !self->stop_all; ++i) put_lstr16(out, self->stopped.items[i]);
  texts_free(&self->stopped);
  self->stop_all = false;
}

/* The stop command comes first. */
static void flush(Device *device, Buffer *out) {
  Speaker *self = (Speaker *)device;
  int wanted = 0;
  if (self->stop_all || self->stopped.count) put_stopped(self, out);
  for (const Sound *one = self->sounds; one; one = one->next) wanted += one->wanted;
  if (wanted) {
    put_u8(out, SPEAKER_PLAY_SOUND);
    put_i32(out, wanted);
    for (Sound *one = self->sounds; one; one = one->next) {
      if (one->wanted) put_sound(out, one, device->robot);
    }
  }
  device_flush(device, out);
}

static void end(Device *device) {
  Speaker *self = (Speaker *)device;
  while (self->sounds) {
    Sound *next = self->sounds->next;
    free(self->sounds->file);
    free(self->sounds);
    self->sounds = next;
  }
  texts_free(&self->stopped);
  free(self->engine);
  free(self->language);
}

/* Sounds. */

/* The sound of a file, moved to the end: pending sounds are sent in the order of the calls. */
static Sound *last_sound(Speaker *self, const char *file) {
  Sound **place = &self->sounds;
  while (*place && strcmp((*place)->file, file)) place = &(*place)->next;
  Sound *sound = *place;
  if (!sound) {
    sound = *place = allocate(sizeof *sound);
    keep_text(&sound->file, file);
  }
  if (sound->wanted || !sound->next) return sound;
  *place = sound->next;
  while (*place) place = &(*place)->next;
  sound->next = NULL;
  return *place = sound;
}

static void play(Speaker *self, const char *file, const double settings[3], unsigned side, bool loop) {
  Sound *sound = last_sound(self, file);
  memcpy(sound->settings, settings, sizeof sound->settings);
  sound->side = side;
  sound->loop = loop;
  sound->playing = sound->wanted = true;
  device_wait(&self->base);
}

static bool is_within(const char *name, double value, double low, double high, const char *limits) {
  if (low <= value && value <= high) return true;
  report_error("wb_speaker_play_sound", MESSAGE_INVALID_SETTING, name, number_text(value), limits);
  return false;
}

void wb_speaker_play_sound(WbDeviceTag left, WbDeviceTag right, const char *sound, double volume,
                           double pitch, double balance, bool loop) {
  Speaker *first = device_find(left, &speaker_kind, __func__);
  Speaker *second = device_find(right, &speaker_kind, __func__);
  if (!first || !second || is_null(__func__, "sound", sound) ||
      !is_within("volume", volume, 0, 1, "0 to 1") ||
      !is_within("pitch", pitch, 0, 1e9, "0 to 1000000000.0") ||
      !is_within("balance", balance, -1, 1, "-1 to 1"))
    return;
  if (strlen(sound) > LONGEST_TEXT) {
    report_error(__func__, MESSAGE_LONG_NAME, strlen(sound), LONGEST_TEXT);
    return;
  }
  const double settings[] = {volume, pitch, balance};
  play(first, sound, settings, first == second ? BOTH : LEFT, loop);
  if (first != second) play(second, sound, settings, RIGHT, loop);
}

static void stop(Sound *sound) { sound->playing = sound->wanted = false; }

void wb_speaker_stop(WbDeviceTag tag, const char *sound) {
  Speaker *self = device_find(tag, &speaker_kind, __func__);
  if (!self) return;
  if (sound && *sound) {
    Sound *found = find_sound(self, sound);
    if (found) stop(found);
    if (!self->stop_all) texts_add(&self->stopped, "%.*s", LONGEST_TEXT, sound);
  } else {
    self->stop_all = true;
    for (Sound *one = self->sounds; one; one = one->next) stop(one);
  }
  device_wait(&self->base);
}

bool wb_speaker_is_sound_playing(WbDeviceTag tag, const char *sound) {
  const Speaker *self = device_find(tag, &speaker_kind, __func__);
  const Sound *found = self && !is_null(__func__, "sound", sound) ? find_sound(self, sound) : NULL;
  return found ? found->playing : false;
}

/* Speech. */

static bool is_listed(const char *const *list, const char *name, const char *what, const char *function) {
  char known[256] = "";
  for (int i = 0; list[i]; ++i) {
    if (!strcmp(list[i], name)) return true;
    snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", list[i]);
  }
  report_error(function, MESSAGE_INVALID_NAME, what, name, known);
  return false;
}

bool wb_speaker_set_engine(WbDeviceTag tag, const char *engine) {
  Speaker *self = device_find(tag, &speaker_kind, __func__);
  if (!self || is_null(__func__, "engine", engine) || !is_listed(ENGINES, engine, "engine", __func__))
    return false;
  keep_text(&self->engine, engine);
  put_lstr16(device_command(&self->base, SPEAKER_SET_ENGINE), engine);
  return true;
}

bool wb_speaker_set_language(WbDeviceTag tag, const char *language) {
  Speaker *self = device_find(tag, &speaker_kind, __func__);
  if (!self || is_null(__func__, "language", language) ||
      !is_listed(LANGUAGES, language, "language", __func__))
    return false;
  keep_text(&self->language, language);
  put_lstr16(device_command(&self->base, SPEAKER_SET_LANGUAGE), language);
  return true;
}

void wb_speaker_speak(WbDeviceTag tag, const char *text, double volume) {
  Speaker *self = device_find(tag, &speaker_kind, __func__);
  if (!self || is_null(__func__, "text", text)) return;
  if (!(0 <= volume && volume <= 1)) {
    report_error(__func__, MESSAGE_INVALID_VOLUME, number_text(volume));
    return;
  }
  if (strlen(text) > LONGEST_TEXT) {
    report_error(__func__, MESSAGE_LONG_TEXT, strlen(text), LONGEST_TEXT);
    return;
  }
  Buffer *out = device_command(&self->base, SPEAKER_SPEAK);
  put_lstr16(out, text);
  put_f64(out, volume);
  self->speaking = true;
}

#include "../generated/speaker.h"
