// What good configurations come out as, field by field.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "drivers/config/keys.hpp"
#include "drivers/config/values.hpp"
#include "drivers/job/job_inputs.hpp"
#include "framework/grid/nearest.hpp"
#include "tests/drivers/config/config_words.hpp"

namespace stencil {
namespace {

using test::files;
using test::parse;
using test::parse_stage;
using Reals = std::vector<double>;
using Indices = std::vector<Index>;
using Words = std::vector<std::string>;
using Rules = std::vector<BoundaryRule>;

TEST(Config, EveryFieldOfARichFile) {
  const Config config = parse(test::rich);
  EXPECT_EQ(config.input.file, "in #1.h5");
  EXPECT_EQ(config.input.dataset, "/shot/das");
  EXPECT_EQ(config.input.axis, -2);
  EXPECT_EQ(config.input.sampling_rate, 4096);
  EXPECT_EQ(config.output.file, "out.h5");
  EXPECT_EQ(config.output.dataset, "/smooth");
  EXPECT_EQ(config.output.dtype, ElementType::int16);
  EXPECT_EQ(config.output.chunk, (Indices{256, 1024}));
  EXPECT_EQ(config.output.gzip_level, 4);
  EXPECT_TRUE(config.output.overwrite);
  EXPECT_EQ(config.missing.value, MissingValue(-999));
  EXPECT_EQ(config.missing.policy, MissingPolicy::renormalize);
  EXPECT_EQ(config.missing.min_valid, 0.75);
  EXPECT_EQ(config.run.backend, Backend::cpu);
  EXPECT_EQ(config.run.precision, PrecisionRequest::float64);
  EXPECT_EQ(config.run.decomposition, (Indices{2, 3}));
  EXPECT_EQ(config.run.memory, Index{3} << 29);
  EXPECT_EQ(config.run.transport, TransportRequest::host);
  EXPECT_EQ(config.run.kernel, std::nullopt);
  EXPECT_FALSE(config.check);
  EXPECT_EQ(config.report, "");
  EXPECT_EQ(config.progress, ProgressStyle::automatic);
}

TEST(Config, EveryFieldOfTheStagesOfARichFile) {
  const Config config = parse(test::rich);
  ASSERT_EQ(config.stages.size(), 2u);
  const StageConfig& smooth = config.stages[0];
  EXPECT_EQ(smooth.name, "stencil.smooth");
  EXPECT_EQ(smooth.operation, Operation::correlate);
  EXPECT_EQ(smooth.mask.family, find_family("gaussian"));
  EXPECT_EQ(smooth.rank, 2);
  EXPECT_FALSE(smooth.axis.has_value());
  EXPECT_EQ(smooth.parameters.sigma, (Reals{2, 3.5}));
  EXPECT_EQ(smooth.parameters.order, (Indices{0, 1}));
  EXPECT_EQ(smooth.parameters.truncate, 3);
  EXPECT_EQ(smooth.boundary, (Rules{BoundaryRule::constant, BoundaryRule::nearest}));
  EXPECT_EQ(smooth.boundary_value, -1.5);
  EXPECT_EQ(smooth.origin, (Indices{1, -1}));
  const StageConfig& edge = config.stages[1];
  EXPECT_EQ(edge.name, "stencil.edge-2");
  EXPECT_EQ(edge.operation, Operation::convolve);
  EXPECT_EQ(edge.mask.text, "0 1 0; 1 -4 1; 0 1 0");
  EXPECT_EQ(edge.rank, 0);
  EXPECT_EQ(edge.boundary, (Rules{BoundaryRule::wrap}));
  EXPECT_EQ(edge.steps, 1000);
  EXPECT_EQ(edge.method, MethodRequest::direct);
}

TEST(Config, DefaultsAreThoseOfTheStructure) {
  const Config config = parse(files + "[stencil]\nmask = 1 2 1\n");
  const Config plain;
  EXPECT_FALSE(config.input.axis.has_value());
  EXPECT_EQ(config.input.sampling_rate, 0);
  EXPECT_EQ(config.output.dataset, "/x") << "the input's";
  EXPECT_EQ(config.output.dtype, plain.output.dtype);
  EXPECT_EQ(config.output.chunk, plain.output.chunk);
  EXPECT_EQ(config.output.gzip_level, plain.output.gzip_level);
  EXPECT_EQ(config.output.overwrite, plain.output.overwrite);
  EXPECT_EQ(config.missing.value, plain.missing.value);
  EXPECT_EQ(config.missing.policy, plain.missing.policy);
  EXPECT_EQ(config.missing.min_valid, plain.missing.min_valid);
  EXPECT_EQ(config.missing.fill_value, plain.missing.fill_value);
  EXPECT_EQ(config.run.backend, plain.run.backend);
  EXPECT_EQ(config.run.precision, plain.run.precision);
  EXPECT_EQ(config.run.decomposition, plain.run.decomposition);
  EXPECT_EQ(config.run.memory, plain.run.memory);
  EXPECT_EQ(config.run.transport, plain.run.transport);
  EXPECT_EQ(config.run.kernel, plain.run.kernel);
}

TEST(Config, StageDefaultsAreThoseOfTheStructure) {
  const StageConfig plain;
  const StageConfig taps = parse_stage("mask = 1 2 1\n");
  EXPECT_EQ(taps.name, "stencil");
  EXPECT_EQ(taps.operation, plain.operation);
  EXPECT_EQ(taps.boundary, plain.boundary);
  EXPECT_EQ(taps.boundary_value, plain.boundary_value);
  EXPECT_EQ(taps.extent, plain.extent);
  EXPECT_EQ(taps.origin, plain.origin);
  EXPECT_EQ(taps.stride, plain.stride);
  EXPECT_EQ(taps.steps, plain.steps);
  EXPECT_EQ(taps.method, plain.method);
  const StageConfig gaussian = parse_stage("mask = gaussian\nsigma = 1\n");
  EXPECT_EQ(gaussian.rank, plain.rank);
  EXPECT_EQ(gaussian.parameters.order, plain.parameters.order);
  EXPECT_EQ(gaussian.parameters.truncate, plain.parameters.truncate);
  const StageConfig lowpass = parse_stage("mask = lowpass\ntaps = 5\ncutoff = 1\n");
  EXPECT_EQ(lowpass.parameters.window, plain.parameters.window);
  EXPECT_EQ(lowpass.rank, 1);
  const StageConfig savgol = parse_stage("mask = savgol\nsize = 5\npolyorder = 2\n");
  EXPECT_EQ(savgol.parameters.deriv, plain.parameters.deriv);
  EXPECT_EQ(savgol.parameters.delta, plain.parameters.delta);
}

TEST(Config, Families) {
  const StageConfig band =
      parse_stage("mask = bandpass\ntaps = 1e2\ncutoff = 20, 300.5\nwindow = kaiser:8.6\n");
  EXPECT_EQ(band.parameters.taps, 100);
  EXPECT_EQ(band.parameters.cutoff, (Reals{20, 300.5}));
  EXPECT_EQ(band.parameters.window, "kaiser:8.6");
  const StageConfig savgol =
      parse_stage("mask = savgol\nsize = 11\npolyorder = 3\nderiv = 2\ndelta = 0.25\naxis = 0\n");
  EXPECT_EQ(savgol.parameters.size, (Indices{11}));
  EXPECT_EQ(savgol.parameters.polyorder, 3);
  EXPECT_EQ(savgol.parameters.deriv, 2);
  EXPECT_EQ(savgol.parameters.delta, 0.25);
  EXPECT_EQ(savgol.axis, 0);
  const StageConfig sobel = parse_stage("mask = sobel\nrank = 2\naxis = -2\n");
  EXPECT_EQ(sobel.rank, 2);
  EXPECT_EQ(sobel.axis, -2) << "the axis of the derivative";
  EXPECT_EQ(parse_stage("mask = box\nsize = 3 5\n").parameters.size, (Indices{3, 5}));
  EXPECT_EQ(parse_stage("mask = psf.h5:/a/b\n").mask.location.dataset, "/a/b");
}

TEST(Config, MasksOfTapsAreWrittenInOneWay) {
  EXPECT_EQ(parse_stage("mask = 1,2 ,\t+1\n").mask.text, "1 2 1");
  EXPECT_EQ(parse_stage("mask = 1e0 -.5;2.50 0\n").mask.text, "1 -0.5; 2.5 0");
  EXPECT_EQ(parse_stage("mask = \"1 2; 3 4\" # quoted\n").mask.text, "1 2; 3 4");
  EXPECT_EQ(parse_stage("mask = 0.1 # a third: 0.3\n").mask.text, "0.1");
  EXPECT_EQ(parse_stage("mask = 1 2; 3 4 ;\n").mask.text, "1 2; 3 4");
  EXPECT_EQ(parse_stage("mask = 1 2 ;\n").mask.text, "1 2;") << "one row of a 2D mask";
  EXPECT_EQ(parse_stage("mask = 1 2;\nboundary = wrap mirror\n").boundary.size(), 2u);
}

TEST(Config, BoundaryWordsBecomeSciPys) {
  EXPECT_EQ(parse_stage("mask = 1\nboundary = clamp\n").boundary, (Rules{BoundaryRule::nearest}));
  EXPECT_EQ(parse_stage("mask = 1\nboundary = zero\n").boundary, (Rules{BoundaryRule::constant}));
  EXPECT_EQ(parse_stage("mask = 1\nboundary = zero\n").boundary_value, 0);
  EXPECT_EQ(parse_stage("mask = 1; 2\nboundary = mirror, periodic\n").boundary,
            (Rules{BoundaryRule::mirror, BoundaryRule::wrap}));
}

TEST(Config, TextInManyDresses) {
  const std::string canonical = parse(files + "[stencil]\nmask = 1 2 1\nsteps = 3\n").canonical;
  std::string windows = "\xef\xbb\xbf" + files + "[stencil]\nmask = 1 2 1\nsteps = 3";
  for (std::size_t at = 0; (at = windows.find('\n', at)) != windows.npos; at += 2)
    windows.insert(at, "\r");
  EXPECT_EQ(parse(windows).canonical, canonical);
  EXPECT_EQ(parse(files + "  [ stencil ]  # stage\n\tmask=1 2 1\t\n  steps\t=\t'3'  \n").canonical,
            canonical);
  EXPECT_EQ(
      parse("; first\n#second\n" + files + "[stencil]\nmask = 1 2 1\nsteps = 3 #\n").canonical,
      canonical);
  EXPECT_EQ(parse("[stencil]\nsteps = +3\nmask = 1 2 1\n" + files).canonical, canonical)
      << "the order of sections and keys means nothing";
}

TEST(Config, FileNamesKeepTheirOddCharacters) {
  const std::string rest = "\n[output]\nfile = o.h5\n[stencil]\nmask = 1\n";
  const auto name = [&](const std::string& value) {
    return parse("[input]\ndataset = x\nfile = " + value + rest).input.file;
  };
  EXPECT_EQ(name("a;b.h5"), "a;b.h5");
  EXPECT_EQ(name("a#b.h5"), "a#b.h5");
  EXPECT_EQ(name("a #b.h5"), "a");
  EXPECT_EQ(name("'a #b.h5'"), "a #b.h5");
  EXPECT_EQ(name("a=b c.h5"), "a=b c.h5");
  EXPECT_EQ(name("it's.h5"), "it's.h5");
  EXPECT_EQ(name("m\xc3\xbc.h5"), "m\xc3\xbc.h5");
}

TEST(Config, TheCommandLineWins) {
  const Config config =
      parse(test::rich, {"--stencil.smooth.sigma=7", "--input.axis", "-1", "--output.file=other.h5",
                         "--stencil.edge-2.mask", "1 2 1", "--run.memory=auto", "--report",
                         "r.json", "--progress=none"});
  EXPECT_EQ(config.stages[0].parameters.sigma, (Reals{7}));
  EXPECT_EQ(config.stages[0].parameters.truncate, 3) << "other keys stay";
  EXPECT_EQ(config.stages[1].mask.text, "1 2 1");
  EXPECT_EQ(config.input.axis, -1);
  EXPECT_EQ(config.output.file, "other.h5");
  EXPECT_EQ(config.run.memory, 0);
  EXPECT_EQ(config.report, "r.json");
  EXPECT_EQ(config.progress, ProgressStyle::none);
  EXPECT_TRUE(parse(test::rich, {"--check"}).check);
}

TEST(Config, ABadValueInTheFileDoesNotCountWhereItIsOverridden) {
  const std::string text = files + "[stencil]\nmask = 1 2 1\nsteps = -3\n";
  EXPECT_EQ(parse(text, {"--stencil.steps=4"}).stages[0].steps, 4);
}

TEST(Config, TheCommandLineCanMakeTheOnlyStage) {
  const Config config = parse(files, {"--stencil.mask=gaussian", "--stencil.sigma=2"});
  ASSERT_EQ(config.stages.size(), 1u);
  EXPECT_EQ(config.stages[0].name, "stencil");
  EXPECT_EQ(config.stages[0].parameters.sigma, (Reals{2}));
}

TEST(Config, StagesKeepTheOrderOfTheFile) {
  const Config config = parse(files + "[stencil.z]\nmask = 1\n[stencil.a]\nmask = 2\n");
  ASSERT_EQ(config.stages.size(), 2u);
  EXPECT_EQ(config.stages[0].name, "stencil.z");
  EXPECT_EQ(config.stages[1].name, "stencil.a");
}

TEST(Config, CanonicalTextWordForWord) {
  EXPECT_EQ(parse(test::rich).canonical,
            "input.file=in #1.h5\n"
            "input.dataset=/shot/das\n"
            "input.axis=-2\n"
            "input.sampling_rate=4096\n"
            "output.dataset=/smooth\n"
            "output.dtype=int16\n"
            "output.chunk=256x1024\n"
            "output.compression=gzip:4\n"
            "missing.value=-999\n"
            "missing.policy=renormalize\n"
            "missing.min_valid=0.75\n"
            "stencil.smooth.operation=correlate\n"
            "stencil.smooth.mask=gaussian\n"
            "stencil.smooth.rank=2\n"
            "stencil.smooth.sigma=2 3.5\n"
            "stencil.smooth.order=0 1\n"
            "stencil.smooth.truncate=3\n"
            "stencil.smooth.boundary=constant nearest\n"
            "stencil.smooth.boundary_value=-1.5\n"
            "stencil.smooth.extent=same\n"
            "stencil.smooth.origin=1 -1\n"
            "stencil.smooth.stride=1\n"
            "stencil.smooth.steps=1\n"
            "stencil.smooth.method=auto\n"
            "stencil.edge-2.operation=convolve\n"
            "stencil.edge-2.mask=0 1 0; 1 -4 1; 0 1 0\n"
            "stencil.edge-2.boundary=wrap\n"
            "stencil.edge-2.extent=same\n"
            "stencil.edge-2.origin=0\n"
            "stencil.edge-2.stride=1\n"
            "stencil.edge-2.steps=1000\n"
            "stencil.edge-2.method=direct\n"
            "run.backend=cpu\n"
            "run.precision=float64\n"
            "run.kernel=auto\n");
}

TEST(Config, CanonicalTextIsACommandLineThatMeansTheSame) {
  const Words stages = {
      "mask = 1e-3 0.1 -7\nboundary = constant\nboundary_value = 0.1\n",
      "mask = gaussian\nsigma = 0.1\naxis = -1\nrank = 1\norder = 2\ntruncate = 5.5\n",
      "mask = box\nsize = 3 4\norigin = 1 -1\nstride = 2 3\n",
      "mask = bandpass\ntaps = 51\ncutoff = 0.1 0.3\nwindow = gaussian:7\n",
      "mask = savgol\nsize = 7\npolyorder = 3\nderiv = 1\ndelta = 0.01\n",
      "mask = prewitt\nrank = 2\naxis = -2\nextent = full\nmethod = separable\n",
      "mask = 0.1 2;\norigin = 0 1\n",
      "mask = m.h5:/psf\noperation = convolve\nboundary = mirror wrap\n",
      "mask = 1 2 1\n[missing]\nvalue = attribute\npolicy = fill\nfill_value = 1e-7\n"};
  for (const std::string& stage : stages) {
    const std::string canonical = parse(files + "[stencil]\n" + stage).canonical;
    Words arguments{"--output.file=out.h5"};
    std::istringstream lines(canonical);
    for (std::string line; std::getline(lines, line);) arguments.push_back("--" + line);
    EXPECT_EQ(parse("", arguments).canonical, canonical);
  }
}

TEST(Config, CanonicalTextForgetsHowTheWorkIsSplit) {
  const std::string canonical = parse(test::rich).canonical;
  EXPECT_EQ(parse(test::rich, {"--run.decomposition=7", "--run.memory=1GB", "--run.transport=auto",
                               "--output.file=b.h5", "--output.overwrite=no"})
                .canonical,
            canonical);
  EXPECT_NE(parse(test::rich, {"--stencil.smooth.sigma=2.0000000000000004 3.5"}).canonical,
            canonical);
}

TEST(Config, Sizes) {
  const auto memory = [](const std::string& value) {
    return parse(files + "[stencil]\nmask = 1\n[run]\nmemory = " + value + "\n").run.memory;
  };
  EXPECT_EQ(memory("auto"), 0);
  EXPECT_EQ(memory("4096"), 4096);
  EXPECT_EQ(memory("1e6"), 1000000);
  EXPECT_EQ(memory("512MB"), 512000000);
  EXPECT_EQ(memory("4GiB"), Index{4} << 30);
  EXPECT_EQ(memory("4 GiB"), Index{4} << 30);
  EXPECT_EQ(memory("4G"), Index{4} << 30);
  EXPECT_EQ(memory("2TiB"), Index{2} << 40);
  EXPECT_EQ(memory("0.5KiB"), 512);
  EXPECT_EQ(memory("3kB"), 3000);
  EXPECT_EQ(memory("7B"), 7);
}

TEST(Config, Flags) {
  for (const std::string word : {"true", "yes", "on", "1"}) EXPECT_TRUE(to_flag(word)) << word;
  for (const std::string word : {"false", "no", "off", "0"}) EXPECT_FALSE(to_flag(word)) << word;
  EXPECT_THROW(to_flag("True "), BadValue);
}

TEST(Config, IntegersAtTheirLimits) {
  const Range any;
  EXPECT_EQ(to_integer("9223372036854775807", any), INT64_MAX);
  EXPECT_EQ(to_integer("-9223372036854775808", any), INT64_MIN);
  EXPECT_THROW(to_integer("9223372036854775808", any), BadValue);
  EXPECT_EQ(to_integer("9007199254740992e0", any), Index{1} << 53);
  EXPECT_THROW(to_integer("1e16", any), BadValue) << "not every neighbour is a double";
  EXPECT_EQ(to_integer("-2e3", any), -2000);
  EXPECT_EQ(to_integer("+5", any), 5);
  for (const std::string bad : {"", "+", "-", "++5", "+-5", "5 5", "5x", "1e", "inf", "nan", "0x5"})
    EXPECT_THROW(to_integer(bad, any), BadValue) << bad;
  EXPECT_EQ(to_integer("1", Range{1, 3}), 1);
  EXPECT_EQ(to_integer("3", Range{1, 3}), 3);
  EXPECT_THROW(to_integer("0", Range{1, 3}), BadValue);
  EXPECT_THROW(to_integer("4", Range{1, 3}), BadValue);
}

TEST(Nearest, EditDistances) {
  EXPECT_EQ(edit_distance("sigma", "sigma"), 0u);
  EXPECT_EQ(edit_distance("sgima", "sigma"), 1u) << "neighbours swapped";
  EXPECT_EQ(edit_distance("sigm", "sigma"), 1u);
  EXPECT_EQ(edit_distance("ssigma", "sigma"), 1u);
  EXPECT_EQ(edit_distance("sigmo", "sigma"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("a cat", "an abct"), 4u) << "a swap is of neighbours that stay so";
  EXPECT_EQ(nearest("Sigma", {"size", "sigma"}), "sigma");
  EXPECT_EQ(nearest("colour", {"size", "sigma"}), "");
  EXPECT_EQ(nearest("gauss", {"box", "gaussian"}), "gaussian");
  EXPECT_EQ(nearest("sobel_x", {"box", "sobel"}), "sobel");
  EXPECT_EQ(nearest("low", {"lowpass", "lowpasses"}), "lowpass");
  EXPECT_EQ(nearest("ga", {"box", "gaussian"}), "") << "two letters begin too many words";
}

/// A file of the test's own that is removed at its end.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& text)
      : path_((std::filesystem::temp_directory_path() /
               ("config_test_" + std::to_string(::getpid()) + ".ini"))
                  .string()) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~ScratchFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Request read(const Words& arguments, ConfigWords& words) {
  std::vector<const char*> argv{"stencil_run"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  return read_words(static_cast<int>(argv.size()), argv.data(), words);
}

TEST(ReadWords, ReadsTheNamedFile) {
  const ScratchFile file(test::rich);
  ConfigWords words;
  ASSERT_EQ(read({"--input.axis", "-1", file.path(), "--check"}, words), Request::run);
  EXPECT_EQ(words.line.file, file.path());
  EXPECT_EQ(words.text, test::rich);
  EXPECT_TRUE(words.line.check);
  EXPECT_EQ(parse_config(words).input.axis, -1);
}

TEST(JobInputs, TravelWithAnyBytesAndDamageIsFound) {
  JobInputs inputs;
  inputs.words.line = read_command_line({"3:\"a.ini", "--input.axis=-1", "--input.file=\xc3\xbc ;",
                                         "--report=r.json", "--progress=none"});
  inputs.words.text = test::rich + "; 7:\n";
  inputs.facts.file = "m\xff";
  inputs.facts.dims = {3, 4};
  inputs.masks["q:/z.h5:/s"] = {{1, 3}, {1, NAN, -INFINITY}};
  inputs.masks["m.h5:/psf"] = {{2}, {0.1, 1e300}};
  const std::string bytes = serialize(inputs);
  const JobInputs copy = job_inputs_from(bytes);
  EXPECT_EQ(copy.words.line.file, inputs.words.line.file);
  EXPECT_EQ(copy.words.text, inputs.words.text);
  EXPECT_EQ(copy.config.input.axis, -1);
  EXPECT_EQ(copy.config.input.file, "\xc3\xbc ;");
  EXPECT_EQ(copy.config.report, "r.json");
  EXPECT_EQ(copy.config.progress, ProgressStyle::none);
  EXPECT_FALSE(copy.config.check);
  EXPECT_EQ(copy.config.canonical, parse_config(inputs.words).canonical);
  EXPECT_EQ(copy.facts.file, inputs.facts.file);
  EXPECT_EQ(copy.facts.dims, inputs.facts.dims);
  ASSERT_EQ(copy.masks.size(), 2u);
  const SmallArray& odd = copy.masks.at("q:/z.h5:/s");
  EXPECT_EQ(odd.dims, (Indices{1, 3}));
  ASSERT_EQ(odd.values.size(), 3u);
  EXPECT_TRUE(std::isnan(odd.values[1]));
  EXPECT_EQ(odd.values[2], -INFINITY);
  EXPECT_EQ(copy.masks.at("m.h5:/psf").values, (Reals{0.1, 1e300}));
  inputs.words.line.check = true;
  EXPECT_TRUE(job_inputs_from(serialize(inputs)).config.check);
  EXPECT_ANY_THROW(job_inputs_from(bytes.substr(0, bytes.size() - 1)));
  EXPECT_ANY_THROW(job_inputs_from(""));
}

TEST(ReadWords, HelpAndVersionNeedNoFile) {
  ConfigWords words;
  EXPECT_EQ(read({"--help"}, words), Request::help);
  EXPECT_EQ(read({"--version"}, words), Request::version);
  EXPECT_EQ(read({"no_such_file.ini", "--help"}, words), Request::help);
}

TEST(ReadWords, ErrorsHaveTheirStatus) {
  ConfigWords words;
  EXPECT_THROW(read({}, words), WordsError);
  EXPECT_THROW(read({"--check"}, words), WordsError);
  EXPECT_THROW(read({"a.ini", "--chek"}, words), WordsError);
  EXPECT_THROW(read({"/no/such/file.ini"}, words), StorageError);
  EXPECT_THROW(read({"/"}, words), StorageError) << "a folder";
  try {
    read({"/no/such\nfile.ini"}, words);
    FAIL() << "was read";
  } catch (const StorageError& error) {
    EXPECT_TRUE(test::printable_line(error.what())) << error.what();
    EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos) << error.what();
  }
}

TEST(ReadWords, AnEndlessFileIsRefusedAndNotReadToItsEnd) {
  ConfigWords words;
  ASSERT_EQ(read({"/dev/zero"}, words), Request::run);
  EXPECT_LT(words.text.size(), std::size_t{17} << 20);
  EXPECT_THROW(parse_config(words), WordsError);
}

TEST(Help, NamesEveryKeyWithItsDefaultOnAPageOf100Columns) {
  const std::string help = help_text();
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    const auto letters =
        std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; });
    EXPECT_LE(letters, 100) << line;
    EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
  }
  for (const Key& key : all_keys()) {
    const std::string begin = "\n  " + std::string(key.name) + " ";
    const std::size_t section = help.find("\n[" + std::string(key.section) + "]");
    ASSERT_NE(section, help.npos) << key.section;
    EXPECT_NE(help.find(begin, section), help.npos) << key.section << "." << key.name;
  }
  for (const Family& family : all_families())
    EXPECT_NE(help.find("\n  " + std::string(family.name) + " "), help.npos) << family.name;
  for (const char* status : {"\n  0 ", "\n  2 ", "\n  3 ", "\n  4 ", "\n  1 "})
    EXPECT_NE(help.find(status), help.npos) << status;
}

TEST(Help, SaysWhatComesOut) {
  const std::string help = help_text();
  EXPECT_NE(help.find("mpirun"), help.npos);
  EXPECT_NE(help.find("--progress bar"), help.npos) << "under mpirun auto never draws a bar";
  EXPECT_NE(help.find("int64 and uint64"), help.npos) << "they are computed in float64 too";
}

TEST(Help, ItsExampleIsAConfiguration) {
  const std::string help = help_text();
  const std::size_t example = help.find("\nExample");
  ASSERT_NE(example, help.npos);
  const Config config = parse(help.substr(help.find("[input]", example)));
  EXPECT_EQ(config.stages.size(), 2u);
  EXPECT_EQ(config.output.gzip_level, 4);
}

TEST(KeyTable, DefaultsAreValuesThatTheirKeyTakes) {
  for (const Key& key : all_keys()) {
    const bool names_another_key = key.standard.find("input.") == 0;
    if (key.standard.empty() || names_another_key) continue;
    const std::string section = key.section == "stencil" ? "stencil" : std::string(key.section);
    std::string lines = "mask = 1 2 1\n";
    if (const Words families = families_of(key); !families.empty())
      lines = test::lines_of(*find_family(families[0]));
    std::vector<std::string> arguments{"--" + section + "." + std::string(key.name) + "=" +
                                       std::string(key.standard)};
    if (key.name == "boundary_value") arguments.push_back("--stencil.boundary=constant");
    if (key.name == "min_valid" || key.name == "fill_value") {
      arguments.push_back("--missing.value=nan");
      arguments.push_back(key.name == "min_valid" ? "--missing.policy=renormalize"
                                                  : "--missing.policy=fill");
    }
    EXPECT_NO_THROW(parse(files + "[stencil]\n" + lines, arguments)) << arguments[0];
  }
}

TEST(KeyTable, EveryParameterOfAFamilyIsAKeyOfOne) {
  for (const Family& family : all_families())
    for (const std::string& key : split_words(family.keys))
      EXPECT_NE(find_parameter(key), nullptr) << family.name << ": " << key;
  for (const Parameter& parameter : all_parameters()) {
    const Key* key = find_key("stencil", parameter.key);
    ASSERT_NE(key, nullptr) << parameter.key;
    EXPECT_FALSE(families_of(*key).empty()) << parameter.key;
  }
}

/// Every word means a value, and every value is written with a word that means it.
template <class T>
void expect_words_and_values_to_agree() {
  for (const Choice<T>& choice : choices_of<T>) {
    EXPECT_EQ(meaning_of<T>(choice.word), choice.value) << choice.word;
    const std::string_view written = word_of(choice.value);
    EXPECT_EQ(meaning_of<T>(written), choice.value) << choice.word;
    EXPECT_EQ(written != choice.word, choice.is_synonym) << choice.word << " and " << written;
  }
  EXPECT_THROW(meaning_of<T>("Auto"), BadValue);
}

TEST(Choices, WordsAndValuesAgree) {
  expect_words_and_values_to_agree<Operation>();
  expect_words_and_values_to_agree<BoundaryRule>();
  expect_words_and_values_to_agree<Extent>();
  expect_words_and_values_to_agree<MethodRequest>();
  expect_words_and_values_to_agree<MissingPolicy>();
  expect_words_and_values_to_agree<std::optional<ElementType>>();
  expect_words_and_values_to_agree<PrecisionRequest>();
  expect_words_and_values_to_agree<Backend>();
  expect_words_and_values_to_agree<TransportRequest>();
  expect_words_and_values_to_agree<std::optional<cuda::Strategy>>();
  expect_words_and_values_to_agree<ProgressStyle>();
  for (const auto& choice : choices_of<std::optional<ElementType>>)
    EXPECT_EQ(choice.value ? to_string(*choice.value) : "auto", choice.word);
}

TEST(ConfigMissing, KeepsIntegersOf64Bits) {
  for (const std::string number :
       {"9223372036854775807", "-9223372036854775808", "18446744073709551615", "9007199254740993"})
    EXPECT_EQ(
        parse(files + "[stencil]\nmask = 1\n[missing]\nvalue = " + number + "\n").missing.value,
        MissingValue(parse_element_value(number)));
}

}  // namespace
}  // namespace stencil
