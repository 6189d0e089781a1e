#include "drivers/pipeline/apply.hpp"

#include <fmt/core.h>
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "drivers/pipeline/array_checks.hpp"
#include "drivers/pipeline/array_plan.hpp"
#include "drivers/pipeline/folded_array.hpp"
#include "framework/device/most_threads.hpp"
#include "framework/grid/error.hpp"

namespace stencil {
namespace {

/// Sets the number of OpenMP threads of the calling thread during the lifetime of the object.
class TeamSize {
 public:
  explicit TeamSize(int threads) : before_(omp_get_max_threads()) { omp_set_num_threads(threads); }
  ~TeamSize() { omp_set_num_threads(before_); }
  TeamSize(const TeamSize&) = delete;
  TeamSize& operator=(const TeamSize&) = delete;

 private:
  int before_;
};

Precision precision_for(Element input, Element output) {
  const bool is_small = is_integer(input) ? size_of(input) <= 2 : input == Element::float32;
  return is_small && output == Element::float32 ? Precision::float32 : Precision::float64;
}

/// Converts the shape of the outputs, {batch, y, x}, to a shape with the axes of the input. If a
/// stage has several outputs per input and no axis is folded into batch, the result has an
/// additional first axis.
AxisList unfolded(const Point& outputs, const Point& inputs, const AxisList& shape,
                  const AxisRoles& roles) {
  AxisList result = shape;
  if (roles.y >= 0) result[roles.y] = outputs[y_axis];
  result[roles.x] = outputs[x_axis];
  if (outputs[batch_axis] == inputs[batch_axis]) return result;
  if (roles.batch.size() == 0) {
    AxisList longer{outputs[batch_axis]};
    for (const Index extent : result) longer.push_back(extent);
    return longer;
  }
  int last = int(roles.batch[roles.batch.size() - 1]);
  for (const Index axis : roles.batch)
    if (shape[last] == 1) last = int(axis);  // the last axis with more than one point
  const Index others = inputs[batch_axis] / shape[last];
  if (outputs[batch_axis] % others == 0) result[last] = outputs[batch_axis] / others;
  return result;
}

void require_output_shape(const AnyOutput& output, const AxisRoles& roles, const Point& outputs,
                          const AxisList& expected, const AxisList& outer, const AxisList& input) {
  const bool fits = output.shape.size() == expected.size()
                        ? output.shape == expected
                        : folded_shape(output.shape, roles) == outputs &&
                              picked(output.shape, roles.outer) == outer;
  if (!fits)
    throw ShapeError(
        fmt::format("output.shape = {}, but these stages make {} of input.shape = {}: "
                    "give an output of output_shape()",
                    to_string(output.shape), to_string(expected), to_string(input)));
}

/// Copies points of `size` bytes between arrays of the same shape, for all indices of the axes from
/// `axis` on.
void copy_points(const std::byte* from, const AxisList& from_strides, std::byte* to,
                 const AxisList& to_strides, const AxisList& shape, Index size, int axis = 0) {
  if (axis == shape.size()) {
    std::memcpy(to, from, std::size_t(size));
    return;
  }
  const bool is_row =
      axis + 1 == shape.size() && from_strides[axis] == size && to_strides[axis] == size;
  if (is_row) {
    std::memcpy(to, from, std::size_t(size * shape[axis]));
    return;
  }
  for (Index i = 0; i < shape[axis]; ++i)
    copy_points(from + i * from_strides[axis], from_strides, to + i * to_strides[axis], to_strides,
                shape, size, axis + 1);
}

void run_plan(const ArrayPlan& plan, const AnyInput& input, const AxisRoles& in,
              const AnyOutput& output, const AxisRoles& out, const ApplyOptions& options) {
  const TeamSize team(options.threads);
  std::visit(
      [&](const auto& chain) {
        for_each_outer(input, in, output, out, [&](const auto& from, const auto& to) {
          chain.run(from, to, options.cast, options.between_parts);
        });
      },
      plan);
}

void require_threads(int threads) {
  // static, because the system call in most_threads() takes as long as filtering a small array
  static const int most = most_threads();
  if (threads < 1 || threads > most)
    throw UsageError(
        fmt::format("options.threads = {}: use 1 for the calling thread alone, up to "
                    "{}, four for each processor",
                    threads, most));
}

Precision precision_of(const ApplyOptions& options, Element input, Element output) {
  return options.precision.value_or(precision_for(input, output));
}

/// Checks that two valid arrays fit a plan, and runs the plan on them.
/// @param shape  the shape of the input, folded to {batch, y, x}
void run(const ArrayPlan& plan, const Point& shape, const AnyInput& input, const AxisRoles& in,
         const AnyOutput& output, const ApplyOptions& options) {
  require_distinct_points(output);
  const AxisRoles out = roles_of(output.shape.size(), options.axes, "output");
  const Point outputs =
      std::visit([](const auto& chain) { return chain.chain().output_shape(); }, plan);
  require_output_shape(output, out, outputs, unfolded(outputs, shape, input.shape, in),
                       picked(input.shape, in.outer), input.shape);
  if (!overlap(input, output)) return run_plan(plan, input, in, output, out, options);
  const Index size = size_of(output.element);
  const auto copy = std::make_unique<std::byte[]>(std::size_t(points(output.shape) * size));
  const AnyOutput apart(copy.get(), output.element, output.shape,
                        row_major_strides(output.shape, size));
  run_plan(plan, input, in, apart, out, options);
  copy_points(apart.data, apart.strides, output.data, output.strides, output.shape, size);
}

}  // namespace

AxisList output_shape(const std::vector<Stage>& stages, const AxisList& input_shape,
                      const std::vector<int>& given) {
  require_extents(input_shape, "input");
  const AxisRoles roles = roles_of(input_shape.size(), given, "input");
  require_one_batch_axis(stages, input_shape, roles);
  const Point shape = folded_shape(input_shape, roles);
  const Chain chain = make_chain(stages, shape, Precision::float64);
  return unfolded(chain.output_shape(), shape, input_shape, roles);
}

void apply(const std::vector<Stage>& stages, const AnyInput& input, const AnyOutput& output,
           const ApplyOptions& options) {
  require_sound(input, "input");
  require_sound(output, "output");
  require_threads(options.threads);
  const AxisRoles in = roles_of(input.shape.size(), options.axes, "input");
  require_one_batch_axis(stages, input.shape, in);
  const Point shape = folded_shape(input.shape, in);
  run(*array_plan(stages, shape, precision_of(options, input.element, output.element)), shape,
      input, in, output, options);
}

struct Filter::Bound {
  AxisList input_shape, output_shape;
  Element input, output;
  ApplyOptions options;
  AxisRoles roles;
  Point shape;
  std::shared_ptr<const ArrayPlan> plan;
};

Filter::Filter(const std::vector<Stage>& stages, const AxisList& input_shape, Element input,
               std::optional<Element> output, const ApplyOptions& options) {
  Bound bound{.input_shape = input_shape,
              .output_shape = stencil::output_shape(stages, input_shape, options.axes),
              .input = input,
              .output = output.value_or(input),
              .options = options,
              .roles = roles_of(input_shape.size(), options.axes, "input"),
              .shape = {},
              .plan = nullptr};
  require_threads(options.threads);
  bound.shape = folded_shape(input_shape, bound.roles);
  bound.plan = array_plan(stages, bound.shape, precision_of(options, bound.input, bound.output));
  bound_ = new Bound(std::move(bound));
}

Filter::Filter(const Filter& other) : bound_(new Bound(*other.bound_)) {}
Filter::Filter(Filter&& other) noexcept : bound_(std::exchange(other.bound_, nullptr)) {}
Filter& Filter::operator=(Filter other) noexcept {
  std::swap(bound_, other.bound_);
  return *this;
}
Filter::~Filter() {
  delete bound_;
}

const AxisList& Filter::output_shape() const {
  return bound_->output_shape;
}

void Filter::operator()(const AnyInput& input, const AnyOutput& output) const {
  require_sound(input, "input");
  require_sound(output, "output");
  if (input.element != bound_->input || output.element != bound_->output)
    throw UsageError(fmt::format("{}.element is not the type that this filter was made for",
                                 input.element != bound_->input ? "input" : "output"));
  if (!(input.shape == bound_->input_shape))
    throw ShapeError(fmt::format("input.shape = {}, and this filter was made for {}",
                                 to_string(input.shape), to_string(bound_->input_shape)));
  run(*bound_->plan, bound_->shape, input, bound_->roles, output, bound_->options);
}

}  // namespace stencil
