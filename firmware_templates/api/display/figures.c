/* Lines, ovals and polygons on the picture of a display. Rules: manual, chapter Display; Bresenham's lines,
 * midpoint ovals, polygons by the even-odd rule with their horizontal edges. */
#include "figures.h"

#include "canvas.h"

int16_t figure_near(int coordinate) {
  return (int16_t)(coordinate < -FARTHEST ? -FARTHEST : coordinate > FARTHEST ? FARTHEST : coordinate);
}

static int16_t distance(int16_t from, int16_t to) { return (int16_t)(to < from ? from - to : to - from); }

void figure_line(int16_t x1, int16_t y1, int16_t x2, int16_t y2, bool lit) {
  const int16_t wide = distance(x1, x2), high = distance(y1, y2);
  const int16_t step_x = x2 > x1 ? 1 : -1, step_y = y2 > y1 ? 1 : -1;
  const bool is_flat = wide > high;
  const int16_t count = is_flat ? wide : high, beside = is_flat ? high : wide;
  int32_t sum = count; /* after i steps, floor(i * slope + 1/2) of them were also sideways */
  for (int16_t i = 0;; i++) {
    canvas_bar(x1, y1, x1, y1, lit);
    if (i == count) return;
    sum += 2 * (int32_t)beside;
    const bool both = sum >= 2 * (int32_t)count;
    if (both) sum -= 2 * (int32_t)count;
    if (is_flat || both) x1 += step_x;
    if (!is_flat || both) y1 += step_y;
  }
}

/* A row of an oval at each side of its center: columns at these distances. */
static void oval_rows(int16_t x, int16_t y, int16_t n, int16_t near, int16_t far, bool lit) {
  for (int side = -1; side <= 1; side += 2) {
    const int16_t row = (int16_t)(y + side * n);
    canvas_bar(x - far, row, x - near, row, lit);
    canvas_bar(x + near, row, x + far, row, lit);
  }
}

void figure_oval(int16_t x, int16_t y, int16_t a, int16_t b, bool fill, bool lit) {
  const int64_t a2 = (int64_t)a * a, b2 = (int64_t)b * b;
  oval_rows(x, y, 0, fill ? 0 : a, a, lit);
  /* The widest column of row n is the largest one with b^2 x (x - 1) < a^2 (b^2 - n (n - 1)). */
  int16_t widest = a;
  for (int16_t n = 1; n <= b && widest > 0; n++) {
    const int64_t limit = a2 * (b2 - (int64_t)n * (n + 1)); /* of the next row */
    int16_t next = widest;
    while (next > 0 && b2 * next * (next - 1) >= limit) next--;
    const bool is_step = next < widest;
    oval_rows(x, y, n, fill ? 0 : is_step ? next : widest, is_step ? widest - 1 : widest, lit);
    widest = next;
  }
}

struct corner {
  int16_t x, y;
};

static struct corner corner_at(const int *x, const int *y, int k) {
  return (struct corner){figure_near(x[k]), figure_near(y[k])};
}

/* An edge crosses a row if it ends on it or above, and begins below. */
static bool crosses(struct corner from, struct corner to, int16_t row) {
  return (to.y < row) != (from.y < row);
}

static int16_t crossing(struct corner from, struct corner to, int16_t row) {
  return (int16_t)(to.x + (int32_t)(row - to.y) * (from.x - to.x) / (from.y - to.y));
}

/* The columns where edges cross a row, sorted. */
struct crossings {
  int16_t columns[FIGURE_CROSSINGS];
  uint8_t count;
};

static bool add_crossing(struct crossings *found, int16_t column) {
  if (found->count == FIGURE_CROSSINGS) return false;
  uint8_t k = found->count++;
  for (; k > 0 && found->columns[k - 1] > column; k--) found->columns[k] = found->columns[k - 1];
  found->columns[k] = column;
  return true;
}

static void draw_pairs(const struct crossings *found, int16_t row, bool fill, bool lit) {
  for (uint8_t k = 0; k + 1 < found->count; k += 2) {
    const int16_t right = found->columns[k + 1];
    /* A pair that begins where the one before it ends begins one pixel later. */
    const bool touches = k > 0 && found->columns[k] == found->columns[k - 1];
    const int16_t left = (int16_t)(found->columns[k] + touches);
    canvas_bar(left, row, fill ? right : left, row, lit);
    if (!fill) canvas_bar(right, row, right, row, lit);
  }
}

bool figure_polygon(const int *x, const int *y, int size, bool fill, bool lit) {
  bool is_complete = true;
  for (int16_t row = 0; row < CANVAS_HEIGHT; row++) {
    struct crossings found = {.count = 0};
    struct corner from = corner_at(x, y, size - 1);
    for (int k = 0; k < size; k++) {
      const struct corner to = corner_at(x, y, k);
      if (crosses(from, to, row)) is_complete = add_crossing(&found, crossing(from, to, row)) && is_complete;
      if (from.y == row && to.y == row)
        canvas_bar(from.x < to.x ? from.x : to.x, row, from.x < to.x ? to.x : from.x, row, lit);
      from = to;
    }
    draw_pairs(&found, row, fill, lit);
  }
  return is_complete;
}
