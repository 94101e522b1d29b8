// What the arc tangent is next to multiples c of 1/128: atan(c + z) = atan(c) + z / (1 + c c) + z z p(z).
#pragma once

typedef struct {
  double angle, angle_rest;  // the sum of both is atan(c)
  double slope, slope_rest;  // 1 / (1 + c c); the first has 26 bits
  double p[6];               // for |z| up to 1/256
} ArcRow;

hidden extern const ArcRow kArcs[129];
