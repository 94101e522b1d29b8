// The angle of a point, with an error below one unit in the last place; that of musl's function is larger.
//
// With the shorter side n and the longer one d, the angle is atan(k/32) + atan(r) for r = (n - k/32 d) / (d +
// k/32 n), where k makes |r| at most 1/64. For small angles, r = n / d keeps the error of its division. Only
// the last addition rounds a number of the size of the result.
#include <math.h>
#include <stdint.h>

typedef struct {
  double value, rest;  // the sum of both is exact, or nearly so
} Exact;

// By octant and k. Made by mpmath.
static const Exact kAngles[4][33] = {
    {
        // atan(k/32)
        {0x0.0p+0, 0x0.0p+0},
        {0x1.ffd55bba97625p-6, -0x1.5ec431444912cp-60},
        {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
        {0x1.7ee182602f10fp-4, -0x1.cfb654c0c3d98p-58},
        {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
        {0x1.3d6eee8c6626cp-3, 0x1.61a3b0ce9281bp-57},
        {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
        {0x1.b90d7529260a2p-3, 0x1.17b10d2e0e5abp-61},
        {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
        {0x1.18bf5a30bf178p-2, 0x1.30ca4748b1bf9p-57},
        {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
        {0x1.530ad9951cd4ap-2, -0x1.2566480884082p-57},
        {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
        {0x1.8b24d394a1b25p-2, 0x1.b6d0ba3748fa8p-56},
        {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
        {0x1.c0db4c94ec9f0p-2, -0x1.cc1ce70934c34p-56},
        {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
        {0x1.f40dd0b541418p-2, -0x1.a3992dc382a23p-57},
        {0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56},
        {0x1.1255d9bfbd2a9p-1, -0x1.2bdaee1c0ee35p-58},
        {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
        {0x1.2958e59308e31p-1, -0x1.09e73b0c6c087p-56},
        {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
        {0x1.3f13fb89e96f4p-1, 0x1.ecf8b492644f0p-56},
        {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
        {0x1.538f57b89061fp-1, -0x1.1bb74abda520cp-55},
        {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
        {0x1.66d663923e087p-1, -0x1.6ea6febe8bbbap-56},
        {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
        {0x1.78f6bbd5d315ep-1, 0x1.406a089803740p-55},
        {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
        {0x1.89ff5ff57f1f8p-1, -0x1.55b9a5e177a1bp-55},
        {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
    },
    {
        // pi - atan(k/32)
        {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53},  {0x1.8e200a8ccda2cp+1, -0x1.5c028d8635ad9p-58},
        {0x1.8a225e5677921p+1, -0x1.820b331ddff7bp-53}, {0x1.8628a93141590p+1, -0x1.6e3fd45168419p-54},
        {0x1.8234d7f6ecb9dp+1, -0x1.3cd17e5a39792p-54}, {0x1.7e48c65b7c6f2p+1, -0x1.fbb7d7dba367bp-53},
        {0x1.7a6639f874768p+1, 0x1.217d15ad92ff1p-54},  {0x1.768eddf1b070ep+1, 0x1.329564482f642p-54},
        {0x1.72c43f4b1650ap+1, 0x1.c1b6f4f44e10bp-53},  {0x1.6f07c9fe2aee9p+1, 0x1.0755bebcbaa47p-53},
        {0x1.6b5ac6d632f9fp+1, -0x1.9873ef1407997p-54}, {0x1.67be5a119f36fp+1, 0x1.65c63d8e70078p-56},
        {0x1.643382c07913ap+1, 0x1.a65371fe67254p-54},  {0x1.60bb1ad1ae9b4p+1, -0x1.9c77b415a35eep-53},
        {0x1.5d55d7bcaa899p+1, -0x1.4101c49818cf9p-53}, {0x1.5a044bb1a53dap+1, 0x1.53e600126c58dp-53},
        {0x1.56c6e7397f5aep+1, 0x1.660b64ece6f4bp-53},  {0x1.539dfb2d9aa95p+1, 0x1.349bf60d7dea9p-53},
        {0x1.5089baf0d60e4p+1, 0x1.5518f5f00c544p-53},  {0x1.4d8a3ed45386ep+1, 0x1.1e09d51131bc4p-56},
        {0x1.4a9f8694c6d6bp+1, 0x1.26f6d2c582f3bp-53},  {0x1.47c97bdf8098cp+1, 0x1.dcfa54969a0bep-56},
        {0x1.4507f4d109f29p+1, 0x1.d65a1e52297c6p-53},  {0x1.425ab661c875bp+1, 0x1.b986993df26d2p-54},
        {0x1.3fc176b7a8560p+1, -0x1.441a3bd3f1083p-58}, {0x1.3d3bdf561eb91p+1, -0x1.9eafca1f50f76p-53},
        {0x1.3ac98f27e8652p+1, 0x1.0a5fd4e57fd8ap-53},  {0x1.386a1c5fb34f7p+1, -0x1.b7c8bcf6e8c82p-53},
        {0x1.361d162e61b8bp+1, 0x1.4be8fd7c9b7e6p-53},  {0x1.33e2064ece0c1p+1, -0x1.35b81ef4bb1c9p-53},
        {0x1.31b87267eca85p+1, 0x1.49449e13b4ca7p-55},  {0x1.2f9fdd46e309ap+1, 0x1.6fd0cca9a3a8ep-53},
        {0x1.2d97c7f3321d2p+1, 0x1.a79394c9e8a0ap-54},
    },
    {
        // pi/2 - atan(k/32)
        {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},  {0x1.8a205fd558740p+0, -0x1.30228c09a91b4p-54},
        {0x1.82250768ac529p+0, -0x1.e78c96d05afcbp-58}, {0x1.7a319d1e3fe07p+0, 0x1.775dc87d51fe0p-54},
        {0x1.7249faa996a21p+0, 0x1.a8cc1e7480c68p-54},  {0x1.6a71d772b60cbp+0, -0x1.11d212e88c8fdp-54},
        {0x1.62acbeaca61b8p+0, 0x1.c6ac9f134fa91p-60},  {0x1.5afe069f1e104p+0, 0x1.8330116e9a3b9p-58},
        {0x1.5368c951e9cfdp+0, -0x1.96f47948a99f1p-54}, {0x1.4befdeb8130bap+0, 0x1.e89234905f110p-55},
        {0x1.4495d86823225p+0, 0x1.4d29adbab2a62p-54},  {0x1.3d5cfedefb9c6p+0, -0x1.81e1a79b537d2p-55},
        {0x1.3647503caf55cp+0, 0x1.17e21d9a42c9ap-55},  {0x1.2f56805f1a64fp+0, -0x1.4d472d7231f8dp-56},
        {0x1.288bfa3512419p+0, 0x1.8e684e7a2281bp-56},  {0x1.21e8e21f07a9cp+0, 0x1.8d699cf392f14p-54},
        {0x1.1b6e192ebbe44p+0, 0x1.b1b466a88828ep-54},  {0x1.151c4116f2812p+0, 0x1.4ed588e9b614bp-54},
        {0x1.0ef3c09d694b0p+0, 0x1.8fcf88aed2e80p-54},  {0x1.08f4c864643c4p+0, -0x1.a5bfdbd9f2a2cp-55},
        {0x1.031f57e54adbep+0, 0x1.338b4259c0270p-54},  {0x1.fae684f57cc00p-1, -0x1.46479c173e7afp-55},
        {0x1.efe068bba2275p-1, 0x1.24a3b2e61a70bp-55},  {0x1.e52b6efe9c33cp-1, 0x1.3e486c1959596p-55},
        {0x1.dac670561bb4fp-1, 0x1.a2b7f222f65e2p-55},  {0x1.d0b012cff5412p-1, -0x1.5f07ddbf9ebccp-56},
        {0x1.c6e6d2171bf18p-1, 0x1.f4ba8d3373e1bp-55},  {0x1.bd6906f6479aap-1, -0x1.13e7ba3e2ea15p-55},
        {0x1.b434ee31013fdp-1, -0x1.0520d0701d877p-55}, {0x1.ab48aeb2b28d2p-1, 0x1.e8b57b951019bp-56},
        {0x1.a2a25f172cfe4p-1, -0x1.d700509dad6cep-56}, {0x1.9a400a9306839p-1, -0x1.d6064eeff375dp-57},
        {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
    },
    {
        // pi/2 + atan(k/32)
        {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},  {0x1.9a1f0ab32d2f1p+0, -0x1.36315b2796c7cp-55},
        {0x1.a21a631fd9508p+0, -0x1.acc270306ecf6p-54}, {0x1.aa0dcd6a45c29p+0, 0x1.7acdfbca7305bp-55},
        {0x1.b1f56fdeef00fp+0, 0x1.17f14fdc1574cp-55},  {0x1.b9cd9315cf966p+0, -0x1.72d24d69cfdebp-55},
        {0x1.c192abdbdf879p+0, -0x1.d255ec19c1bddp-54}, {0x1.c94163e96792dp+0, -0x1.e36e3ab45e22ep-54},
        {0x1.d0d6a1369bd34p+0, -0x1.a23602a65700cp-57}, {0x1.d84f8bd072976p+0, 0x1.407bac1a5bf86p-54},
        {0x1.dfa992206280bp+0, 0x1.cf36314fb1b58p-55},  {0x1.e6e26ba98a06bp+0, -0x1.0a4a65cfcac09p-54},
        {0x1.edf81a4bd64d4p+0, 0x1.a8d3b7956a1c1p-54},  {0x1.f4e8ea296b3e2p+0, -0x1.77e96e40e800fp-54},
        {0x1.fbb3705373617p+0, 0x1.d12ab2c402e07p-54},  {0x1.012b4434befcap+1, 0x1.4eb652ddf11f4p-55},
        {0x1.0468a8ace4df6p+1, 0x1.0620bf7406affp-55},  {0x1.079194b8c990fp+1, 0x1.cbde7af1aad85p-55},
        {0x1.0aa5d4f58e2c0p+1, 0x1.49ea7b677131bp-55},  {0x1.0da5511210b36p+1, 0x1.83d25a27c2692p-53},
        {0x1.109009519d639p+1, 0x1.01398408cb59ep-54},  {0x1.13661406e3a18p+1, 0x1.6bf44a37155f3p-53},
        {0x1.16279b155a47bp+1, -0x1.76344c4206ddfp-56}, {0x1.18d4d9849bc49p+1, 0x1.95a09055ded43p-54},
        {0x1.1b6e192ebbe44p+1, 0x1.b1b466a88828ep-53},  {0x1.1df3b09045814p+1, -0x1.7379422d8ccffp-54},
        {0x1.206600be7bd52p+1, 0x1.3a677fc8d1900p-54},  {0x1.22c57386b0eaep+1, -0x1.41475c7e5d2e8p-54},
        {0x1.251279b802819p+1, 0x1.6eaa5d3534893p-55},  {0x1.274d8997962e4p+1, -0x1.22b44c415c42cp-53},
        {0x1.29771d7e7791fp+1, 0x1.55426d44fb6e1p-53},  {0x1.2b8fb29f8130ap+1, 0x1.be16410227be5p-56},
        {0x1.2d97c7f3321d2p+1, 0x1.a79394c9e8a0ap-54},
    },
};
static const double kSigns[4] = {1, -1, -1, 1};  // of atan(r), by octant
static const double kPi = 0x1.921fb54442d18p+1;

// The first 26 bits of a number; what is left has as many.
static double head(double a) {
  const double scaled = 134217729.0 * a;
  return scaled - (scaled - a);
}

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
