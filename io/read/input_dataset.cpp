#include "io/read/input_dataset.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <type_traits>

#include "framework/grid/error.hpp"
#include "framework/parallel/crash_guard.hpp"
#include "io/hdf5/conversion.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/element_value.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/native_type.hpp"
#include "io/hdf5/pieces.hpp"
#include "io/read/missing_points.hpp"
#include "io/read/stored_dataset.hpp"
#include "io/read/valid_points.hpp"

namespace stencil {

using storage::Piece;

std::string reading_crash(const DatasetFacts& facts) {
  return storage::crash_words(one_line(name_of(facts)), "while it was read");
}

namespace {

/// Returns the number of missing complex points for `parts` missing parts (real or imaginary) of a
/// hyperslab. If one part of a number is missing, the other part is missing, too. In a hyperslab
/// that contains both parts, the number of points is therefore half of `parts`. In other
/// hyperslabs, each real part is counted as one point, and imaginary parts are not counted.
Index points_of_parts(const Piece& slab, Index parts) {
  if (slab.count.back() == 2) return parts / 2;
  return slab.start.back() == 0 ? parts : 0;
}

}  // namespace

InputDataset::InputDataset(const DatasetFacts& facts, Index kept) : facts_(with_parts(facts)) {
  const CrashGuard guard(reading_crash(facts_));
  stored_ = std::make_unique<storage::StoredDataset>(facts_, kept);
  if (!facts_.validity.empty()) valid_ = std::make_unique<ValidPoints>(facts_.validity.front());
}

InputDataset::~InputDataset() = default;

template <class T>
void InputDataset::mark_other_parts(const storage::SlabView<T>& view, const Piece& own) const {
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  Piece other = own;
  const bool has_both = own.count.back() == 2;
  if (!has_both) other.start.back() = 1 - own.start.back();
  const storage::Runs runs(own, own);
  stored_->read(other, [&](const std::byte* points, Index k, Index n) {
    storage::visit_element(facts_.type, [&]<class From>(From) {
      const auto* from = reinterpret_cast<const From*>(points);
      for (Index i = 0; i < n; ++i) {
        if (from[i] == from[i]) continue;
        const Index at = has_both ? (k + i) ^ 1 : k + i;
        storage::for_stretches<storage::Use::sets>(runs, view, at, at + 1,
                                                   [](Index, T* to, Index) { *to = nan; });
      }
    });
  });
}

template <class T>
void InputDataset::mark_missing(const NormalForm& form, const Box& box, FieldView<T> target) const {
  for (Index b = 0; b < target.extent[batch_axis]; ++b)
    for (Index y = 0; y < target.extent[y_axis]; ++y)
      std::fill_n(&target.at(b, y, 0), target.extent[x_axis], T{});
  if (facts_.is_complex())
    for (const Slab& slab : form.slabs(box))
      mark_other_parts(storage::SlabView<T>(form, slab, box, target), {slab.start, slab.count});
  if (valid_) valid_->mark_missing(form, box, target);
}

template <class From, class T>
Index InputDataset::read_as(const NormalForm& form, const Box& box, FieldView<T> target,
                            const std::optional<MissingPoints>& missing) const {
  if (box.empty()) return 0;
  if (!make_box(form.shape()).contains(box) || target.extent != box.extent() ||
      form.dims() != facts_.dims)
    throw ShapeError(fmt::format(
        "cannot read {} of {} ({}), as a form of {}, into a view of {}: it does not fit",
        to_string(box), storage::qualified_name(facts_.file, facts_.dataset),
        fmt::join(facts_.dims, "x"), fmt::join(form.dims(), "x"), to_string(target.extent)));
  const CrashGuard guard(reading_crash(facts_));
  const auto match = missing
                         ? storage::MissingMatch<From>(missing->values, missing->low, missing->high)
                         : storage::MissingMatch<From>();
  const T replacement = missing ? static_cast<T>(missing->replacement) : T{};
  const bool is_unpacked = facts_.is_unpacked();
  const double scale = facts_.scale_factor, offset = facts_.add_offset;
  bool is_marked = false;
  if constexpr (std::is_floating_point_v<T>) {
    // Points are marked first, because afterwards a replacement looks like a valid point.
    is_marked = missing && (facts_.is_complex() || valid_);
    if (is_marked) mark_missing(form, box, target);
  }
  const auto convert_by = [&](const From* from, T* to, Index n, const auto& value_of) {
    return is_marked ? storage::convert_marked(from, to, n, match, replacement, value_of)
                     : storage::convert_read(from, to, n, match, replacement, value_of);
  };
  const auto convert = [&](const From* from, T* to, Index n) {
    if constexpr (std::is_floating_point_v<T>)
      if (is_unpacked)
        return convert_by(from, to, n, [=](From number) {
          return static_cast<T>(static_cast<double>(number) * scale + offset);
        });
    return convert_by(from, to, n, [](From number) { return static_cast<T>(number); });
  };
  const auto read = [&]<storage::Use use>(const storage::SlabView<T>& view, const Piece& whole) {
    const storage::Runs runs(whole, whole);
    std::atomic<Index> found{0};
    stored_->read(whole, [&](const std::byte* points, Index k, Index n) {
      const auto* from = reinterpret_cast<const From*>(points);
      Index here = 0;
      storage::for_stretches<use>(runs, view, k, k + n, [&](Index at, T* to, Index length) {
        here += convert(from + (at - k), to, length);
      });
      if (here != 0) found += here;
    });
    return found.load();
  };
  Index found = 0;
  for (const Slab& slab : form.slabs(box)) {
    const storage::SlabView<T> view(form, slab, box, target);
    const Piece whole{slab.start, slab.count};
    const Index in_slab = is_marked ? read.template operator()<storage::Use::changes>(view, whole)
                                    : read.template operator()<storage::Use::sets>(view, whole);
    found += facts_.is_complex() ? points_of_parts(whole, in_slab) : in_slab;
  }
  stored_->check_unchanged();  // otherwise a mixture of old and new points would not be noticed
  return found;
}

template <class T>
Index InputDataset::read(const NormalForm& form, const Box& box, FieldView<T> target,
                         const std::optional<MissingPoints>& missing) const {
  return storage::visit_element(facts_.number_type(), [&](auto example) {
    return read_as<decltype(example), T>(form, box, target, missing);
  });
}

template <class Stored>
void InputDataset::read_stored(const NormalForm& form, const Box& box,
                               FieldView<Stored> target) const {
  read_as<Stored, Stored>(form, box, target, {});
}

template Index InputDataset::read(const NormalForm&, const Box&, FieldView<float>,
                                  const std::optional<MissingPoints>&) const;
template Index InputDataset::read(const NormalForm&, const Box&, FieldView<double>,
                                  const std::optional<MissingPoints>&) const;
template void InputDataset::read_stored(const NormalForm&, const Box&,
                                        FieldView<std::int8_t>) const;
template void InputDataset::read_stored(const NormalForm&, const Box&,
                                        FieldView<std::uint8_t>) const;
template void InputDataset::read_stored(const NormalForm&, const Box&,
                                        FieldView<std::int16_t>) const;
template void InputDataset::read_stored(const NormalForm&, const Box&,
                                        FieldView<std::uint16_t>) const;
template void InputDataset::read_stored(const NormalForm&, const Box&,
                                        FieldView<std::int32_t>) const;
template void InputDataset::read_stored(const NormalForm&, const Box&,
                                        FieldView<std::uint32_t>) const;
template void InputDataset::read_stored(const NormalForm&, const Box&,
                                        FieldView<std::int64_t>) const;
template void InputDataset::read_stored(const NormalForm&, const Box&,
                                        FieldView<std::uint64_t>) const;

}  // namespace stencil
