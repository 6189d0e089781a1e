// The pipeline without files: plans made from configurations, run on one to seven ranks, compared
// with the formula in plain loops. Data and taps are small integers, so that all results are exact.
#include "drivers/pipeline/pipeline.hpp"
#include "drivers/config/kind_words.hpp"
#include "drivers/pipeline/chain.hpp"
#include "drivers/plan/make/make_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "framework/grid/error.hpp"
#include "tests/support/backend.hpp"
#include "tests/support/plan_words.hpp"
#include "tests/support/thorough.hpp"

namespace stencil {
namespace {

using testing::facts_of;
using Random = std::mt19937_64;

Index pick(Random& random, Index low, Index high) {
  return std::uniform_int_distribution<Index>(low, high)(random);
}
template <class T>
T pick_of(Random& random, std::initializer_list<T> choices) {
  return choices.begin()[pick(random, 0, static_cast<Index>(choices.size()) - 1)];
}

/// The whole array (the world) of three axes, contiguous and without ghosts.
struct Array {
  Point shape{};
  std::vector<double> values;
  explicit Array(const Point& s) : shape(s), values(static_cast<std::size_t>(points(s))) {}
  double& at(Index b, Index y, Index x) { return values[(b * shape[1] + y) * shape[2] + x]; }
  double at(Index b, Index y, Index x) const { return values[(b * shape[1] + y) * shape[2] + x]; }
};

/// A second implementation of the boundary rules, one reflection at a time, without framework/grid.
bool fold(const std::string& word, Index& i, Index n) {
  while (i < 0 || i >= n) {
    if (word == "zero" || word == "constant") return false;
    if (word == "nearest" || word == "clamp")
      i = i < 0 ? 0 : n - 1;
    else if (word == "wrap" || word == "periodic")
      i += i < 0 ? n : -n;
    else if (word == "reflect")
      i = i < 0 ? -1 - i : 2 * n - 1 - i;
    else if (n == 1)
      i = 0;
    else
      i = i < 0 ? -i : 2 * (n - 1) - i;
  }
  return true;
}

/// The keys of a stage for one axis.
struct AxisWords {
  Index width = 1, origin = 0, stride = 1;
  std::string boundary = "reflect";
};

/// First input under the mask for output o, as in SciPy and NumPy: the centre of correlate is
/// width / 2 + origin; convolve flips the mask, so its centre is counted from the other end; valid
/// and full are those of numpy.convolve.
Index mask_start(const AxisWords& a, const std::string& extent, bool convolve, Index o) {
  const Index centre = convolve ? a.width - 1 - (a.width / 2 + a.origin) : a.width / 2 + a.origin;
  if (extent == "valid") return o * a.stride;
  if (extent == "full") return o * a.stride - (a.width - 1);
  return o * a.stride - centre;
}

Index outputs(const AxisWords& a, const std::string& extent, Index n) {
  const Index all = extent == "same" ? n : extent == "valid" ? n - a.width + 1 : n + a.width - 1;
  return (all + a.stride - 1) / a.stride;
}

struct Case {
  std::vector<Index> dims;   ///< up to three axes
  int axis = -1;             ///< axis of a 1D mask
  AxisWords y, x;            ///< a 1D mask uses x only
  std::vector<double> taps;  ///< [y.width, x.width]
  bool two = false;
  std::string operation = "correlate", extent = "same", method = "auto";
  double boundary_value = 0;
  Index steps = 1;

  StageConfig words() const {
    StageConfig stage;
    stage.name = "stencil";
    stage.operation = meaning_of<Operation>(operation);
    std::string mask;
    for (std::size_t i = 0; i < taps.size(); ++i) {
      if (i > 0) mask += two && i % x.width == 0 ? "; " : " ";
      mask += std::to_string(taps[i]);
    }
    stage.mask = read_mask(two ? mask + ";" : mask);
    if (!two) stage.axis = axis;
    stage.boundary = {meaning_of<BoundaryRule>(x.boundary)};
    if (two) stage.boundary.insert(stage.boundary.begin(), meaning_of<BoundaryRule>(y.boundary));
    const bool is_zero = x.boundary == "zero" || (two && y.boundary == "zero");
    stage.boundary_value = is_zero ? 0 : boundary_value;
    stage.extent = meaning_of<Extent>(extent);
    stage.origin = two ? std::vector{y.origin, x.origin} : std::vector{x.origin};
    stage.stride = two ? std::vector{y.stride, x.stride} : std::vector{x.stride};
    stage.steps = steps;
    stage.method = meaning_of<MethodRequest>(method);
    return stage;
  }

  /// Applies the formula to an array whose axes are those of the dataset, preceded by axes of
  /// extent 1.
  Array apply(const Array& in) const {
    const int rank = static_cast<int>(dims.size());
    std::array<AxisWords, 3> words;
    if (two)
      words[1] = y, words[2] = x;
    else
      words[3 - rank + (axis < 0 ? axis + rank : axis)] = x;
    Point shape;
    for (int a = 0; a < 3; ++a) {
      shape[a] = shape_is_active(a, rank) ? outputs(words[a], extent, in.shape[a]) : in.shape[a];
    }
    const bool flip = operation == "convolve";
    std::array<std::vector<Index>, 3> inputs;
    for (int a = 0; a < 3; ++a)
      inputs[a] = inputs_along(words[a], shape_is_active(a, rank), flip, shape[a], in.shape[a]);
    const bool constant = x.boundary == "constant" || (two && y.boundary == "constant");
    const double beyond = constant ? boundary_value : 0;
    Array out(shape);
    for (Index b = 0; b < shape[0]; ++b)
      for (Index i = 0; i < shape[1]; ++i)
        for (Index k = 0; k < shape[2]; ++k)
          out.at(b, i, k) = sum_of(in, &inputs[0][b * words[0].width], words[0].width,
                                   &inputs[1][i * words[1].width], words[1].width,
                                   &inputs[2][k * words[2].width], words[2].width, flip, beyond);
    return out;
  }

  /// Returns the index, along one axis, of the input point under each tap, [outputs, width]; -1 if
  /// the value of the boundary replaces the point.
  std::vector<Index> inputs_along(const AxisWords& a, bool active, bool flip, Index outputs,
                                  Index points) const {
    std::vector<Index> found;
    for (Index o = 0; o < outputs; ++o)
      for (Index j = 0; j < a.width; ++j) {
        Index p = j + (active ? mask_start(a, extent, flip, o) : o);
        found.push_back(!active || fold(a.boundary, p, points) ? p : -1);
      }
    return found;
  }

  /// One output: the sum over the taps in row-major order. `beyond` is the value outside the array.
  double sum_of(const Array& in, const Index* p0, Index n0, const Index* p1, Index n1,
                const Index* p2, Index n2, bool flip, double beyond) const {
    const double *const values = in.values.data(), *const tap = taps.data();
    Index t = flip ? static_cast<Index>(taps.size()) - 1 : 0;
    const Index step = flip ? -1 : 1, rows = in.shape[1], columns = in.shape[2];
    double sum = 0;
    for (Index j0 = 0; j0 < n0; ++j0)
      for (Index j1 = 0; j1 < n1; ++j1)
        for (Index j2 = 0; j2 < n2; ++j2, t += step) {
          const bool inside = p0[j0] >= 0 && p1[j1] >= 0 && p2[j2] >= 0;
          sum += tap[t] * (inside ? values[(p0[j0] * rows + p1[j1]) * columns + p2[j2]] : beyond);
        }
    return sum;
  }

  bool shape_is_active(int a, int rank) const {
    return two ? a > 0 : a == 3 - rank + (axis < 0 ? axis + rank : axis);
  }

  std::string text() const {
    std::string t = two ? "2D" : "1D axis " + std::to_string(axis);
    for (Index d : dims) t += " " + std::to_string(d);
    for (const AxisWords* a : {&y, &x})
      t += " | width " + std::to_string(a->width) + " origin " + std::to_string(a->origin) +
           " stride " + std::to_string(a->stride) + " " + a->boundary;
    return t + " | " + operation + " " + extent + " " + method + " steps " + std::to_string(steps);
  }
};

Array make_input(const std::vector<Index>& dims, std::uint64_t seed) {
  Point shape{1, 1, 1};
  std::copy(dims.begin(), dims.end(), shape.begin() + (axes - dims.size()));
  Array array(shape);
  Random random(seed);
  for (double& value : array.values) value = double(pick(random, -9, 9));
  return array;
}

/// Runs a plan on `communicator`. Returns this rank's box of outputs and its values.
template <class T>
std::pair<Box, std::vector<T>> run_on(const Communicator& communicator, const Problem& plan,
                                      const Array& in) {
  Executor& executor = testing::executor_under_test(communicator.rank());
  Session session(communicator.handle(), executor, plan.transport);
  Pipeline<T> pipeline(session, plan.chain);
  Field<T> field = pipeline.make_input();
  const Box owned = plan.chain.stages.front().input.owned(communicator.rank());
  const Point shape = plan.input_form.shape();
  testing::HostMirror<T> mirror(executor, field);
  const FieldView<T> view = mirror.owned();
  // the normal form is in the row-major order of the dataset, whichever axes it folds
  for (Index b = 0; b < view.extent[0]; ++b)
    for (Index y = 0; y < view.extent[1]; ++y)
      for (Index x = 0; x < view.extent[2]; ++x)
        view.at(b, y, x) = static_cast<T>(
            in.values[((owned.first[0] + b) * shape[1] + owned.first[1] + y) * shape[2] +
                      owned.first[2] + x]);
  mirror.upload();
  Field<T> result = pipeline.run(std::move(field), [](Index) {});
  std::vector<T> values;
  testing::HostMirror<T> fetched(executor, result);
  fetched.download();
  const FieldView<T> out = fetched.owned();
  for (Index b = 0; b < out.extent[0]; ++b)
    for (Index y = 0; y < out.extent[1]; ++y)
      for (Index x = 0; x < out.extent[2]; ++x) values.push_back(out.at(b, y, x));
  return {plan.chain.stages.back().output.owned(communicator.rank()), values};
}

/// Calls check(index in the whole output, position in `values`) for every point of a box.
template <class Check>
void for_each_point(const Box& box, const Point& shape, const Check& check) {
  std::size_t i = 0;
  for (Index b = box.first[0]; b < box.last[0]; ++b)
    for (Index y = box.first[1]; y < box.last[1]; ++y)
      for (Index x = box.first[2]; x < box.last[2]; ++x, ++i)
        check(static_cast<std::size_t>((b * shape[1] + y) * shape[2] + x), i);
}

template <class T>
void check_case(const Case& c, const std::vector<Index>& decomposition = {}) {
  const Communicator world(MPI_COMM_WORLD);
  const Array in = make_input(c.dims, 17);
  Array expected = c.apply(in);
  for (Index n = 1; n < c.steps; ++n) expected = c.apply(expected);
  Config config;
  config.stages = {c.words()};
  config.run.precision = sizeof(T) == 8 ? PrecisionRequest::float64 : PrecisionRequest::float32;
  config.run.decomposition = decomposition;
  config.run.transport = testing::transport_under_test();
  const Problem plan =
      make_problem(config, facts_of(c.dims), {}, world.size(), testing::backend_under_test());
  ASSERT_EQ(points(plan.output_form.shape()), points(expected.shape)) << c.text();
  const auto [box, values] = run_on<T>(world, plan, in);
  int wrong = 0;
  for_each_point(box, plan.output_form.shape(),
                 [&, &box = box, &values = values](std::size_t at, std::size_t i) {
                   if (double(values[i]) != expected.values[at] && wrong++ == 0)
                     ADD_FAILURE() << c.text() << ": point " << at << " is " << values[i]
                                   << " instead of " << expected.values[at] << ", rank "
                                   << world.rank() << " box " << to_string(box);
                 });
}

std::vector<double> small_taps(Random& random, Index count) {
  std::vector<double> taps(static_cast<std::size_t>(count));
  for (double& tap : taps) tap = double(pick(random, -4, 4));
  return taps;
}

TEST(Pipeline, EveryBoundaryExtentWidthOriginAndStride) {
  const Communicator world(MPI_COMM_WORLD);
  Random random(1);
  const bool is_cpu = testing::backend_under_test() == Backend::cpu;
  const int every = (world.size() > 1 ? testing::is_thorough() ? 5 : 19 : 1) * (is_cpu ? 1 : 11);
  int number = 0;
  for (Index n : {1, 2, 5, 97, 1031})
    for (Index width : {1, 2, 3, 4, 7, 30, 131})
      for (const char* boundary : {"reflect", "mirror", "nearest", "wrap", "zero", "constant"})
        for (const char* extent : {"same", "valid", "full"})
          for (Index stride : {1, 2, 5})
            for (int origin : {-1, 0, 1}) {
              if (std::string(extent) == "valid" && width > n) continue;
              // to save time, only a part of the combinations is tried on several ranks
              if (++number % every != 0) continue;
              Case c;
              c.dims = {n};
              c.x = {width,
                     origin < 0   ? -(width / 2)
                     : origin > 0 ? (width - 1) / 2
                                  : 0,
                     stride, boundary};
              c.taps = small_taps(random, width);
              c.extent = extent;
              c.boundary_value = 3;
              for (const char* operation : {"correlate", "convolve"}) {
                c.operation = operation;
                check_case<float>(c);
              }
            }
}

/// Number of random cases out of `all` that are tried: a fourth in a quick run on several ranks,
/// where each case takes longer.
int tried_of(int all) {
  return Communicator(MPI_COMM_WORLD).size() == 1 ? all : testing::cases(all, all / 4);
}

/// A random case on one to three axes.
Case random_case(Random& random) {
  Case c;
  const Index rank = pick(random, 1, 3);
  for (Index i = 0; i < rank; ++i)
    c.dims.push_back(pick_of<Index>(random, {1, 2, 3, 5, 8, 13, 33}));
  c.two = rank > 1 && pick(random, 0, 2) > 0;
  c.axis = static_cast<int>(pick(random, -rank, rank - 1));
  c.operation = pick_of<std::string>(random, {"correlate", "convolve"});
  c.extent = pick_of<std::string>(random, {"same", "valid", "full", "same"});
  const auto axis_words = [&](Index n) {
    AxisWords a;
    a.width = pick(random, 1, 9);
    if (c.extent == "valid") a.width = std::min(a.width, n);
    // for even masks, convolve allows origins shifted by one: choose an origin that both allow
    a.origin = a.width > 2 ? pick(random, -((a.width - 1) / 2), (a.width - 1) / 2) : 0;
    a.stride = pick_of<Index>(random, {1, 1, 2, 3});
    a.boundary = pick_of<std::string>(random, {"reflect", "mirror", "nearest", "wrap", "constant"});
    return a;
  };
  const Index along_x = c.two ? c.dims.back() : c.dims[c.axis < 0 ? c.axis + rank : c.axis];
  c.x = axis_words(along_x);
  if (c.two) c.y = axis_words(c.dims[c.dims.size() - 2]);
  c.boundary_value = double(pick(random, -5, 5));
  c.taps = small_taps(random, c.y.width * c.x.width);
  return c;
}

TEST(Pipeline, RandomStencilsOnOneToThreeAxes) {
  Random random(2);
  const int count = tried_of(3000);
  for (int i = 0; i < count; ++i) check_case<double>(random_case(random));
}

TEST(Pipeline, SeparableMasksAreExactOnIntegers) {
  Random random(3);
  const int count = tried_of(600);
  for (int i = 0; i < count; ++i) {
    Case c = random_case(random);
    if (!c.two) continue;
    const auto column = small_taps(random, c.y.width), row = small_taps(random, c.x.width);
    for (Index y = 0; y < c.y.width; ++y)
      for (Index x = 0; x < c.x.width; ++x) c.taps[y * c.x.width + x] = column[y] * row[x];
    c.method = "auto";
    check_case<double>(c);
  }
}

/// Taps of rank 2 without zeros, whose factors are integers: in the row and the column through the
/// largest tap, only the first product is nonzero.
std::vector<double> taps_of_rank_two(Random& random, Index height, Index width) {
  const auto drawn = [&](Index n, Index low, Index high) {
    std::vector<double> taps;
    for (Index i = 0; i < n; ++i) taps.push_back(double(pick(random, low, high)));
    return taps;
  };
  std::vector<double> column = drawn(height, 2, 3), row = drawn(width, 2, 3);
  std::vector<double> down = drawn(height, 0, 1), across = drawn(width, 0, 1);
  const std::size_t y = pick(random, 0, height - 1), x = pick(random, 0, width - 1);
  column[y] = row[x] = 7, down[y] = across[x] = 0;
  row[(x + 1) % row.size()] = 3, row[(x + 2) % row.size()] = 2;  // no common divisor
  std::vector<double> taps;
  for (Index j = 0; j < height; ++j)
    for (Index i = 0; i < width; ++i)
      taps.push_back(column[j] * row[i] +
                     (2 * down[j] - 1) * (2 * across[i] - 1) * (j != Index(y)) * (i != Index(x)));
  return taps;
}

TEST(Pipeline, SumsOfSeparableMasksAreExactOnIntegers) {
  const Communicator world(MPI_COMM_WORLD);
  Random random(6);
  const int count = testing::cases(60, 30);
  for (int i = 0; i < count; ++i) {
    Case c;
    c.two = true;
    // the method is requested, because for few rows or long sums another method costs less
    c.method = "separable";
    c.dims = {pick_of<Index>(random, {1, 3}), pick_of<Index>(random, {17, 40, 70}),
              pick_of<Index>(random, {13, 33, 150})};
    c.operation = pick_of<std::string>(random, {"correlate", "convolve"});
    c.extent = pick_of<std::string>(random, {"same", "full"});
    for (AxisWords* axis : {&c.y, &c.x}) {
      axis->width = pick(random, 11, 16);
      axis->boundary = pick_of<std::string>(random, {"reflect", "mirror", "nearest", "wrap"});
      axis->origin = pick(random, -3, 3);
    }
    c.taps = taps_of_rank_two(random, c.y.width, c.x.width);
    c.steps = c.extent == "same" ? pick(random, 1, 3) : 1;
    Config config;
    config.stages = {c.words()};
    ASSERT_EQ(
        make_problem(config, facts_of(c.dims), {}, 1).chain.stages[0].choice.separable_terms(), 2);
    check_case<double>(c,
                       i % 2 ? std::vector<Index>{} : std::vector<Index>{Index{world.size()}, 1});
  }
}

TEST(Pipeline, StepsEqualRepeatedApplication) {
  Random random(4);
  for (Index steps : {2, 3, 4}) {
    Case c;
    c.dims = {2, 17, 23};
    c.two = true;
    c.y = {3, 0, 1, "wrap"};
    c.x = {4, 1, 1, "mirror"};
    c.taps = small_taps(random, 12);
    c.steps = steps;
    check_case<double>(c);
    Case line;
    line.dims = {57};
    line.x = {5, -1, 1, "constant"};
    line.boundary_value = 2;
    line.taps = small_taps(random, 5);
    line.steps = steps;
    check_case<double>(line);
  }
}

TEST(Pipeline, DecompositionsAsAsked) {
  const Communicator world(MPI_COMM_WORLD);
  Random random(5);
  for (Index rows = 1; rows <= world.size(); ++rows) {
    if (world.size() % rows != 0) continue;
    for (int i = 0; i < 20; ++i) {
      Case c = random_case(random);
      check_case<float>(c, {rows, world.size() / rows});
      check_case<float>(c, {world.size() / rows, 1, rows});
      check_case<float>(c, {Index{world.size()}});
    }
  }
}

TEST(Pipeline, ChainsOfStagesAlongDifferentAxes) {
  const Communicator world(MPI_COMM_WORLD);
  Random random(6);
  const int count = tried_of(300);
  for (int i = 0; i < count; ++i) {
    Case first = random_case(random), second = random_case(random);
    const std::vector<Index> dims{pick(random, 3, 9), pick(random, 9, 20), pick(random, 9, 20)};
    first.dims = dims;
    if (first.extent == "valid") first.extent = "same";
    Array in = make_input(dims, 5), middle = first.apply(in);
    second.dims.assign(middle.shape.begin(), middle.shape.end());
    if (second.extent == "valid") second.extent = "full";
    if (first.axis < -3 || second.axis < -3) continue;
    const Array expected = second.apply(middle);
    Config config;
    config.stages = {first.words(), second.words()};
    config.stages[1].name = "stencil.second";
    config.run.precision = PrecisionRequest::float64;
    const Problem plan =
        make_problem(config, facts_of(dims), {}, world.size(), testing::backend_under_test());
    const auto [box, values] = run_on<double>(world, plan, in);
    int wrong = 0;
    for_each_point(
        box, plan.output_form.shape(), [&, &values = values](std::size_t at, std::size_t k) {
          if (values[k] != expected.values[at] && wrong++ == 0)
            ADD_FAILURE() << first.text() << " then " << second.text() << " point " << at;
        });
  }
}

TEST(Pipeline, TheSameBitsAsOnOneRank) {
  const Communicator world(MPI_COMM_WORLD), alone(MPI_COMM_SELF);
  Random random(7);
  const int count = tried_of(400);
  for (int i = 0; i < count; ++i) {
    Case c = random_case(random);
    // now the sums are rounded, so that the order of additions matters
    for (double& tap : c.taps) tap *= 0.1234567;
    Array in = make_input(c.dims, 99);
    for (double& value : in.values) value *= 1.0 / 3;
    Config config;
    config.stages = {c.words()};
    if (i % 3 == 0) {
      config.missing = {.value = std::vector<ElementValue>{std::nan("")},
                        .policy = MissingPolicy::renormalize,
                        .min_valid = 0.3,
                        .mask = {}};
      for (std::size_t k = 0; k < in.values.size(); k += 7)
        in.values[k] = std::numeric_limits<double>::quiet_NaN();
      for (double& tap : c.taps) tap = std::abs(tap) + 0.01;
      config.stages = {c.words()};
    }
    config.run.precision = PrecisionRequest::float32;
    const Problem plan =
        make_problem(config, facts_of(c.dims), {}, world.size(), testing::backend_under_test());
    const Problem whole =
        make_problem(config, facts_of(c.dims), {}, 1, testing::backend_under_test());
    const auto [box, values] = run_on<float>(world, plan, in);
    const auto [all, expected] = run_on<float>(alone, whole, in);
    ASSERT_EQ(all.points(), points(plan.output_form.shape()));
    for_each_point(box, plan.output_form.shape(),
                   [&, &values = values, &expected = expected](std::size_t at, std::size_t k) {
                     ASSERT_EQ(std::memcmp(&values[k], &expected[at], sizeof(float)), 0)
                         << c.text();
                   });
  }
}

/// Runs stages with method = fft, divided along every axis, and compares the results bit by bit
/// with one rank, and with the formula within the error bound.
///
/// @param scale  sum|M| max|N| over all stages
void check_fft(const std::vector<Case>& stages, double scale) {
  const Communicator world(MPI_COMM_WORLD), alone(MPI_COMM_SELF);
  const Array in = make_input(stages.front().dims, 23);
  Array expected = in;
  Config config;
  for (const Case& stage : stages) {
    for (Index n = 0; n < stage.steps; ++n) expected = stage.apply(expected);
    config.stages.push_back(stage.words());
    config.stages.back().name += std::to_string(config.stages.size());
  }
  config.run.precision = PrecisionRequest::float32;
  const Problem whole =
      make_problem(config, facts_of(stages.front().dims), {}, 1, testing::backend_under_test());
  const auto [all, values] = run_on<float>(alone, whole, in);
  const double width = double(stages.back().taps.size());
  const double bound = (2 * width + 4) * double(std::numeric_limits<float>::epsilon()) * scale;
  ASSERT_EQ(values.size(), expected.values.size());
  for (std::size_t k = 0; k < values.size(); ++k)
    ASSERT_NEAR(double(values[k]), expected.values[k], bound)
        << stages.back().text() << " at " << k;
  const Index size = world.size();
  for (const std::vector<Index>& cut :
       {std::vector<Index>{}, {size, 1, 1}, {1, size, 1}, {1, 1, size}}) {
    config.run.decomposition = cut;
    const Problem plan = make_problem(config, facts_of(stages.front().dims), {}, world.size(),
                                      testing::backend_under_test());
    ASSERT_EQ(plan.chain.stages.back().choice.method, Method::fft);
    ASSERT_EQ(plan.chain.stages.back().choice.blocks.points,
              whole.chain.stages.back().choice.blocks.points);
    ASSERT_EQ(plan.chain.stages.back().choice.tiles.points(),
              whole.chain.stages.back().choice.tiles.points());
    const auto [box, part] = run_on<float>(world, plan, in);
    for_each_point(box, plan.output_form.shape(),
                   [&, &part = part, &values = values](std::size_t at, std::size_t k) {
                     ASSERT_EQ(std::memcmp(&part[k], &values[at], sizeof(float)), 0)
                         << stages.back().text() << " at " << at << ": " << part[k]
                         << " instead of " << values[at];
                   });
  }
}

/// Blocks of ranks that are thinner than a pair of blocks of transforms, that are slightly longer
/// than two pairs, and other blocks.
TEST(Pipeline, FftOnAnyDecomposition) {
  Random random(8);
  int turn = 0;
  for (Index n : {40, 700, 2600})
    for (const char* boundary : {"reflect", "wrap", "constant"})
      for (const char* extent : {"same", "valid", "full"})
        for (Index stride : testing::sampled(std::vector<Index>{1, 3}, turn++ % 2)) {
          Case c;
          c.method = "fft";
          c.operation = stride == 1 ? "convolve" : "correlate";
          c.dims = {n};
          c.x = {n == 40 ? 30 : 130, pick(random, -10, 10), stride, boundary};
          c.boundary_value = 3;
          c.extent = extent;
          c.taps = small_taps(random, c.x.width);
          check_fft({c}, 4 * 9 * double(c.x.width));
        }
}

TEST(Pipeline, FftAlongEveryAxisAndInSteps) {
  Random random(9);
  for (int axis : {0, 1}) {
    Case c;
    c.method = "fft";
    c.dims = axis == 0 ? std::vector<Index>{600, 5} : std::vector<Index>{5, 600};
    c.axis = axis;
    c.x = {65, 3, 1, "mirror"};
    c.taps.assign(65, 0.125);
    c.steps = 3;
    check_fft({c}, 9 * 8.125 * 8.125 * 8.125);
    // a preceding mask over the last two axes requires that the first axis is the batch axis
    Case grid, third = c;
    grid.dims = third.dims = {300, 4, 5};
    grid.two = true;
    grid.y = grid.x = {2, 0, 1, "wrap"};
    grid.taps = {1, 2, 3, 4};
    third.axis = 0;
    third.steps = 1;
    check_fft({grid, third}, 9 * 10 * 8.125);
  }
}

/// 2D masks of one column or one row, on tall and on wide grids, which run along one axis only.
TEST(Pipeline, FftOfMasksOfTwoAxesThatRunAlongOne) {
  Random random(10);
  for (const std::vector<Index>& dims : {std::vector<Index>{700, 40}, {40, 700}, {3, 300, 200}})
    for (const bool is_column : {true, false}) {
      Case c;
      c.method = "fft";
      c.dims = dims;
      c.two = true;
      const Index width = std::min<Index>(130, dims[dims.size() - (is_column ? 2 : 1)] - 3);
      (is_column ? c.y : c.x) = {width, 5, 1, "mirror"};
      c.taps = small_taps(random, width);
      check_fft({c}, 4 * 9 * double(width));
      (is_column ? c.y : c.x).stride = 3;
      c.extent = "valid";
      (is_column ? c.y : c.x).origin = 0;
      check_fft({c}, 4 * 9 * double(width));
    }
}

/// Masks whose transforms have tiles along both axes, on grids that are divided along one of the
/// two axes.
TEST(Pipeline, FftOfMasksOfTwoAxes) {
  if (testing::backend_under_test() == Backend::cuda) GTEST_SKIP() << "GPUs have none";
  Random random(11);
  int turn = 0;
  for (const std::vector<Index>& dims : {std::vector<Index>{230, 170}, {3, 90, 110}})
    for (const char* boundary : {"reflect", "wrap", "constant"})
      for (const char* extent : {"same", "valid", "full"})
        for (Index stride : testing::sampled(std::vector<Index>{1, 3}, turn++ % 2)) {
          Case c;
          c.method = "fft";
          c.operation = stride == 1 ? "convolve" : "correlate";
          c.dims = dims;
          c.two = true;
          const bool may_shift = std::string(extent) == "same";
          c.y = {13, may_shift ? pick(random, -6, 6) : 0, stride, boundary};
          c.x = {18, may_shift ? pick(random, -8, 8) : 0, 1, boundary};
          c.boundary_value = 3;
          c.extent = extent;
          c.taps = small_taps(random, 13 * 18);
          check_fft({c}, 4 * 9 * 13 * 18);
        }
}

TEST(Pipeline, FftOfMasksOfTwoAxesInSteps) {
  if (testing::backend_under_test() == Backend::cuda) GTEST_SKIP() << "GPUs have none";
  Case c;
  c.method = "fft";
  c.dims = {2, 100, 130};
  c.two = true;
  c.y = c.x = {9, 1, 1, "mirror"};
  c.taps.assign(81, 0.125);
  c.steps = 2;
  check_fft({c}, 9 * 10.125 * 10.125);
}

TEST(Pipeline, MoreRanksThanPoints) {
  Case c;
  c.dims = {2};
  c.x = {9, 0, 1, "mirror"};
  c.taps = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  check_case<float>(c);
  c.x.stride = 2;
  check_case<float>(c);
}

}  // namespace
}  // namespace stencil
