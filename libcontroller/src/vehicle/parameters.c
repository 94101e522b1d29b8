/* See parameters.h. The text consists of 20 values, the gear ratios, whose number is the 19th value, and the
   sound file, whose length in characters is the 20th value. Blanks separate them. */
#include "parameters.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bytes.h"
#include "../generated/messages.h"
#include "../platform/system.h"

#define LEAST_GEARS 2
#define MOST_SHOWN 80 /* characters of an invalid text that a message shows */
#define BLANKS " \t\n\r\f\v\x1c\x1d\x1e\x1f"
#define VALUE(name) {#name, offsetof(Parameters, name)}
#define COEFFICIENT(name, i) {#name, offsetof(Parameters, coefficients) + sizeof(double) * (i)}

/* The first 20 values. All but the engine are numbers. */
static const struct {
  const char *name;
  size_t place;
} VALUES[] = {VALUE(wheelbase),
              VALUE(track_front),
              VALUE(track_rear),
              VALUE(front_wheel_radius),
              VALUE(rear_wheel_radius),
              VALUE(brake_coefficient),
              VALUE(wheels_damping),
              VALUE(engine),
              VALUE(max_torque),
              VALUE(max_power),
              VALUE(min_rpm),
              VALUE(max_rpm),
              COEFFICIENT(constant, 0),
              COEFFICIENT(linear, 1),
              COEFFICIENT(quadratic, 2),
              VALUE(split_ratio),
              VALUE(split_rpm),
              VALUE(sound_rpm),
              VALUE(gears),
              VALUE(sound_length)};

enum { COUNT = sizeof VALUES / sizeof *VALUES };
static const char ENGINES[] = "CEPS"; /* letters of the engine types */

/* In UTF-8, each byte other than a continuation byte begins a character. */
static bool begins_character(char byte) { return ((unsigned char)byte & 0xc0) != 0x80; }

/* The size in bytes of the first characters of a text. */
static size_t bytes_of(const char *text, size_t characters) {
  size_t at = 0;
  for (; text[at]; ++at) {
    if (begins_character(text[at]) && !characters--) break;
  }
  return at;
}

/* Append a character for a quoted string; characters that cannot be printed are escaped. */
static void put_shown(Buffer *out, char c, char mark) {
  static const char SPACES[] = "\n\r\t", LETTERS[] = "nrt";
  const char *space = strchr(SPACES, c);
  char shown[8];
  if (space)
    snprintf(shown, sizeof shown, "\\%c", LETTERS[space - SPACES]);
  else if ((unsigned char)c < ' ' || c == '\x7f')
    snprintf(shown, sizeof shown, "\\x%02x", (unsigned char)c);
  else
    snprintf(shown, sizeof shown, "%s%c", c == mark || c == '\\' ? "\\" : "", c);
  put(out, shown, strlen(shown));
}

/* A quoted text. Free the result. */
static char *quoted(const char *text, size_t size) {
  const char mark = memchr(text, '\'', size) && !memchr(text, '"', size) ? '"' : '\'';
  Buffer out = {0};
  put(&out, &mark, 1);
  for (size_t i = 0; i < size; ++i) put_shown(&out, text[i], mark);
  put(&out, (char[]){mark, '\0'}, 2);
  return (char *)out.data;
}

/* The next word; `at` moves past it. Its size is 0 at the end of the text. */
static const char *next_word(const char **at, size_t *size) {
  const char *word = *at + strspn(*at, BLANKS);
  *size = strcspn(word, BLANKS);
  *at = word + *size;
  return word;
}

/* Parse a number independently of the controller's locale; NaN if it is invalid. */
static double number(const char *word) {
  const char *plain = word + (*word == '+' || *word == '-');
  static const char *const INFINITE[] = {"inf", "infinity", "nan"};
  for (size_t i = 0; i < sizeof INFINITE / sizeof *INFINITE; ++i)
    if (system_are_alike(plain, INFINITE[i])) return INFINITY;
  if (!*word || word[strspn(word, "0123456789+-.eE")]) return NAN;
  char *end;
  const double found = system_number(word, &end);
  return *end ? NAN : found;
}

/* Convert a word to a number; false, with a problem, if it is invalid. */
static bool read_number(const char *name, const char *text, size_t size, double *value, Texts *problems) {
  char *word = allocate(size + 1);
  memcpy(word, text, size);
  *value = number(word);
  free(word);
  if (isfinite(*value)) return true;
  char *shown = quoted(text, size);
  texts_add(problems, isnan(*value) ? MESSAGE_INVALID_VALUE : MESSAGE_INFINITE_VALUE, name, shown);
  free(shown);
  return false;
}

static int engine_of(const char *word, size_t size) {
  const char *found = size == 1 ? strchr(ENGINES, *word) : NULL;
  return found ? (int)(found - ENGINES) : COMBUSTION;
}

static int count_words(const char *at, double most) {
  int count = 0;
  size_t size;
  while (count <= most && (next_word(&at, &size), size)) ++count;
  return count;
}

static bool read_values(Parameters *parameters, const char **at, Texts *problems) {
  for (int i = 0; i < COUNT; ++i) {
    void *place = (char *)parameters + VALUES[i].place;
    size_t size;
    const char *word = next_word(at, &size);
    if (place == &parameters->engine)
      parameters->engine = engine_of(word, size);
    else if (!read_number(VALUES[i].name, word, size, place, problems))
      return false;
  }
  return true;
}

/* count: not -0, which the message would show. */
static bool read_gears(Parameters *parameters, const char **at, double count, Texts *problems) {
  if (count < LEAST_GEARS || count_words(*at, count) < count) {
    char shown[400];
    snprintf(shown, sizeof shown, "%.0f", count);
    texts_add(problems, MESSAGE_INVALID_GEAR_COUNT, shown, LEAST_GEARS);
    return false;
  }
  parameters->gear_ratios = allocate(sizeof(double) * (size_t)count);
  for (; parameters->gear_count < count; ++parameters->gear_count) {
    size_t size;
    const char *word = next_word(at, &size);
    if (!read_number("a gear ratio", word, size, &parameters->gear_ratios[parameters->gear_count], problems))
      return false;
  }
  return true;
}

/* The rest of the text is the sound. A negative length counts from its end. */
static void keep_sound(Parameters *parameters, const char *rest, double length) {
  const char *sound = rest + strspn(rest, BLANKS);
  size_t characters = 0;
  for (const char *at = sound; *at; ++at) characters += begins_character(*at);
  const double kept = length < 0 ? length + (double)characters : length;
  const bool all = kept >= (double)characters;
  const size_t size = bytes_of(sound, all ? characters : kept > 0 ? (size_t)kept : 0);
  parameters->sound = allocate(size + 1);
  memcpy(parameters->sound, sound, size);
}

bool parameters_read(Parameters *parameters, const char *text, Texts *problems) {
  const char *at = text;
  *parameters = (Parameters){0};
  if (count_words(text, COUNT) < COUNT) {
    char *shown = quoted(text, bytes_of(text, MOST_SHOWN));
    texts_add(problems, MESSAGE_LACKING_VALUES, COUNT, shown);
    free(shown);
    return false;
  }
  if (read_values(parameters, &at, problems) &&
      read_gears(parameters, &at, trunc(parameters->gears) + 0.0, problems)) {
    keep_sound(parameters, at, trunc(parameters->sound_length));
    return true;
  }
  parameters_end(parameters);
  return false;
}

void parameters_end(Parameters *parameters) {
  free(parameters->gear_ratios);
  free(parameters->sound);
  *parameters = (Parameters){0};
}
