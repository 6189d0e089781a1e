#include "drivers/job/transfer/write_output.hpp"

#include <algorithm>
#include <optional>

#include "drivers/job/transfer/dense_piece.hpp"
#include "drivers/plan/predict/transfer_boxes.hpp"
#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/device/named_range.hpp"
#include "io/hdf5/element_type.hpp"

namespace stencil {

template <class T>
void write_output(const Communicator& communicator, const std::vector<Box>& boxes,
                  const Field<T>& field, Executor& executor, OutputFile& output,
                  const KeptPoints* kept) {
  if (executor.is_host()) return output.write<T>(field.subdomain().owned, field.owned());
  CpuExecutor host;
  std::optional<DensePiece<T>> piece;
  communicator.agree([&] { piece.emplace(host, boxes); });
  // All ranks must make the same number of collective writes; some writes are empty.
  const Index calls = communicator.maximum(static_cast<Index>(boxes.size()));
  for (Index call = 0; call < calls; ++call) {
    const Box box = call < std::ssize(boxes) ? boxes[static_cast<std::size_t>(call)] : Box{};
    const FieldView<T> points = piece->as(box);
    communicator.agree([&] {
      if (box.empty()) return;
      const NamedRange range(executor, "download");
      executor.download(rectangle_of(field.window(box)), rectangle_of(points), sizeof(T));
      if (kept != nullptr) kept->mark<T>(box, points);
    });
    output.write<T>(box, points);
  }
}

template void write_output(const Communicator&, const std::vector<Box>&, const Field<float>&,
                           Executor&, OutputFile&, const KeptPoints*);
template void write_output(const Communicator&, const std::vector<Box>&, const Field<double>&,
                           Executor&, OutputFile&, const KeptPoints*);

}  // namespace stencil
