/* Settings of the Wi-Fi over the serial line. A backslash takes the next character as it is. */
#include "wifi_line.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define COMMAND "wifi "
#define FORGET "forget"

/* Each character of both words may have a backslash. */
#define LINE (sizeof COMMAND + 2 * (WIFI_NAME_MOST + WIFI_PASSWORD_MOST) + 8)

char wifi_line_name[WIFI_NAME_MOST + 1], wifi_line_password[WIFI_PASSWORD_MOST + 1];
static char line[LINE + 1];
static size_t size;

/* Copies a word in quotes of at most `most` bytes; returns what follows it, NULL for anything else. */
static const char *word(const char *from, char *to, size_t most) {
  size_t count = 0;
  while (*from == ' ') from++;
  if (*from++ != '"') return NULL;
  for (; *from != '"'; from++) {
    if (*from == '\\') from++;
    if (*from == 0 || count == most) return NULL;
    to[count++] = *from;
  }
  to[count] = 0;
  return from + 1;
}

static bool is_end(const char *from) {
  while (*from == ' ') from++;
  return *from == 0;
}

static enum wifi_line read_words(const char *from) {
  if (strncmp(from, FORGET, sizeof FORGET - 1) == 0 && is_end(from + sizeof FORGET - 1))
    return WIFI_LINE_FORGET;
  const char *rest = word(from, wifi_line_name, WIFI_NAME_MOST);
  if (rest != NULL) rest = word(rest, wifi_line_password, WIFI_PASSWORD_MOST);
  const size_t length = rest != NULL ? strlen(wifi_line_password) : 0;
  const bool is_valid = rest != NULL && is_end(rest) && wifi_line_name[0] != 0 &&
                        (length == 0 || length >= WIFI_PASSWORD_LEAST);
  return is_valid ? WIFI_LINE_SET : WIFI_LINE_WRONG;
}

static enum wifi_line end_line(void) {
  const bool is_whole = size <= LINE;
  line[is_whole ? size : LINE] = 0;
  size = 0;
  if (strncmp(line, COMMAND, sizeof COMMAND - 1) != 0) return WIFI_LINE_OTHER;
  return is_whole ? read_words(line + sizeof COMMAND - 1) : WIFI_LINE_WRONG;
}

enum wifi_line wifi_line_take(char character) {
  if (character == '\r') return WIFI_LINE_MORE;
  if (character == '\n') {
    const enum wifi_line found = end_line();
    memset(line, 0, sizeof line); /* it has a password */
    return found;
  }
  if (size < LINE) line[size] = character;
  if (size <= LINE) size++;
  return WIFI_LINE_MORE;
}
