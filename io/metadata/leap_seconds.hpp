#pragma once

#include "io/hdf5/nanoseconds.hpp"

namespace stencil::storage {

/// GPS time counts every second since 1980-01-06T00:00:00 UTC. UTC has inserted 18 leap seconds
/// since then (the last of them at the end of 2016), so GPS time is 18 seconds ahead. A GPS time is
/// represented in nanoseconds since 1970, like the time of a clock that was set to UTC in 1980 and
/// has counted every second since then.
///
/// The table is from Bulletin C of the International Earth Rotation and Reference Systems Service
/// (IERS), as in the file leap-seconds.list of the IETF. For dates after its last entry,
/// 2017-01-01, the difference is 18 seconds; a later leap second requires a new row.

/// The time at which GPS time begins: 1980-01-06T00:00:00 UTC. The number is the same in both
/// representations.
inline constexpr Nanoseconds gps_zero = 315'964'800 * one_second;

/// Converts UTC to GPS time, both in ns since 1970; before 1980 the two are equal.
Nanoseconds gps_of_utc(Nanoseconds utc);

/// UTC at a given GPS time.
struct UtcOfGps {
  Nanoseconds utc = 0;
  bool is_leap_second = false;  ///< UTC is then 23:59:60, and `utc` is one second less, 23:59:59
};
UtcOfGps utc_of_gps(Nanoseconds gps);

}  // namespace stencil::storage
