#include "io/metadata/leap_seconds.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace stencil::storage {
namespace {

/// UTC midnights before which a leap second was inserted, in seconds since 1970.
constexpr std::array<std::int64_t, 18> after_leap_second{
    362'793'600,    // 1981-07-01
    394'329'600,    // 1982-07-01
    425'865'600,    // 1983-07-01
    489'024'000,    // 1985-07-01
    567'993'600,    // 1988-01-01
    631'152'000,    // 1990-01-01
    662'688'000,    // 1991-01-01
    709'948'800,    // 1992-07-01
    741'484'800,    // 1993-07-01
    773'020'800,    // 1994-07-01
    820'454'400,    // 1996-01-01
    867'715'200,    // 1997-07-01
    915'148'800,    // 1999-01-01
    1'136'073'600,  // 2006-01-01
    1'230'768'000,  // 2009-01-01
    1'341'100'800,  // 2012-07-01
    1'435'708'800,  // 2015-07-01
    1'483'228'800,  // 2017-01-01
};

}  // namespace

Nanoseconds gps_of_utc(Nanoseconds utc) {
  const auto passed = std::count_if(after_leap_second.begin(), after_leap_second.end(),
                                    [&](std::int64_t at) { return at * one_second <= utc; });
  return utc + passed * one_second;
}

UtcOfGps utc_of_gps(Nanoseconds gps) {
  Nanoseconds passed = 0;
  for (const std::int64_t at : after_leap_second) {
    const Nanoseconds begin = at * one_second + passed * one_second;  // beginning of the leap
                                                                      // second
    if (gps < begin) break;
    if (gps < begin + one_second) return {gps - (passed + 1) * one_second, true};
    ++passed;
  }
  return {gps - passed * one_second, false};
}

}  // namespace stencil::storage
