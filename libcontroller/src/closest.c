/* Find the name that is most similar to a misspelled one.

   Similarity by Ratcliff and Obershelp: twice the number of matching characters divided by the number of all
   characters. Matches are the longest common substring and, recursively, those on both sides of it. */
#include <stdio.h>
#include <string.h>

#include "generated/messages.h"
#include "report.h"

#define LEAST_SIMILAR 0.6
#define LONGEST_NAME 200

typedef struct {
  const char *text;
  int size;
} Part;

static Part longest_common(Part a, Part b, int *at_b) {
  Part best = {a.text, 0};
  for (int i = 0; i < a.size; ++i) {
    for (int j = 0; j < b.size; ++j) {
      int size = 0;
      while (i + size < a.size && j + size < b.size && a.text[i + size] == b.text[j + size]) ++size;
      if (size > best.size) {
        best = (Part){a.text + i, size};
        *at_b = j;
      }
    }
  }
  return best;
}

static int matches(Part a, Part b) {
  int at_b = 0;
  const Part common = longest_common(a, b, &at_b);
  if (!common.size) return 0;
  const int at_a = (int)(common.text - a.text), behind_a = at_a + common.size, behind_b = at_b + common.size;
  const Part front_a = {a.text, at_a}, front_b = {b.text, at_b};
  const Part rest_a = {a.text + behind_a, a.size - behind_a}, rest_b = {b.text + behind_b, b.size - behind_b};
  return common.size + matches(front_a, front_b) + matches(rest_a, rest_b);
}

static double similarity(Part a, Part b) {
  const int both = a.size + b.size;
  return both ? 2.0 * matches(a, b) / both : 1.0;
}

const char *closest(const char *name, const char *const *names, int count) {
  static char hint[LONGEST_NAME + 32];
  const Part wanted = {name, (int)strlen(name)};
  double best = LEAST_SIMILAR;
  hint[0] = '\0';
  for (int i = 0; i < count && wanted.size < LONGEST_NAME; ++i) {
    const Part one = {names[i], (int)strlen(names[i])};
    const double similar = one.size < LONGEST_NAME ? similarity(one, wanted) : 0;
    if (similar >= best) {
      best = similar;
      snprintf(hint, sizeof hint, MESSAGE_SIMILAR_NAME, names[i]);
    }
  }
  return hint;
}
