#pragma once

#include <memory>
#include <optional>
#include <string>

#include "framework/grid/shape.hpp"

union ut_unit;

namespace stencil::storage {

/// A unit of measurement in the notation of UDUNITS-2: `K`, `m s-1`, `degrees_north`, `µs`, `100
/// ns`.
///
/// The database of UDUNITS is read once per process, when the first unit is parsed. UDUNITS is not
/// thread-safe, but the functions here may be called from several threads.
class Unit {
 public:
  /// Parses a unit.
  /// @param text  in UTF-8 or Latin-1; blanks around it are ignored
  /// @returns std::nullopt if UDUNITS does not recognise the unit
  /// @throws StorageError  the database of UDUNITS cannot be read
  static std::optional<Unit> parse(const std::string& text);

  /// Returns the factor that converts this unit to another unit: 1000 for km to m. The offsets of
  /// temperature scales are ignored.
  /// @returns std::nullopt if the units measure different quantities
  std::optional<double> in(const Unit& other) const;

  /// Returns this unit divided by a power of another unit.
  /// @returns std::nullopt for logarithmic units, such as dBZ
  std::optional<Unit> per(const Unit& other, int power) const;

  /// Returns the unit in symbols of base units, in the notation of CF: `m s-2`, `0.001 K m-1`; `1`
  /// for a dimensionless unit.
  std::string text() const;

 private:
  explicit Unit(ut_unit* unit);
  std::shared_ptr<ut_unit> unit_;
};

/// Returns the unit of a derivative of a quantity with respect to a coordinate: `K` and `km` give
/// `K km-1`, or `K km-2` for order 2; `m s-1` and `s` give `m s-2`. The names of both units are
/// kept if possible.
///
/// @param quantity  unit of the quantity; empty or `1` for a dimensionless quantity
/// @returns std::nullopt if UDUNITS does not recognise one of the units, or the quantity is
///          logarithmic
/// @throws StorageError  like Unit::parse()
std::optional<std::string> unit_of_derivative(const std::string& quantity,
                                              const std::string& coordinate, Index order);

}  // namespace stencil::storage
