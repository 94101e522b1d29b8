// The largest error of a mathematical function among many arguments, in units in the last place.
//
//   accuracy LIBRARY FUNCTION COUNT SEED
//
// The judge is MPFR with 100 bits: for each argument whose result is more than 0.7 units from the result of
// the C library's function for long double (64 bits), and for one in SAMPLE of the others. Prints the largest
// error, its arguments, and the number of arguments that MPFR judged.
#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE = 64 };
static const double kDoubtful = 0.7;

static uint64_t state;

static uint64_t next(void) {  // splitmix64
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static double uniform(double low, double high) { return low + (high - low) * ((double)next() * 0x1p-64); }

static double wide(void) { return ldexp(uniform(-1, 1), (int)(next() % 28) - 10); }
static double positive(void) { return ldexp(uniform(0.5, 1), (int)(next() % 2001) - 1000); }
static double share(void) { return uniform(-1, 1); }
static double exponent(void) { return uniform(-700, 700); }
static double place(void) { return uniform(-9, 9); }
static double size(void) { return fabs(wide()); }

typedef double (*Argument)(void);
typedef struct {
  const char *name;
  Argument x, y;
  long double (*one)(long double), (*two)(long double, long double);
  int (*exact)(mpfr_t, const mpfr_t, mpfr_rnd_t),
      (*exact_of_two)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
} Function;

#define ONE(name, argument) {#name, argument, NULL, name##l, NULL, mpfr_##name, NULL}
#define TWO(name, x, y) {#name, x, y, NULL, name##l, NULL, mpfr_##name}
static const Function kFunctions[] = {
    ONE(acos, share),         ONE(asin, share),         ONE(atan, wide),    ONE(cbrt, wide),
    ONE(cos, wide),           ONE(erf, wide),           ONE(exp, exponent), ONE(log, positive),
    ONE(log10, positive),     ONE(sin, wide),           ONE(tan, wide),     TWO(pow, size, place),
    TWO(hypot, place, place), TWO(atan2, place, place),
};

static double ulp(double x) {
  const double size = fabs(x);
  return size < DBL_MIN ? 0x1p-1074 : nextafter(size, INFINITY) - size;
}

static double exact_error(const Function *f, double x, double y, double result) {
  mpfr_t a, b, c;
  mpfr_inits2(100, a, b, c, (mpfr_ptr)0);
  mpfr_set_d(a, x, MPFR_RNDN), mpfr_set_d(b, y, MPFR_RNDN);
  f->y ? f->exact_of_two(c, a, b, MPFR_RNDN) : f->exact(c, a, MPFR_RNDN);
  const double unit = ulp(mpfr_get_d(c, MPFR_RNDN));
  mpfr_sub_d(c, c, result, MPFR_RNDN);
  mpfr_div_d(c, c, unit, MPFR_RNDN);
  const double error = fabs(mpfr_get_d(c, MPFR_RNDN));
  mpfr_clears(a, b, c, (mpfr_ptr)0);
  return error;
}

int main(int count, char **words) {
  const Function *f = NULL;
  for (size_t i = 0; i < sizeof kFunctions / sizeof *kFunctions && count == 5; ++i)
    if (!strcmp(kFunctions[i].name, words[2])) f = &kFunctions[i];
  void *library = count == 5 ? dlopen(words[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  void *address = f && library ? dlsym(library, f->name) : NULL;
  if (!address) return fprintf(stderr, "usage: accuracy LIBRARY FUNCTION COUNT SEED\n"), 2;
  double (*one)(double), (*two)(double, double);
  memcpy(&one, &address, sizeof one), memcpy(&two, &address, sizeof two);
  state = strtoull(words[4], NULL, 10);
  double worst = 0, worst_x = 0, worst_y = 0;
  long judged = 0;
  for (long i = atol(words[3]); i > 0; --i) {
    const double x = f->x(), y = f->y ? f->y() : 0, result = f->y ? two(x, y) : one(x);
    const long double near = f->y ? f->two(x, y) : f->one(x);
    if (!isfinite(result) && isinf((double)near)) continue;
    if (fabsl(near - result) < kDoubtful * ulp(result) && i % SAMPLE) continue;
    const double error = exact_error(f, x, y, result);
    ++judged;
    if (!(error <= worst)) worst = error, worst_x = x, worst_y = y;
  }
  printf("%s %.6f at %a %a judged %ld\n", f->name, worst, worst_x, worst_y, judged);
  return 0;
}
