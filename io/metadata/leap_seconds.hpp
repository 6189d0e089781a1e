#pragma once

#include "io/hdf5/nanoseconds.hpp"

namespace stencil::storage {

/// GPS time counts every second since 1980-01-06T00:00:00 UTC. UTC inserted 18 leap seconds until
/// June 2017, so GPS time is 18 seconds ahead. A GPS time is represented here by the nanoseconds
/// since 1970 that a clock would show which was set to UTC in 1980 and has counted every second
/// since.
///
/// The table is that of Bulletin C of the International Earth Rotation and Reference Systems
/// Service (IERS), as in the file leap-seconds.list of the IETF. For dates after its last entry,
/// 2017-01-01, the difference remains 18 seconds: a leap second that is introduced later needs a
/// row.

/// The time at which GPS time is 0: 1980-01-06T00:00:00 UTC. It is the same number in GPS time and
/// in UTC.
inline constexpr Nanoseconds gps_zero = 315'964'800 * one_second;

/// The time of GPS at a time of UTC, both in ns since 1970; before 1980 the two are the same.
Nanoseconds gps_of_utc(Nanoseconds utc);

/// The time of UTC at a time of GPS.
struct UtcOfGps {
  Nanoseconds utc = 0;
  bool is_leap_second = false;  ///< it is 23:59:60 then, and `utc` one second less, 23:59:59
};
UtcOfGps utc_of_gps(Nanoseconds gps);

}  // namespace stencil::storage
