/* See waiting.h. */
#include "waiting.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "generated/messages.h"
#include "names.h"
#include "report.h"

#define MOST 8      /* maximum number of robots that a message lists */
#define LONGEST 200 /* maximum length of a listed name, in characters */

/* Concatenate strings. Free the result. */
static char *joined(Texts *parts) {
  Buffer made = {0};
  for (int i = 0; i < parts->count; ++i) put(&made, parts->items[i], strlen(parts->items[i]));
  put_u8(&made, 0);
  texts_free(parts);
  return (char *)made.data;
}

static const char *name_of(const char *place) { return strchr(place, '/') + 1; }

/* A hint with the most similar name, unless the name itself is listed. */
static const char *nearest(const Address *address, const Texts *places) {
  char *wanted = encoded_name(address->robot);
  Texts names = {0};
  bool same = false;
  for (int i = 0; i < places->count; ++i) {
    texts_add(&names, "%s", name_of(places->items[i]));
    same = same || !strcmp(names.items[i], wanted);
  }
  const char *found = same ? "" : closest(wanted, (const char *const *)names.items, names.count);
  texts_free(&names);
  free(wanted);
  return found;
}

static void keep_short(Texts *places) {
  int kept = 0;
  for (int i = 0; i < places->count; ++i) {
    if (strlen(name_of(places->items[i])) <= LONGEST)
      places->items[kept++] = places->items[i];
    else
      free(places->items[i]);
  }
  places->count = kept;
}

/* The hint for addresses, NUMBER/NAME, with possible duplicates. */
static char *hint(const Address *address, Texts *places) {
  Texts parts = {0};
  int told = 0;
  keep_short(places);
  texts_sort(places);
  for (int i = 0; i < places->count && told <= MOST; ++i) {
    if (i && !strcmp(places->items[i], places->items[i - 1])) continue;
    const char *front = told ? ", " : " (waiting: ";
    if (++told > MOST)
      texts_add(&parts, ", ...");
    else if (address->scheme == TCP)
      texts_add(&parts, "%stcp://%s:%s", front, address->host, places->items[i]);
    else
      texts_add(&parts, "%sipc://%s", front, places->items[i]);
  }
  if (told)
    texts_add(&parts, "%s)", nearest(address, places));
  else
    texts_add(&parts, MESSAGE_NO_ROBOT_WAITS);
  texts_free(places);
  return joined(&parts);
}

char *hint_from_here(const Address *address) {
  const char *host = address->scheme == TCP ? address->host : "localhost";
  Texts places = {0};
  if (address->scheme == INTERN || (strcmp(host, "localhost") && strcmp(host, "127.0.0.1")))
    return joined(&places);
  waiting_robots(&places);
  return hint(address, &places);
}

static bool is_name(const char *text, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    if (text[i] != '%' && !is_safe(text[i])) return false;
  }
  return size > 0;
}

char *hint_from_reply(const Address *address, const char *reply) {
  Texts places = {0};
  if (strncmp(reply, REFUSED, strlen(REFUSED))) return joined(&places);
  for (const char *line = reply + strlen(REFUSED); *line;) {
    const size_t size = strcspn(line, "\n");
    if (is_name(line, size)) texts_add(&places, "%d/%.*s", address->port, (int)size, line);
    line += size + (line[size] != '\0');
  }
  return hint(address, &places);
}
