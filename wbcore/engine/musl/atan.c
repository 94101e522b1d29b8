// The arc tangent, rounded to the nearest number.
//
// Next to c = k/128, atan(c + z) is atan(c) + z / (1 + c c) + z z p(z), where the table has each term's
// factors. The first product is exact, because z and its factor are split into heads of up to 26 bits and
// rests. Only where the error of the sum could change its rounding, pairs of numbers carry twice as many
// bits. The functions of other libraries that round nearly all results correctly have the same bits.
#include <math.h>
#include <stdint.h>

#include "angle_table.h"
#include "arc_table.h"

static Exact sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return (Exact){sum, (a - (sum - part)) + (b - part)};
}

static Exact product(double a, double b) {
  const double a_head = head(a), b_head = head(b), a_tail = a - a_head, b_tail = b - b_head, result = a * b;
  return (Exact){result, ((a_head * b_head - result) + a_head * b_tail + a_tail * b_head) + a_tail * b_tail};
}

static Exact plus(Exact a, Exact b) {
  const Exact values = sum(a.value, b.value);
  return ordered_sum(values.value, values.rest + (a.rest + b.rest));
}

static Exact times(Exact a, Exact b) {
  const Exact values = product(a.value, b.value);
  return ordered_sum(values.value, values.rest + (a.value * b.rest + a.rest * b.value));
}

static Exact over(Exact a, Exact b) {
  const double q = a.value / b.value;
  const Exact p = product(q, b.value);
  return ordered_sum(q, (((a.value - p.value) - p.rest) + a.rest - q * b.rest) / b.value);
}

// atan(r) - r, for |r| up to 1/32
static Exact exact_curve(Exact r) {
  static const Exact third = {-0x1.5555555555555p-2, -0x1.5555555555555p-56},
                     fifth = {0x1.999999999999ap-3, -0x1.999999999999ap-57},
                     seventh = {-0x1.2492492492492p-3, -0x1.2492492492492p-57};
  const Exact s = times(r, r);
  double high = 0;
  for (int n = 25; n >= 9; n -= 2) high = 1.0 / n - s.value * high;
  Exact series = plus(seventh, product(s.value, high));
  series = plus(fifth, times(s, series));
  series = plus(third, times(s, series));
  return times(times(r, s), series);
}

static double precise_angle(Exact turn, Exact r) { return plus(turn, plus(r, exact_curve(r))).value; }

// atan(k/32) + atan(r) for r = (x - k/32) / (1 + k/32 x), or for 1 < x, pi/2 minus the angle of 1/x.
__attribute__((noinline)) static double precise(double x) {
  const int is_steep = x > 1, k = (int)((is_steep ? 1 / x : x) * 32 + 0.5);
  const Exact shorter = {is_steep ? 1 : x, 0}, longer = {is_steep ? x : 1, 0};
  const Exact c_longer = product(-k / 32.0, longer.value), c_shorter = product(k / 32.0, shorter.value);
  Exact r = over(plus(shorter, c_longer), plus(longer, c_shorter));
  if (is_steep) r = (Exact){-r.value, -r.rest};
  return precise_angle(kAngles[2 * is_steep][k], r);
}

// |x| < 1/32
static double small_angle(double x) {
  const double s = x * x, s2 = s * s, cube = x * s;
  const double high = (-1 / 7.0 + s * (1 / 9.0)) + s2 * (-1 / 11.0 + s * (1 / 13.0));
  const double curve = cube * (-1 / 3.0 + s * (1 / 5.0)) + cube * s2 * high, error = 0x1p-51 * cube;
  return x + (curve - error) == x + (curve + error) ? x + curve : precise(x);
}

static const double kGrid = 0x1.8p45, kFineGrid = 0x1.8p18;  // their last places are 1/128 and 2^-34

static const ArcRow *row_near(double place) {
  union {
    double value;
    uint64_t bits;
  } parts = {place};
  return &kArcs[parts.bits & 255];
}

// What the angle of c + z is more than that of c, but for the product of `z`'s head and that of the row's
// slope.
static double rest_of_turn(const ArcRow *row, double z, double z_rest) {
  const double z2 = z * z;
  const double curve =
      (row->p[0] + z * row->p[1]) + z2 * ((row->p[2] + z * row->p[3]) + z2 * (row->p[4] + z * row->p[5]));
  return (z_rest * row->slope + z * row->slope_rest) + z2 * curve;
}

// 1/32 <= x <= 1
static double flat_angle(double x) {
  const double place = x + kGrid, c = place - kGrid, z_head = ((x + kFineGrid) - kFineGrid) - c, z = x - c;
  const ArcRow *row = row_near(place);
  const Exact values = ordered_sum(row->angle, z_head * row->slope);
  const double rest = values.rest + (rest_of_turn(row, z, z - z_head) + row->angle_rest);
  const double error = 0x1p-62 * values.value, low = values.value + (rest - error);
  return low == values.value + (rest + error) ? low : precise(x);
}

// 1 < x: pi/2 minus the angle of y = 1/x, whose last bits are those of the division's remainder
static double steep_angle(double x) {
  static const Exact kRight = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
  const double y = 1 / x, x_head = (float)x;
  const double place = y + kGrid, c = place - kGrid, y_head = (y + kFineGrid) - kFineGrid,
               z_head = y_head - c;
  const double z_rest = (((1 - c * x_head) - z_head * x_head) - y_head * (x - x_head)) * y;
  const ArcRow *row = row_near(place);
  const Exact values = ordered_sum(kRight.value - row->angle, -(z_head * row->slope));
  const double rest =
      values.rest + ((kRight.rest - row->angle_rest) - rest_of_turn(row, z_head + z_rest, z_rest));
  const double low = values.value + (rest - 0x1p-62);
  return low == values.value + (rest + 0x1p-62) ? low : precise(x);
}

double atan(double x) {
  const double size = fabs(x);
  if (size < 0x1p-27 || isnan(x)) return x;
  if (size < 0x1p-5) return small_angle(x);
  double result = 0x1.921fb54442d18p+0;
  if (size <= 0x1p60) result = size > 1 ? steep_angle(size) : flat_angle(size);
  return x < 0 ? -result : result;
}
