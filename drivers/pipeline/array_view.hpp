#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil {

/// Largest number of axes of an array.
inline constexpr int most_array_axes = 8;

/// One number for each axis of an array, the slowest axis first: a shape or strides.
class AxisList {
 public:
  AxisList() = default;
  /// @throws UsageError  more than eight numbers
  AxisList(std::initializer_list<Index> numbers);
  explicit AxisList(const std::vector<Index>& numbers);

  int size() const { return size_; }
  Index operator[](int axis) const { return numbers_[axis]; }
  Index& operator[](int axis) { return numbers_[axis]; }
  /// @throws UsageError  the list already has eight numbers
  void push_back(Index number);
  const Index* begin() const { return numbers_.data(); }
  const Index* end() const { return numbers_.data() + size_; }

  friend bool operator==(const AxisList& a, const AxisList& b) {
    return a.size_ == b.size_ && a.numbers_ == b.numbers_;
  }

 private:
  std::array<Index, most_array_axes> numbers_{};  ///< 0 from index size_ on
  int size_ = 0;
};

/// Returns text such as `4x3x2`.
std::string to_string(const AxisList& numbers);

/// Returns the number of points of a shape, with an overflow check; 1 without axes.
Index points(const AxisList& shape);

/// Returns the strides in bytes of a contiguous row-major array.
AxisList row_major_strides(const AxisList& shape, Index element_bytes);

/// The element types of arrays.
enum class Element { float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64 };

constexpr bool is_integer(Element element) {
  return element != Element::float32 && element != Element::float64;
}
/// Returns the bytes of one element.
Index size_of(Element element);

/// Returns the type of integers of 1, 2, 4 or 8 bytes.
constexpr Element integer_element(std::size_t bytes, bool is_signed) {
  switch (bytes) {
    case 1:
      return is_signed ? Element::int8 : Element::uint8;
    case 2:
      return is_signed ? Element::int16 : Element::uint16;
    case 4:
      return is_signed ? Element::int32 : Element::uint32;
    default:
      return is_signed ? Element::int64 : Element::uint64;
  }
}

template <class T>
constexpr Element element_of() {
  using Value = std::remove_const_t<T>;
  static_assert(std::is_same_v<Value, float> || std::is_same_v<Value, double> ||
                    (std::is_integral_v<Value> && !std::is_same_v<Value, bool>),
                "points are of float, double or an integer type of 8 to 64 bits");
  if constexpr (std::is_floating_point_v<Value>)
    return sizeof(Value) == 4 ? Element::float32 : Element::float64;
  return integer_element(sizeof(Value), std::is_signed_v<Value>);
}

/// An array of up to eight axes in memory that the caller owns. `ArrayView<const T>` is read-only.
/// Strides are in bytes, as in NumPy, and may be negative; strides of inputs may be 0.
template <class T>
struct ArrayView {
  T* data = nullptr;  ///< the point whose indices are all 0
  AxisList shape;
  AxisList strides;

  ArrayView() = default;
  /// A contiguous row-major array.
  ArrayView(T* points, const AxisList& extents)
      : data(points), shape(extents), strides(row_major_strides(extents, sizeof(T))) {}
  /// @param byte_strides  bytes from one point to the next along each axis
  ArrayView(T* points, const AxisList& extents, const AxisList& byte_strides)
      : data(points), shape(extents), strides(byte_strides) {}

  operator ArrayView<const T>() const requires(!std::is_const_v<T>) {
    return {data, shape, strides};
  }
};

/// Like ArrayView, for an element type that is known only at run time. An example is a NumPy array.
/// @tparam Byte  std::byte, or const std::byte for a read-only array
template <class Byte>
struct AnyArray {
  Byte* data = nullptr;
  Element element = Element::float32;
  AxisList shape, strides;

  AnyArray() = default;
  AnyArray(Byte* points, Element type, const AxisList& extents, const AxisList& byte_strides)
      : data(points), element(type), shape(extents), strides(byte_strides) {}
  template <class T>
  requires(std::is_const_v<Byte> || !std::is_const_v<T>) AnyArray(const ArrayView<T>& view)
      : data(reinterpret_cast<Byte*>(view.data)),
        element(element_of<T>()),
        shape(view.shape),
        strides(view.strides) {}
};
using AnyInput = AnyArray<const std::byte>;
using AnyOutput = AnyArray<std::byte>;

/// The conversion of a value of the compute type to an integer.
enum class IntegerCast {
  /// Truncate towards 0, as SciPy does; a value beyond the range of the type wraps around (modulo 2
  /// to the number of bits).
  truncate,
  /// Round to the nearest integer, halfway cases to the even integer, as stencil_run does; a value
  /// beyond the range becomes the nearest end of the range.
  saturate,
};

}  // namespace stencil
