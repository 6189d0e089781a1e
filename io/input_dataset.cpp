#include <fmt/core.h>

#include <algorithm>
#include <atomic>

#include "framework/grid/error.hpp"
#include "io/conversion.hpp"
#include "io/dataset.hpp"
#include "io/direct_read.hpp"
#include "io/file_check.hpp"
#include "io/hdf5_error.hpp"
#include "io/native_type.hpp"
#include "io/object_path.hpp"
#include "io/pieces.hpp"
#include "io/transfer.hpp"

namespace stencil {

using storage::Handle;
using storage::Piece;

struct InputDataset::Handles {
  Handle file, dataset;
  std::unique_ptr<storage::DirectFile> direct;  ///< where HDF5 can be passed by
  std::string where;
};

namespace {

constexpr Index points_per_task = Index{1} << 16;

[[noreturn]] void throw_changed(const std::string& what) {
  throw StorageError(fmt::format(
      "{} has changed since the run began: wait until its writer is done, then run again", what));
}

/// Whether a file is as it was at the probe; one that is gone is not.
bool is_same(const std::string& file, Index bytes, Index modified) {
  const storage::FileState state = storage::file_state(file);
  return state.bytes == bytes && state.modified == modified;
}

/// Compares the file, and the sources of a virtual dataset, with what the probe saw.
void check_unchanged(const DatasetFacts& facts, const std::string& where) {
  if (!is_same(facts.file, facts.file_bytes, facts.modified)) throw_changed(where);
  for (std::size_t i = 0; i < facts.source_bytes.size(); ++i)
    if (!is_same(facts.sources[i], facts.source_bytes[i], facts.source_modified[i]))
      throw_changed(fmt::format("{}, a source of {},", one_line(facts.sources[i]), where));
}

bool has_dims(hid_t dataset, const std::vector<Index>& dims) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  if (H5Sget_simple_extent_ndims(space) != static_cast<int>(dims.size())) return false;
  std::vector<hsize_t> found(dims.size());
  H5Sget_simple_extent_dims(space, found.data(), nullptr);
  return std::equal(found.begin(), found.end(), dims.begin(),
                    [](hsize_t a, Index b) { return a == static_cast<hsize_t>(b); });
}

/// Points of one piece in the file's element type on their way into the view.
template <class From, class T>
struct Target {
  storage::Runs runs;
  FieldView<T> view;
  const storage::MissingMatch<From>& missing;
  T replacement;

  /// Takes the points [k, k + n) of the piece. @returns how many were missing
  Index take(const From* points, Index k, Index n) const {
    Index found = 0;
    storage::for_stretches(runs, view, k, k + n, [&](Index at, T* to, Index length) {
      found += storage::convert_read(points + (at - k), to, length, missing, replacement);
    });
    return found;
  }
};

template <class From, class T>
Index take_all(const Target<From, T>& target, const From* points, Index n) {
  Index found = 0;
  const Index tasks = (n - 1) / points_per_task + 1;
#pragma omp parallel for reduction(+ : found) schedule(static)
  for (Index task = 0; task < tasks; ++task) {
    const Index first = task * points_per_task;
    found += target.take(points + first, first, std::min(points_per_task, n - first));
  }
  return found;
}

/// Memory for one piece in the file's element type; grows, and is not initialised.
template <class From>
class Staging {
 public:
  From* hold(Index points) {
    if (points > held_) {
      memory_.reset(new From[static_cast<std::size_t>(points)]);
      held_ = points;
    }
    return memory_.get();
  }

 private:
  std::unique_ptr<From[]> memory_;
  Index held_ = 0;
};

/// Reads a hyperslab past HDF5. @returns how many points were missing; nothing if it cannot be done
template <class From, class T>
std::optional<Index> read_directly(const storage::DirectFile* file, const DatasetFacts& facts,
                                   const Piece& whole, const Target<From, T>& into) {
  std::atomic<Index> found{0};
  const auto take = [&](const std::byte* points, Index k, Index n) {
    found += into.take(reinterpret_cast<const From*>(points), k, n);
  };
  if (!file || !file->read(facts.dims, whole, take)) return std::nullopt;
  return found;
}

/// Reads a hyperslab through HDF5, piece after piece. @returns how many points were missing
template <class From, class T>
Index read_in_pieces(hid_t dataset, const DatasetFacts& facts, const Piece& whole,
                     const Target<From, T>& into, Staging<From>& staging,
                     const std::string& where) {
  Index found = 0;
  for (const Piece& piece : storage::cut(whole, facts.chunk, sizeof(From))) {
    From* const points = staging.hold(piece.points());
    storage::read_piece(dataset, storage::native_type(facts.type), piece, points, where);
    const Target<From, T> part{{whole, piece}, into.view, into.missing, into.replacement};
    found += take_all(part, points, piece.points());
  }
  return found;
}

}  // namespace

InputDataset::InputDataset(const DatasetFacts& facts)
    : handles_(std::make_unique<Handles>()), facts_(facts) {
  Handles& h = *handles_;
  h.where = storage::place(facts.file, facts.dataset);
  check_unchanged(facts, h.where);
  h.file = storage::open_for_reading(facts.file);
  const storage::DatasetPath path = storage::open_dataset(h.file, facts.file, facts.dataset);
  const Handle access =
      storage::access_with_cache(facts.dims, facts.chunk, static_cast<Index>(size_of(facts.type)));
  h.dataset = storage::owned(H5Dopen2(path.groups.back(), path.names.back().c_str(), access),
                             H5Dclose, "cannot open " + h.where);
  const Handle type = storage::owned(H5Dget_type(h.dataset), H5Tclose, h.where);
  const auto element = storage::element_type_of(type);
  if (element != facts.type || !has_dims(h.dataset, facts.dims)) throw_changed(h.where);
  if (facts.layout == "contiguous" && H5Tequal(type, storage::native_type(facts.type)) > 0)
    h.direct = std::make_unique<storage::DirectFile>(facts.file, h.where, facts.data_offset,
                                                     static_cast<Index>(size_of(facts.type)));
}

InputDataset::~InputDataset() = default;

template <class From, class T>
Index InputDataset::read_as(const NormalForm& form, const Box& box, FieldView<T> target,
                            const std::vector<ElementValue>& missing, T replacement) const {
  if (box.empty()) return 0;
  if (!make_box(form.shape()).contains(box) || target.extent != box.extent() ||
      form.dims() != facts_.dims)
    throw ShapeError(fmt::format("cannot read {} of {} into a view of {}: it does not fit",
                                 to_string(box), handles_->where, to_string(target.extent)));
  const storage::MissingMatch<From> match(missing);
  Staging<From> staging;
  Index found = 0;
  for (const Slab& slab : form.slabs(box)) {
    const Point back{-box.first[0], -box.first[1], -box.first[2]};
    const Piece whole{slab.start, slab.count};
    const Target<From, T> into{
        {whole, whole}, target.window(shifted(slab.box, back)), match, replacement};
    if (const auto direct = read_directly(handles_->direct.get(), facts_, whole, into))
      found += *direct;
    else
      found += read_in_pieces(handles_->dataset, facts_, whole, into, staging, handles_->where);
  }
  check_unchanged(facts_, handles_->where);  // half old and half new points look like sound ones
  return found;
}

template <class T>
Index InputDataset::read(const NormalForm& form, const Box& box, FieldView<T> target,
                         const std::optional<MissingPoints>& missing) const {
  return storage::visit_element(facts_.type, [&](auto example) {
    using From = decltype(example);
    if (!missing) return read_as<From, T>(form, box, target, {}, T{});
    return read_as<From, T>(form, box, target, missing->values,
                            static_cast<T>(missing->replacement));
  });
}

template <class Stored>
void InputDataset::read_stored(const NormalForm& form, const Box& box,
                               FieldView<Stored> target) const {
  read_as<Stored, Stored>(form, box, target, {}, Stored{});
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
