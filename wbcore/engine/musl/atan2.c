// The angle of a point, with an error below one unit in the last place; that of musl's function is larger.
//
// With the shorter side n and the longer one d, the angle is atan(k/32) + atan(r) for r = (n - k/32 d) / (d +
// k/32 n), where k makes |r| at most 1/64. For small angles, r = n / d keeps the error of its division. Only
// the last addition rounds a number of the size of the result.
#include <math.h>
#include <stdint.h>

#include "angle_table.h"

static const double kSigns[4] = {1, -1, -1, 1};  // of atan(r), by octant
static const double kPi = 0x1.921fb54442d18p+1;

// n / d; the division by a float takes less time, and gives as many bits as the rest needs.
static Exact quotient(double n, double d) {
  const double q = n / d, p = q * d, q_head = head(q), d_head = head(d), q_tail = q - q_head,
               d_tail = d - d_head;
  const double error = ((q_head * d_head - p) + q_head * d_tail + q_tail * d_head) + q_tail * d_tail;
  return (Exact){q, ((n - p) - error) * (1 / (float)d)};
}

static double small_angle(double n, double d, int octant) {
  const Exact r = quotient(n, d), *turn = &kAngles[octant][0];
  const double s = r.value * r.value, sign = kSigns[octant];
  const double high = 1 / 9.0 + s * (-1 / 11.0 + s * (1 / 13.0 + s * (-1 / 15.0 + s / 17)));
  const double curve = r.value * s * (-1 / 3.0 + s * (1 / 5.0 + s * (-1 / 7.0 + s * high)));
  if (octant == 0) return r.value + (r.rest + curve);
  return turn->value + (sign * (r.value + (r.rest + curve)) + turn->rest);
}

// 0 < n <= d
static double angle(double n, double d, int octant) {
  const int k = (int)((float)n / (float)d * 32 + 0.5f);
  if (k < 3) return small_angle(n, d, octant);
  const double c = k / 32.0, d_head = head(d);
  // n - c d_head is exact: both have nearly the same size, and c has few bits
  const double r = ((n - c * d_head) - c * (d - d_head)) / (d + c * n), s = r * r;
  const double curve = r * s * (-1 / 3.0 + s * (1 / 5.0 + s * (-1 / 7.0 + s / 9)));
  const Exact *turn = &kAngles[octant][k];
  return turn->value + (kSigns[octant] * (r + curve) + turn->rest);
}

// 2 to the power of minus the exponent of a number, so that their product is about 1.
static double normalizer(double value) {
  union {
    double value;
    uint64_t bits;
  } parts = {value};
  const uint64_t exponent = parts.bits >> 52;
  parts.bits = (exponent == 0 ? 2045 : exponent > 2044 ? 1 : 2046 - exponent) << 52;
  return parts.value;
}

static double with_sign(double value, double y) { return signbit(y) ? -value : value; }

// Zeros and infinities, as C99's annex F wants them.
static double at_an_edge(double y, double x) {
  if (y == 0) return with_sign(signbit(x) ? kPi : 0, y);
  if (isinf(y) && isinf(x)) return with_sign(signbit(x) ? 3 * kPi / 4 : kPi / 4, y);
  if (x == 0 || isinf(y)) return with_sign(kPi / 2, y);
  return with_sign(signbit(x) ? kPi : 0, y);
}

double atan2(double y, double x) {
  if (isnan(x) || isnan(y)) return x + y;
  const double ax = fabs(x), ay = fabs(y);
  if (ay == 0 || ax == 0 || isinf(ay) || isinf(ax)) return at_an_edge(y, x);
  const int is_steep = ay > ax;
  double n = is_steep ? ax : ay, d = is_steep ? ay : ax;
  if (n < d * 0x1p-60) {
    if (is_steep) return with_sign(kPi / 2, y);
    return signbit(x) ? with_sign(kPi, y) : y / x;
  }
  if (d > 0x1p30 || d < 0x1p-30) {  // within the range of floats, and far from numbers with fewer bits
    const double scale = normalizer(d);
    n *= scale;
    d *= scale;
  }
  return with_sign(angle(n, d, 2 * is_steep + (signbit(x) != 0)), y);
}
