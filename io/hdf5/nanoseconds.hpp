#pragma once

namespace stencil {

/// A time or a duration in nanoseconds. 128 bits can represent every year that a file can contain,
/// and differences are exact.
__extension__ typedef __int128 Nanoseconds;  // NOLINT(modernize-use-using): `using` would warn

inline constexpr Nanoseconds one_second = 1'000'000'000;

}  // namespace stencil
