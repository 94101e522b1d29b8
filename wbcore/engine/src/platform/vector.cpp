// The choice of vector instructions, from the processor and the environment.
#include "vector.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace wb {
namespace {

constexpr std::string_view kNames[] = {"none", "sse2", "avx2", "avx512", "neon", "simd128"};

// AVX2 needs the processor (CPUID leaf 7, EBX bit 5) and a system that saves the registers (XCR0 bits 1 and
// 2, readable if CPUID leaf 1 has ECX bit 27). AVX-512 needs F, DQ and VL (EBX bits 16, 17 and 31) and XCR0
// bits 5 to 7. The first processors with it, which lack VBMI2 (ECX bit 6), lower their clock for vectors of
// 512 bits.
Simd widest_of_processor() {
#if defined(__x86_64__)
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 27 & 1)) return Simd::narrow;
  unsigned saved, high;
  __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
  if ((saved & 6) != 6 || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b >> 5 & 1)) return Simd::narrow;
  const bool has_widest = (b >> 16 & 1) && (b >> 17 & 1) && (b >> 31 & 1) && (c >> 6 & 1);
  return has_widest && (saved & 0xe0) == 0xe0 ? Simd::widest : Simd::wide;
#else
  return Simd::narrow;
#endif
}

std::vector<std::string_view> names_of(std::string_view list) {
  std::vector<std::string_view> names;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string_view name = names.emplace_back(list.substr(begin, end - begin));
    if (std::find(std::begin(kNames), std::end(kNames), name) == std::end(kNames))
      throw std::invalid_argument("WBRIDGE_SIMD: \"" + std::string(name) +
                                  "\" is no set of vector instructions; allowed: none, sse2, avx2, avx512, "
                                  "neon and simd128, separated by commas");
    begin = end + 1;
  }
  return names;
}

}  // namespace

Simd widest_of(const char *allowed) {
  const bool is_limited = allowed && *allowed;
  const std::vector<std::string_view> names =
      is_limited ? names_of(allowed) : std::vector<std::string_view>();
  const auto may = [&](const char *name) {
    return name && (!is_limited || std::find(names.begin(), names.end(), name) != names.end());
  };
  const Simd most = widest_of_processor();
  if (may(kWidestName) && most == Simd::widest) return Simd::widest;
  if (may(kWideName) && most >= Simd::wide) return Simd::wide;
  return may(kNarrowName) ? Simd::narrow : Simd::none;
}

Simd simd() {
  static const Simd chosen = widest_of(std::getenv("WBRIDGE_SIMD"));
  return chosen;
}

const char *simd_name() {
  switch (simd()) {
    case Simd::widest: return kWidestName;
    case Simd::wide: return kWideName;
    case Simd::narrow: return kNarrowName;
    default: return "none";
  }
}

}  // namespace wb
