#pragma once

#include <memory>
#include <optional>
#include <string>

#include "framework/grid/shape.hpp"

union ut_unit;

namespace stencil::storage {

/// A unit of measurement, as UDUNITS-2 understands it: `K`, `m s-1`, `degrees_north`, `µs`, `100
/// ns`.
///
/// The database of UDUNITS is read once in a program, when the first unit is parsed. UDUNITS is not
/// thread-safe; the functions here may be called by several threads.
class Unit {
 public:
  /// @param text  in UTF-8 or Latin-1; blanks around it are ignored
  /// @returns nothing if UDUNITS does not know the unit
  /// @throws StorageError  UDUNITS' own database cannot be read
  static std::optional<Unit> parse(const std::string& text);

  /// The factor from this unit to the other one: 1000 for km in m. The origin of a scale of
  /// temperatures is ignored.
  /// @returns nothing if the units measure different quantities
  std::optional<double> in(const Unit& other) const;

  /// This unit divided by a power of the other one.
  /// @returns nothing for logarithmic units, such as dBZ
  std::optional<Unit> per(const Unit& other, int power) const;

  /// The unit in base units, by their symbols, as CF writes it: `m s-2`, `0.001 K m-1`; `1` if it
  /// has no dimension.
  std::string text() const;

 private:
  explicit Unit(ut_unit* unit);
  std::shared_ptr<ut_unit> unit_;
};

/// The unit of a derivative of a quantity by a coordinate: `K` by `km` is `K km-1`, twice `K km-2`,
/// `m s-1` by `s` is `m s-2`. The names of both units are kept if possible.
///
/// @param quantity  its unit; empty or `1` for a quantity without one
/// @returns nothing if UDUNITS does not know one of the units, or the quantity is logarithmic
/// @throws StorageError  as Unit::parse()
std::optional<std::string> unit_of_derivative(const std::string& quantity,
                                              const std::string& coordinate, Index order);

}  // namespace stencil::storage
