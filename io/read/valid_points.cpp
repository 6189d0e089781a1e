#include "io/read/valid_points.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <utility>

#include "framework/grid/error.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/native_type.hpp"
#include "io/hdf5/pieces.hpp"
#include "io/read/stored_dataset.hpp"

namespace stencil {
namespace {

using storage::Piece;

/// The part of a mask that applies to a part of its dataset, and how many times this part is
/// repeated.
struct MaskPart {
  Piece piece;
  Index repeats = 1;
};

/// Returns the part of a mask for a part of its dataset. @param of_data  extents of the whole
/// dataset
MaskPart part_of(const DatasetFacts& mask, const std::vector<Index>& of_data, const Piece& data) {
  MaskPart part;
  const std::size_t absent = of_data.size() - mask.dims.size();
  for (std::size_t axis = 0; axis < of_data.size(); ++axis) {
    const bool is_absent = axis < absent;
    const bool is_same = !is_absent && mask.dims[axis - absent] == of_data[axis];
    if (!is_same) part.repeats = checked_multiply(part.repeats, data.count[axis]);
    if (is_absent) continue;
    part.piece.start.push_back(is_same ? data.start[axis] : 0);
    part.piece.count.push_back(is_same ? data.count[axis] : 1);
  }
  return part;
}

}  // namespace

void set_validity(DatasetFacts& facts, DatasetFacts mask) {
  if (mask.is_complex())
    throw WordsError(
        fmt::format("missing.mask = {} holds {}: name a dataset of booleans or real numbers",
                    storage::qualified_name(mask.file, mask.dataset), type_name(mask)));
  const std::vector<Index>&all = facts.dims, &own = mask.dims;
  bool fits = own.size() <= all.size(), is_leading = true;
  for (std::size_t axis = 0; fits && axis < own.size(); ++axis) {
    const Index extent = all[all.size() - own.size() + axis];
    is_leading = is_leading && own[axis] == 1;
    fits = own[axis] == extent || is_leading;
  }
  if (!fits)
    throw WordsError(fmt::format(
        "missing.mask = {} has the shape {}, and {} has {}: give the mask the same shape, or leave "
        "out leading axes",
        storage::qualified_name(mask.file, mask.dataset), fmt::join(own, "x"), name_of(facts),
        fmt::join(all, "x")));
  facts.validity = {std::move(mask)};
}

std::vector<AxisSelection> points_of_mask(const DatasetFacts& mask,
                                          const std::vector<AxisSelection>& points) {
  const std::size_t absent = points.size() - mask.dims.size();
  std::vector<AxisSelection> own(points.begin() + static_cast<std::ptrdiff_t>(absent),
                                 points.end());
  for (std::size_t axis = 0; axis < own.size() && mask.dims[axis] == 1; ++axis) own[axis] = {};
  return own;
}

ValidPoints::ValidPoints(const DatasetFacts& mask)
    : mask_(mask), stored_(std::make_unique<storage::StoredDataset>(mask_)) {}

ValidPoints::~ValidPoints() = default;

template <class From, class T>
void ValidPoints::mark_as(const NormalForm& form, const Box& box, FieldView<T> target) const {
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  for (const Slab& slab : form.slabs(box)) {
    const storage::SlabView<T> view(form, slab, box, target);
    const Piece data{slab.start, slab.count};
    const storage::Runs runs(data, data);
    const auto [piece, repeats] = part_of(mask_, form.dims(), data);
    const Index points = piece.points(), times = repeats;
    stored_->read(piece, [&](const std::byte* numbers, Index k, Index n) {
      const auto* from = reinterpret_cast<const From*>(numbers);
      for (Index first = k; first < times * points; first += points)
        storage::for_stretches<storage::Use::changes>(runs, view, first, first + n,
                                                      [&](Index at, T* to, Index length) {
                                                        for (Index i = 0; i < length; ++i) {
                                                          const From valid = from[at - first + i];
                                                          if (valid != valid || valid == From{})
                                                            to[i] = nan;
                                                        }
                                                      });
    });
  }
  stored_->check_unchanged();
}

template <class T>
void ValidPoints::mark_missing(const NormalForm& form, const Box& box, FieldView<T> target) const {
  if (box.empty()) return;
  storage::visit_element(mask_.type,
                         [&](auto example) { mark_as<decltype(example), T>(form, box, target); });
}

template void ValidPoints::mark_missing(const NormalForm&, const Box&, FieldView<float>) const;
template void ValidPoints::mark_missing(const NormalForm&, const Box&, FieldView<double>) const;

}  // namespace stencil
