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
  const double high = (1 / 13.0 - s * (1 / 15.0)) + s2 * (1 / 17.0 - s * (1 / 19.0));
  const double series = (1 / 5.0 - s * (1 / 7.0)) + s2 * ((1 / 9.0 - s * (1 / 11.0)) + s2 * high);
  const double curve = x * s * (-1 / 3.0 + s * series);
  return is_sure(x, curve) ? x + curve : precise_angle((Exact){0, 0}, (Exact){x, 0});
}

// The product of any number and one of up to 26 bits.
static Exact few_times(double few, double b) {
  const double scaled = 134217729.0 * b, head = scaled - (scaled - b), result = few * b;
  return (Exact){result, (few * head - result) + few * (b - head)};
}

// atan(q) - q, for |q| up to 1/64
static double curve_of(double q) {
  const double s = q * q;
  return q * s * (-1 / 3.0 + s * (1 / 5.0 + s * (-1 / 7.0 + s * (1 / 9.0 - s * (1 / 11.0)))));
}

// turn + sign * atan(r), for r = (n - c d) / (d + c n)
static double precise_sum(Exact turn, double sign, double n, Exact c_d, double d, Exact c_n) {
  Exact r = over(plus((Exact){n, 0}, (Exact){-c_d.value, -c_d.rest}), plus((Exact){d, 0}, c_n));
  r.value *= sign, r.rest *= sign;
  return precise_angle(turn, r);
}

// 1/16 <= x <= 1
static double flat_angle(double x) {
  const int k = (int)(x * 32 + 0.5);
  const double c = k / 32.0, top = x - c;
  const Exact turn = kAngles[0][k], c_n = few_times(c, x), below = ordered_sum(1, c_n.value);
  const double inverse = 1 / below.value, q = top * inverse;
  const Exact q_d = product(q, below.value);
  const double q_rest = ((top - q_d.value) - q_d.rest - q * (below.rest + c_n.rest)) * inverse;
  const Exact values = ordered_sum(turn.value, q);
  const double rest = values.rest + ((q_rest + curve_of(q)) + turn.rest);
  if (is_sure(values.value, rest)) return values.value + rest;
  return precise_sum(turn, 1, x, (Exact){c, 0}, 1, c_n);
}

// 1 < x: pi/2 minus the angle of 1/x
static double steep_angle(double x) {
  const int k = (int)(1 / (float)x * 32 + 0.5f);
  const double c = k / 32.0;
  const Exact turn = kAngles[2][k], c_d = few_times(c, x), below = ordered_sum(x, c);
  const double top = (1 - c_d.value) - c_d.rest;
  const double inverse = 1 / below.value, q = top * inverse;
  const Exact q_d = product(q, below.value);
  const double q_rest = ((top - q_d.value) - q_d.rest - q * below.rest) * inverse;
  const Exact values = ordered_sum(turn.value, -q);
  const double rest = values.rest + (-(q_rest + curve_of(q)) + turn.rest);
  if (is_sure(values.value, rest)) return values.value + rest;
  return precise_sum(turn, -1, 1, c_d, x, (Exact){c, 0});
}

double atan(double x) {
  const double ax = fabs(x);
  if (isnan(x) || ax < 0x1p-27) return x;
  double result = 0x1.921fb54442d18p+0;
  if (ax < 0x1p-4)
    result = small_angle(ax);
  else if (ax <= 0x1p60)
    result = ax > 1 ? steep_angle(ax) : flat_angle(ax);
  return x < 0 ? -result : result;
}
