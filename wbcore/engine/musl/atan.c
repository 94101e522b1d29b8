// The arc tangent, rounded to the nearest number.
//
// With the shorter side n and the longer one d of the triangle, the angle is atan(k/32) + atan(r) for r = (n
// - k/32 d) / (d + k/32 n), where k makes |r| at most 1/64. Pairs of numbers carry twice as many bits. The
// difference between r and atan(r) is one number; only where its error could change the rounding of the
// result, it is a pair. The functions of other libraries that round nearly all results correctly have the
// same bits.
#include <math.h>

#include "angle_table.h"

static Exact ordered_sum(double large, double small) {
  const double sum = large + small;
  return (Exact){sum, small - (sum - large)};
}

static Exact sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return (Exact){sum, (a - (sum - part)) + (b - part)};
}

static Exact product(double a, double b) {
  const double a_scaled = 134217729.0 * a, b_scaled = 134217729.0 * b;
  const double a_head = a_scaled - (a_scaled - a), b_head = b_scaled - (b_scaled - b);
  const double a_tail = a - a_head, b_tail = b - b_head, result = a * b;
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

// atan(r) - r, for |r| up to 1/16
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

// Whether an error of 2^-61 of the sum of an ordered pair could change its rounding.
static int is_sure(double value, double rest) {
  const double error = 0x1p-61 * value;
  return value + (rest - error) == value + (rest + error);
}

// 0 < x < 1/16
static double small_angle(double x) {
  const double s = x * x, s2 = s * s;
  const double high = (1 / 13.0 - s / 15) + s2 * (1 / 17.0 - s / 19);
  const double series = (1 / 5.0 - s / 7) + s2 * ((1 / 9.0 - s / 11) + s2 * high);
  const double curve = x * s * (-1 / 3.0 + s * series);
  return is_sure(x, curve) ? x + curve : precise_angle((Exact){0, 0}, (Exact){x, 0});
}

// 0 < n <= d, one of them 1; `is_steep`: pi/2 minus the angle
static double angle(double n, double d, int is_steep) {
  const int k = (int)((float)n / (float)d * 32 + 0.5f);
  const double c = k / 32.0, sign = is_steep ? -1 : 1;
  const Exact turn = kAngles[2 * is_steep][k], c_d = product(c, d), c_n = product(c, n);
  const double top = (n - c_d.value) - c_d.rest;
  const Exact below = ordered_sum(d, c_n.value);
  const double q = top / below.value;
  const Exact q_d = product(q, below.value);
  const double q_rest =
      ((top - q_d.value) - q_d.rest - q * (below.rest + c_n.rest)) * (1 / (float)below.value);
  const double s = q * q,
               curve = q * s * (-1 / 3.0 + s * (1 / 5.0 + s * (-1 / 7.0 + s * (1 / 9.0 - s / 11))));
  const Exact values = ordered_sum(turn.value, sign * q);
  const double rest = values.rest + (sign * (q_rest + curve) + turn.rest);
  if (is_sure(values.value, rest)) return values.value + rest;
  Exact r = over(plus((Exact){n, 0}, (Exact){-c_d.value, -c_d.rest}), plus((Exact){d, 0}, c_n));
  r.value *= sign, r.rest *= sign;
  return precise_angle(turn, r);
}

double atan(double x) {
  const double ax = fabs(x);
  if (isnan(x) || ax < 0x1p-27) return x;
  double result = 0x1.921fb54442d18p+0;
  if (ax < 0x1p-4)
    result = small_angle(ax);
  else if (ax <= 0x1p60)
    result = ax > 1 ? angle(1, ax, 1) : angle(ax, 1, 0);
  return x < 0 ? -result : result;
}
