#include "drivers/job/transfer/read_input.hpp"

#include <algorithm>
#include <type_traits>

#include "drivers/job/transfer/dense_piece.hpp"
#include "drivers/plan/predict/transfer_boxes.hpp"
#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/device/named_range.hpp"
#include "io/hdf5/conversion.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/native_type.hpp"
#include "kernels/bind/convert_points.hpp"

namespace stencil {
namespace {

/// Reads points into host memory, converts them to the compute type while reading, and uploads
/// them.
template <class T>
Index upload_converted(const InputDataset& input, const Plan& plan, Field<T>& field,
                       Executor& executor, const std::vector<Box>& boxes, InputScale* scale) {
  CpuExecutor host;
  DensePiece<T> piece(host, boxes);
  Index missing = 0;
  for (const Box& box : boxes) {
    const FieldView<T> points = piece.as(box);
    missing += input.read<T>(plan.input_form, box, points, plan.missing);
    if (scale) scale->add<T>(points);
    const NamedRange range(executor, "upload");
    executor.upload(rectangle_of(points), rectangle_of(field.window(box)), sizeof(T));
  }
  return missing;
}

/// Uploads points in the type of the file and converts them on the device. In the type of the file,
/// points have a half or a quarter of the bytes.
template <class Stored, class T>
Index upload_stored(const InputDataset& input, const Plan& plan, Field<T>& field,
                    Executor& executor, const std::vector<Box>& boxes) {
  CpuExecutor host;
  DensePiece<Stored> here(host, boxes), there(executor, boxes);
  const storage::MissingMatch<Stored> match(plan.missing ? plan.missing->values
                                                         : std::vector<ElementValue>{});
  const T replacement = plan.missing ? static_cast<T>(plan.missing->replacement) : T{};
  Index missing = 0;
  for (const Box& box : boxes) {
    input.read_stored(plan.input_form, box, here.as(box));
    const NamedRange range(executor, "upload");
    executor.upload(rectangle_of(here.as(box)), rectangle_of(there.as(box)), sizeof(Stored));
    missing += convert_points<Stored, T>(executor, there.as(box), field.window(box), match.values,
                                         replacement);
  }
  return missing;
}

}  // namespace

template <class T>
Index read_input(const InputDataset& input, const Plan& plan, int rank, Field<T>& field,
                 Executor& executor, InputScale* scale) {
  const Box owned = field.subdomain().owned;
  if (owned.empty()) return 0;
  if (executor.is_host()) {
    const Index missing = input.read<T>(plan.input_form, owned, field.owned(), plan.missing);
    if (scale) scale->add<T>(field.owned());
    return missing;
  }
  const std::vector<Box> boxes = input_boxes(plan, rank);
  const bool has_range = plan.missing && (plan.missing->low || plan.missing->high);
  if (plan.input.is_unpacked() || has_range || !plan.input.validity.empty())
    return upload_converted(input, plan, field, executor, boxes, scale);
  return storage::visit_element(plan.input.number_type(), [&](auto example) {
    using Stored = decltype(example);
    // Integers of more than 16 bits are converted on the host if their scale is checked.
    if constexpr (std::is_integral_v<Stored>)
      if (!scale || sizeof(Stored) < 4)
        return upload_stored<Stored>(input, plan, field, executor, boxes);
    return upload_converted(input, plan, field, executor, boxes, scale);
  });
}

template Index read_input(const InputDataset&, const Plan&, int, Field<float>&, Executor&,
                          InputScale*);
template Index read_input(const InputDataset&, const Plan&, int, Field<double>&, Executor&,
                          InputScale*);

}  // namespace stencil
