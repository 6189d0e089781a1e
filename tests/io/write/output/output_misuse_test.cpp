// Wrong calls for an output, on one to three ranks: each is refused on every rank with one line,
// and only files that existed before remain.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "framework/grid/decomposition.hpp"
#include "framework/grid/error.hpp"
#include "io/probe.hpp"
#include "io/write/output/output_file.hpp"
#include "tests/io/shared_scratch.hpp"

namespace stencil {
namespace {

using namespace testing;

const NormalForm form({8, 6}, {0, 1});

double value(Index i) {
  return double(3 * i + 1);
}

class OutputMisuse : public ::testing::Test {
 protected:
  const Communicator all{MPI_COMM_WORLD};
  const std::unique_ptr<Scratch> scratch = shared_scratch(all);
  const Box mine = Decomposition(form.shape(), {1, all.size(), 1}).owned(all.rank());

  void TearDown() override { all.barrier(); }

  OutputSpec spec(bool is_packed) const {
    OutputSpec result;
    result.file = *scratch / "out.h5";
    result.dataset = "/data";
    result.form = form;
    result.type = ElementType::float64;
    result.overwrite = true;
    if (is_packed) {
      result.chunk = {4, 4};
      result.gzip_level = 1;
    }
    return result;
  }
  static void write(OutputFile& output, const Box& box) {
    const OwnedBox<double> part(form, box, value);
    output.write<double>(part.box, part.view);
  }
  void refused(const std::function<void()>& call, const std::vector<std::string>& words) const {
    std::string message;
    try {
      call();
    } catch (const Error& error) {
      message = error.what();
      EXPECT_EQ(error.status(), Status::words) << message;
    }
    EXPECT_EQ(all.sum(Index{message.empty()}), 0) << "not refused on rank " << all.rank();
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    for (const std::string& word : words)
      EXPECT_NE(message.find(word), std::string::npos) << word << " is not in: " << message;
  }
  void expect_whole() const {
    all.barrier();
    const std::vector<double> found = values_of(*scratch / "out.h5", "/data");
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], value(Index(i))) << i;
    all.barrier();
  }
};

TEST_F(OutputMisuse, PointsThatWereNeverWritten) {
  for (const bool is_packed : {false, true}) {
    OutputFile output(all, spec(is_packed));
    refused([&] { output.commit(); }, {"out.h5", "never written"});
    Box upper = mine, lower = mine;
    upper.last[x_axis] = lower.first[x_axis] = 3;
    write(output, upper);
    refused([&] { output.commit(); }, {"out.h5", "never written"});
    write(output, lower);
    output.commit();
    expect_whole();
  }
}

TEST_F(OutputMisuse, CommitTwice) {
  OutputFile output(all, spec(false));
  write(output, mine);
  output.commit();
  refused([&] { output.commit(); }, {"out.h5", "committed already"});
  refused([&] { write(output, mine); }, {"out.h5", "committed already"});
  refused([&] { output.stream(); }, {"committed already"});
  expect_whole();
}

/// Whole blocks or parts of blocks are written twice. In one case the number of written points is
/// that of the output, because other points are not written.
TEST_F(OutputMisuse, PointsThatAreWrittenTwice) {
  for (const bool is_packed : {false, true}) {
    const auto twice = [&](const Box& first, const Box& second, const Box& third) {
      refused(
          [&] {
            OutputFile output(all, spec(is_packed));
            for (const Box& box : {first, second, third}) write(output, box);
            output.commit();
          },
          {"out.h5", "written twice"});
    };
    twice(mine, mine, {});
    const Box whole = make_box(form.shape());
    if (all.size() > 1) twice(whole, {}, {});
    Box left = mine, right = mine;
    left.last[x_axis] = right.first[x_axis] = 3;
    twice(left, left, right);
    if (all.size() == 1) twice(left, left, {});
    const Box corner{{0, 0, 0}, {1, 1, 1}};
    twice(mine, all.rank() == 0 ? corner : Box{}, {});
  }
}

TEST_F(OutputMisuse, BoxesAndViewsThatDoNotFit) {
  OutputFile output(all, spec(false));
  const OwnedBox<double> part(form, mine, value);
  refused([&] { output.write<double>(shifted(mine, {0, 100, 0}), part.view); }, {"does not fit"});
  FieldView<const double> narrow = part.view;
  --narrow.extent[x_axis];
  refused([&] { output.write<double>(mine, narrow); }, {"does not fit"});
}

/// An open input is not overwritten, although the specification of the output does not name the
/// input, and although only one rank has the input open. This holds even if the input was opened
/// through a link.
TEST_F(OutputMisuse, TheInputThatIsOpen) {
  {
    OutputFile output(all, spec(false));
    write(output, mine);
    output.commit();
  }
  const std::string file = *scratch / "out.h5", link = *scratch / "link.h5";
  if (all.rank() == 0) std::filesystem::create_symlink(file, link);
  all.barrier();
  const auto bytes = [&] {
    std::ifstream stream(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  const std::string before = bytes();
  for (const std::string& name : {file, link}) {
    const int reader = all.size() - 1;
    std::unique_ptr<InputDataset> input;
    if (all.rank() == reader) input = std::make_unique<InputDataset>(probe_dataset(name, "/data"));
    refused([&] { OutputFile output(all, spec(false)); },
            {"out.h5", "which an InputDataset reads"});
    EXPECT_EQ(bytes(), before);
    all.barrier();
  }
  OutputFile output(all, spec(true));  // no rank reads at this point
  write(output, mine);
  output.commit();
  expect_whole();
}

}  // namespace
}  // namespace stencil
