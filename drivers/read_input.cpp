#include "drivers/read_input.hpp"

#include <cstdint>

#include "framework/device/cpu/cpu_executor.hpp"
#include "io/conversion.hpp"
#include "kernels/convert_points.hpp"

namespace stencil {
namespace {

/// By way of host memory, already in the compute type.
template <class T>
Index upload_converted(const InputDataset& input, const Plan& plan, const Field<T>& field,
                       Executor& executor) {
  const Box owned = field.subdomain().owned;
  CpuExecutor host;
  const Field<T> staged(host, {owned, {}});
  const Index missing = input.read<T>(plan.input_form, owned, staged.owned(), plan.missing);
  executor.upload(rectangle_of(staged.owned()), rectangle_of(field.owned()), sizeof(T));
  return missing;
}

/// By way of host and device memory in the type of the file, half or a quarter of the bytes.
template <class Stored, class T>
Index upload_stored(const InputDataset& input, const Plan& plan, const Field<T>& field,
                    Executor& executor) {
  const Box owned = field.subdomain().owned;
  const Field<Stored> there(executor, {owned, {}});
  {
    CpuExecutor host;
    const Field<Stored> staged(host, {owned, {}});
    input.read_stored(plan.input_form, owned, staged.owned());
    executor.upload(rectangle_of(staged.owned()), rectangle_of(there.owned()), sizeof(Stored));
  }
  const storage::MissingMatch<Stored> match(plan.missing ? plan.missing->values
                                                         : std::vector<ElementValue>{});
  const T replacement = plan.missing ? static_cast<T>(plan.missing->replacement) : T{};
  return convert_points<Stored, T>(executor, there.owned(), field.owned(), match.values,
                                   replacement);
}

}  // namespace

template <class T>
Index read_input(const InputDataset& input, const Plan& plan, const Field<T>& field,
                 Executor& executor) {
  const Box owned = field.subdomain().owned;
  if (owned.empty()) return 0;
  if (executor.is_host()) return input.read<T>(plan.input_form, owned, field.owned(), plan.missing);
  switch (plan.input.type) {
    case ElementType::int8:
      return upload_stored<std::int8_t>(input, plan, field, executor);
    case ElementType::uint8:
      return upload_stored<std::uint8_t>(input, plan, field, executor);
    case ElementType::int16:
      return upload_stored<std::int16_t>(input, plan, field, executor);
    case ElementType::uint16:
      return upload_stored<std::uint16_t>(input, plan, field, executor);
    case ElementType::int32:
      return upload_stored<std::int32_t>(input, plan, field, executor);
    case ElementType::uint32:
      return upload_stored<std::uint32_t>(input, plan, field, executor);
    case ElementType::int64:
      return upload_stored<std::int64_t>(input, plan, field, executor);
    case ElementType::uint64:
      return upload_stored<std::uint64_t>(input, plan, field, executor);
    case ElementType::float32:
    case ElementType::float64:
      break;
  }
  return upload_converted(input, plan, field, executor);
}

template <class T>
Field<T> in_host_memory(Field<T> field, Executor& executor) {
  if (executor.is_host()) return field;
  static CpuExecutor host;  // outlives the field
  Field<T> copy(host, {field.subdomain().owned, {}});
  executor.download(rectangle_of(field.owned()), rectangle_of(copy.owned()), sizeof(T));
  return copy;
}

template Index read_input(const InputDataset&, const Plan&, const Field<float>&, Executor&);
template Index read_input(const InputDataset&, const Plan&, const Field<double>&, Executor&);
template Field<float> in_host_memory(Field<float>, Executor&);
template Field<double> in_host_memory(Field<double>, Executor&);

}  // namespace stencil
