#include "io/write/output/outgoing.hpp"

#include "io/hdf5/native_type.hpp"

namespace stencil::storage {
namespace {

/// Converts the points of a part, from the view of its hyperslab to memory with the given layout
/// and the type of the output.
template <class T, class To>
WriteCounts convert(const Piece& slab, const Piece& part, const SlabView<const T>& view,
                    const Piece& layout, To* to, const OutputSpec& spec) {
  const OutputRange<To> range(spec.missing_value);
  const Runs source(slab, part), target(layout, part);
  const Index points = part.points();
  WriteCounts counts;
  for (Index first = 0; first < points; first += target.length()) {
    To* const row = to + target.offset(first / target.length());
    for_stretches<Use::reads>(
        source, view, first, first + target.length(), [&](Index k, const T* from, Index n) {
          convert_written(from, row + (k - first), n, range, counts, spec.packing);
        });
  }
  return counts;
}

}  // namespace

template <class T>
Outgoing<T>::Outgoing(const OutputSpec& spec, const Box& box, FieldView<const T> source,
                      Index snapshot) {
  if (!spec.filters) {
    add(spec, box, source, snapshot);
    return;
  }
  const Index filters = spec.filter_count();
  const Interval batch = box.along(batch_axis);
  for (Index filter = 0; filter < filters; ++filter) {
    const auto images_before = [&](Index at) { return (at - filter + filters - 1) / filters; };
    const Interval images{images_before(batch.first), images_before(batch.last)};
    if (images.empty()) continue;
    Box of_filter = box;
    of_filter.set(batch_axis, images);
    add(spec, of_filter,
        {&source.at(images.first * filters + filter - batch.first, 0, 0), of_filter.extent(),
         source.batch_pitch * filters, source.row_pitch},
        filter);
  }
}

template <class T>
WriteCounts Outgoing<T>::fill(const OutputSpec& spec, const BlockPart& part, const Piece& layout,
                              std::byte* to) const {
  return visit_element(spec.type, [&](auto example) {
    using To = decltype(example);
    WriteCounts counts = convert<T, To>(slabs[part.slab], part.piece, views[part.slab], layout,
                                        reinterpret_cast<To*>(to), spec);
    if (spec.is_complex) counts.missing = 0;  // see BlockGrid::missing_numbers()
    return counts;
  });
}

template <class T>
void Outgoing<T>::add(const OutputSpec& spec, const Box& box, FieldView<const T> source,
                      Index leading) {
  for (const Slab& slab : spec.form.slabs(box)) {
    slabs.push_back({slab.start, slab.count});
    slabs.back().start.insert(slabs.back().start.begin(), spec.leading_axes(), leading);
    slabs.back().count.insert(slabs.back().count.begin(), spec.leading_axes(), 1);
    views.emplace_back(spec.form, slab, box, source);
  }
}

template struct Outgoing<float>;
template struct Outgoing<double>;

}  // namespace stencil::storage
