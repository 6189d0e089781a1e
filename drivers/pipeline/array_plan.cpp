#include "drivers/pipeline/array_plan.hpp"

#include <type_traits>
#include <utility>

#include "drivers/pipeline/plan_cache.hpp"

namespace stencil {
namespace {

constexpr std::size_t longest_key = std::size_t{32} << 10;  // bytes of about 4000 taps

/// A key that consists of the bytes of all added values. The length of a value of variable length
/// precedes its bytes.
class Key {
 public:
  template <class T>
  Key& add(const T& value) requires std::is_arithmetic_v<T> || std::is_enum_v<T> {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
    return *this;
  }
  template <class T, std::size_t n>
  Key& add(const std::array<T, n>& values) {
    for (const T& value : values) add(value);
    return *this;
  }
  template <class T>
  Key& add(const std::vector<T>& values) {
    add(values.size());
    if constexpr (std::is_arithmetic_v<T>)
      bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    else
      for (const T& value : values) add(value);
    return *this;
  }
  template <class T>
  Key& add(const std::optional<T>& value) {
    add(value.has_value());
    if (value) add(*value);
    return *this;
  }
  // Each structured binding names all members, so a new member does not compile until it is added.
  Key& add(const Taps& taps) {
    const auto& [height, width, values, depth] = taps;
    return add(height).add(width).add(values).add(depth);
  }
  Key& add(const Factors& factors) {
    const auto& [column, row, terms, plane] = factors;
    return add(column).add(row).add(terms).add(plane);
  }
  Key& add(const Mask& mask) {
    const auto& [rank, axis, taps, centre, centre_plane, factors, multiply_zeros] = mask;
    add(rank).add(axis).add(taps).add(centre).add(centre_plane);
    return add(factors).add(multiply_zeros);
  }
  Key& add(const ChannelMask& mask) {
    const auto& [out, in, height, width, groups, centre, values] = mask;
    return add(out).add(in).add(height).add(width).add(groups).add(centre).add(values);
  }
  Key& add(const Boundary& boundary) {
    const auto& [rule, value] = boundary;
    return add(rule).add(value);
  }
  Key& add(const Crop& crop) {
    const auto& [shift, count] = crop;
    return add(shift).add(count);
  }
  Key& add(const PolynomialFit& fit) {
    const auto& [size, terms, basis, at] = fit;
    return add(size).add(terms).add(basis).add(at);
  }
  Key& add(const VaryingRows& rows) {
    const auto& [axis, factors, masks] = rows;
    add(axis).add(factors).add(rows.has_masks());
    return rows.has_masks() ? add(*masks) : *this;
  }
  Key& add(const Stage& stage) {
    const auto& [name, mask, channels, bank, filters_before, boundary, extent, stride, plane_stride,
                 steps, steps_elsewhere, method, min_valid, crop, edge_fit, rows] = stage;
    (void)name;  // the name is used only in messages and timelines, so it is not a part of the key
    return add(mask)
        .add(channels)
        .add(bank)
        .add(filters_before)
        .add(boundary)
        .add(extent)
        .add(stride)
        .add(plane_stride)
        .add(steps)
        .add(steps_elsewhere)
        .add(method)
        .add(min_valid)
        .add(crop)
        .add(edge_fit)
        .add(rows);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

std::shared_ptr<const ArrayPlan> make_plan(const std::vector<Stage>& stages, const Point& shape,
                                           Precision precision) {
  Chain chain = make_chain(stages, shape, precision);
  if (precision == Precision::float64)
    return std::make_shared<const ArrayPlan>(std::in_place_type<ArrayChain<double>>,
                                             std::move(chain));
  return std::make_shared<const ArrayPlan>(std::in_place_type<ArrayChain<float>>, std::move(chain));
}

}  // namespace

std::string plan_key(const std::vector<Stage>& stages, const Point& shape, Precision precision) {
  return Key().add(precision).add(shape).add(stages).bytes();
}

std::shared_ptr<const ArrayPlan> array_plan(const std::vector<Stage>& stages, const Point& shape,
                                            Precision precision) {
  static PlanCache<ArrayPlan> cache;
  std::string key = plan_key(stages, shape, precision);
  if (key.size() > longest_key) return make_plan(stages, shape, precision);
  if (std::shared_ptr<const ArrayPlan> found = cache.find(key)) return found;
  std::shared_ptr<const ArrayPlan> plan = make_plan(stages, shape, precision);
  cache.keep(std::move(key), plan);
  return plan;
}

}  // namespace stencil
