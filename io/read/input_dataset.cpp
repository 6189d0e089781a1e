#include "io/read/input_dataset.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <atomic>
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

InputDataset::InputDataset(const DatasetFacts& facts, Index kept) : facts_(facts) {
  const CrashGuard guard(reading_crash(facts_));
  stored_ = std::make_unique<storage::StoredDataset>(facts_, kept);
  if (!facts_.validity.empty()) valid_ = std::make_unique<ValidPoints>(facts_.validity.front());
}

InputDataset::~InputDataset() = default;

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
  const auto convert = [&](const From* from, T* to, Index n) {
    if constexpr (std::is_floating_point_v<T>)
      if (is_unpacked)
        return storage::convert_read(from, to, n, match, replacement, [=](From number) {
          return static_cast<T>(static_cast<double>(number) * scale + offset);
        });
    return storage::convert_read(from, to, n, match, replacement);
  };
  std::atomic<Index> found{0};
  for (const Slab& slab : form.slabs(box)) {
    const storage::SlabView<T> view(form, slab, box, target);
    const Piece whole{slab.start, slab.count};
    const storage::Runs runs(whole, whole);
    stored_->read(whole, [&](const std::byte* points, Index k, Index n) {
      const auto* from = reinterpret_cast<const From*>(points);
      Index here = 0;
      storage::for_stretches<storage::Use::sets>(
          runs, view, k, k + n,
          [&](Index at, T* to, Index length) { here += convert(from + (at - k), to, length); });
      if (here != 0) found += here;
    });
  }
  stored_->check_unchanged();  // a mixture of old and new points would go unnoticed
  if constexpr (std::is_floating_point_v<T>)
    if (valid_ && missing) found += valid_->hide(form, box, target, replacement);
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
