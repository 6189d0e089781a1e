// Every kind of configuration that must be refused, and parts of the message.
#include "tests/drivers/config/config_words.hpp"

namespace stencil {
namespace {

using test::files;

struct Bad {
  std::string text;
  std::vector<std::string> arguments;
  std::vector<std::string> fragments;  ///< each must be part of the message
};

void expect_refused(const Bad& bad) {
  SCOPED_TRACE(bad.text.substr(0, 300) + ::testing::PrintToString(bad.arguments));
  try {
    test::parse(bad.text, bad.arguments);
  } catch (const WordsError& error) {
    const std::string message = error.what();
    EXPECT_EQ(error.status(), Status::words);
    EXPECT_TRUE(test::printable_line(message)) << message;
    EXPECT_LT(message.size(), 500u) << message;
    for (const std::string& fragment : bad.fragments)
      EXPECT_NE(message.find(fragment), message.npos) << fragment << "\nis not in\n" << message;
    return;
  } catch (const std::exception& error) {
    FAIL() << "another exception: " << error.what();
  }
  FAIL() << "was accepted";
}

/// A configuration with the given lines in the only stage [stencil]; the first of these lines is
/// line 8.
Bad stage(const std::string& lines, std::vector<std::string> fragments) {
  return {files + "[stencil]\n" + lines, {}, std::move(fragments)};
}

/// Returns a case with a correct configuration and an additional section.
Bad beside(const std::string& section, std::vector<std::string> fragments) {
  return {files + "[stencil]\nmask = 1 2 1\n" + section, {}, std::move(fragments)};
}

/// Returns a case with a correct configuration and a wrong command line.
Bad command(std::vector<std::string> arguments, std::vector<std::string> fragments) {
  return {files + "[stencil]\nmask = gaussian\nsigma = 2\n", std::move(arguments),
          std::move(fragments)};
}

TEST(ConfigRefusals, Text) {
  const std::string good = files + "[stencil]\nmask = 1 2 1\n";
  const std::vector<Bad> all = {
      {good + "steps 3\n", {}, {"config.ini:9: steps 3: neither [section] nor key = value"}},
      {"file = in.h5\n" + good, {}, {"config.ini:1: file = in.h5: before any section"}},
      {good + "[run\nbackend = auto\n", {}, {"config.ini:9: [run: the section is not closed"}},
      {good + "[run] backend = auto\n", {}, {"config.ini:9:", "text after the section"}},
      {good + "[]\n", {}, {"config.ini:9: []", "without a name"}},
      {good + "= 3\n", {}, {"config.ini:9: = 3: no key before the ="}},
      {good + "steps =\n", {}, {"config.ini:9: [stencil] steps =: empty value"}},
      {good + "steps = # three\n", {}, {"config.ini:9:", "empty value"}},
      {good + "steps = \"\"\n", {}, {"config.ini:9:", "empty value"}},
      {good + "steps = ' '\n", {}, {"config.ini:9:", "empty value"}},
      {good + "steps = \"3\n", {}, {"config.ini:9:", "quote is not closed"}},
      {good + "steps = \"3\" 4\n", {}, {"config.ini:9:", "after the closing quote"}},
      {good + "steps = 3 ; three\n", {}, {"config.ini:9:", "3 ; three is not a whole number"}},
      {good + "mask = 1 1\n",
       {},
       {"config.ini:9: [stencil] mask = 1 1: given twice, first in line 8"}},
      {good + "[input]\n", {}, {"config.ini:9: [input]: given twice, first in line 1"}},
      {good + "steps = 3\x01\n", {}, {"config.ini:9:", "\\x01", "control character"}},
      {good + "steps = 3\rmethod = direct\n", {}, {"config.ini:9:", "\\r", "control character"}},
      {good + "# caf\xe9\n", {}, {"config.ini:9: # caf\\xe9: not UTF-8"}},
      {good + std::string("\0", 1), {}, {"config.ini: holds NUL bytes"}},
      {"\x89HDF\r\n\x1a\n" + std::string(100, '\0'), {}, {"config.ini: an HDF5 file"}},
      {good + std::string(16 << 20, '#'), {}, {"config.ini: larger than 16 MiB"}},
      {"", {}, {"config.ini: no [stencil] section"}},
      {files, {}, {"config.ini: no [stencil] section"}},
  };
  for (const Bad& bad : all) expect_refused(bad);
}

TEST(ConfigRefusals, Names) {
  const std::vector<Bad> all = {
      stage("mask = gaussian\nsigm = 2\n",
            {"config.ini:9: [stencil] sigm = 2: no such key, did you mean sigma?"}),
      stage("mask = 1 2 1\nst = 9\n", {"config.ini:9:", "no such key"}),
      stage("Mask = 1 2 1\n", {"did you mean mask?"}),
      stage("mask = 1 2 1\ndataset = x\n", {"dataset belongs into [input]"}),
      beside("[rnu]\n", {"config.ini:9: [rnu]: no such section, did you mean [run]?"}),
      beside("[colours]\n", {"no such section, write one of [input], [output]"}),
      beside("[run]\ndtype = float32\n", {"config.ini:10:", "dtype belongs into [output]"}),
      beside("[stencil.more]\nmask = 1\n", {"config.ini:7: [stencil]", "[stencil.NAME]"}),
      {files + "[stencil.]\nmask = 1\n", {}, {"config.ini:7: [stencil.]", "letters"}},
      {files + "[stencil.a.b]\nmask = 1\n", {}, {"config.ini:7: [stencil.a.b]", "letters"}},
      {files + "[stencil.a b]\nmask = 1\n", {}, {"config.ini:7:", "letters"}},
      {files + "[stencl.a]\nmask = 1\n", {}, {"config.ini:7: [stencl.a]: no such section"}},
      {"[output]\nfile = o.h5\n[stencil]\nmask = 1\n", {}, {"config.ini: [input]: file: missing"}},
      {"[input]\nfile = i.h5\n[output]\nfile = o.h5\n[stencil]\nmask = 1\n",
       {},
       {"config.ini:1: [input]: dataset: missing"}},
      {"[input]\nfile = i.h5\ndataset = x\n[stencil]\nmask = 1\n",
       {},
       {"config.ini: [output]: file: missing"}},
  };
  for (const Bad& bad : all) expect_refused(bad);
}

TEST(ConfigRefusals, Masks) {
  const std::vector<Bad> all = {
      stage("steps = 1\n", {"config.ini:7: [stencil]: mask: missing"}),
      stage("mask = gausian\n", {"config.ini:8:", "did you mean gaussian?"}),
      stage("mask = gauss\n", {"did you mean gaussian?"}),
      stage("mask = notch\n", {"there are no notches", "bandstop", "mask = file.h5:/dataset"}),
      stage("mask = median\n", {"a stencil is a weighted sum"}),
      stage("mask = cubic\n", {"write one of gaussian, box", "taps"}),
      stage("mask = psf.h5\n", {"name the dataset too: psf.h5:/dataset"}),
      stage("mask = psf.h5:psf\n", {"write psf.h5:/psf"}),
      stage("mask = psf.h5:/\n", {"write the file and the dataset"}),
      stage("mask = 1 2 one\n", {"one is not a number"}),
      stage("mask = 1 nan 1\n", {"nan is not a finite number"}),
      stage("mask = 1 1e999\n", {"1e999 is not a finite number"}),
      stage("mask = 1 2; 3\n", {"rows of 2 and 1 taps"}),
      stage("mask = 1 2;; 3 4\n", {"a row of the mask is empty"}),
      stage("mask = 1 2;;\n", {"a row of the mask is empty"}),
      stage("mask = 1 2; 3 4;\naxis = 0\n", {"axis", "last two axes"}),
      stage("mask = 1,,2\n", {"an item is missing at a comma"}),
      stage("mask = 0x10 1\n", {"0x10 is not a number"}),
      stage("mask = gaussian\n", {"mask = gaussian needs sigma", "write sigma ="}),
      stage("mask = box\n", {"mask = box needs size"}),
      stage("mask = lowpass\ntaps = 5\n", {"needs cutoff"}),
      stage("mask = highpass\ncutoff = 5\n", {"needs taps"}),
      stage("mask = savgol\nsize = 5\n", {"needs polyorder"}),
      stage("mask = savgol\npolyorder = 2\n", {"needs size"}),
      stage("mask = box\nsize = 3\nsigma = 2\n",
            {"config.ini:10:", "key sigma means nothing for mask = box; box takes rank, size"}),
      stage("mask = 1 2 1\nsigma = 2\n",
            {"sigma means nothing for mask = 1 2 1, whose taps are written out", "gaussian"}),
      stage("mask = m.h5:/psf\nrank = 2\n",
            {"rank means nothing for mask = m.h5:/psf, which is read from a file: remove it"}),
      stage("mask = bank.h5:/row3\ntaps = 2049\n",
            {"taps = 2049: key taps means nothing for mask = bank.h5:/row3, which is read from a "
             "file: remove it, or write the mask that it belongs to (lowpass, highpass, bandpass, "
             "bandstop)"}),
      stage("mask = laplace\ntruncate = 2\n", {"laplace takes rank"}),
      stage("mask = gaussian\nsigma = 0\n", {"config.ini:9:", "0 is out of range, write > 0"}),
      stage("mask = gaussian\nsigma = -2\n", {"-2 is out of range"}),
      stage("mask = gaussian\nsigma = 1 2 3\n", {"3 numbers, write at most 2"}),
      stage("mask = gaussian\nsigma = 1 2\nrank = 1\n", {"2 numbers, write one"}),
      stage("mask = gaussian\nsigma = 1\norder = 1.5\n", {"1.5 is not whole"}),
      stage("mask = gaussian\nsigma = 1\norder = -1\n", {"-1 is out of range, write 0 .. 20"}),
      stage("mask = gaussian\nsigma = 1\nrank = 3\n", {"no such word", "auto, 1, 2"}),
      stage("mask = gaussian\nsigma = 1\nrank = 2\naxis = 0\n", {"axis", "last two axes"}),
      stage("mask = 1 2; 3 4\naxis = 0\n", {"axis", "last two axes"}),
      stage("mask = box\nsize = 0\n", {"0 is out of range, write 1 .. 16777216"}),
      stage("mask = box\nsize = 16777217\n", {"16777217 is out of range"}),
      stage("mask = lowpass\ntaps = 5\ncutoff = 1 2\n", {"lowpass takes one frequency"}),
      stage("mask = bandpass\ntaps = 5\ncutoff = 1\n", {"bandpass takes two frequencies"}),
      stage("mask = bandpass\ntaps = 5\ncutoff = 2 1\n", {"write the lower one first"}),
      stage("mask = bandpass\ntaps = 5\ncutoff = 2 2\n", {"write the lower one first"}),
      stage("mask = highpass\ntaps = 6\ncutoff = 1\n", {"odd number of taps, write 7"}),
      stage("mask = lowpass\ntaps = 5\ncutoff = 1\nrank = 2\n", {"along one axis"}),
      stage("mask = lowpass\ntaps = 5\ncutoff = 1\nwindow = haming\n", {"did you mean hamming?"}),
      stage("mask = lowpass\ntaps = 5\ncutoff = 1\nwindow = kaiser\n", {"kaiser:8.6"}),
      stage("mask = lowpass\ntaps = 5\ncutoff = 1\nwindow = kaiser:BETA\n",
            {"BETA is not a number"}),
      stage("mask = lowpass\ntaps = 5\ncutoff = 1\nwindow = kaiser:-1\n", {"-1 is out of range"}),
      stage("mask = lowpass\ntaps = 5\ncutoff = 1\nwindow = gaussian:0\n", {"0 is out of range"}),
      stage("mask = savgol\nsize = 4\npolyorder = 2\n", {"odd size, write 5"}),
      stage("mask = savgol\nsize = 5\npolyorder = 5\n", {"not below size = 5"}),
      stage("mask = savgol\nsize = 5\npolyorder = 2\nderiv = 3\n", {"above polyorder = 2"}),
      stage("mask = savgol\nsize = 5 7\npolyorder = 2\n", {"2 numbers, write one"}),
  };
  for (const Bad& bad : all) expect_refused(bad);
}

TEST(ConfigRefusals, Stages) {
  const std::string mask = "mask = 1 2 1\n";
  const std::vector<Bad> all = {
      stage(mask + "operation = corelate\n", {"did you mean correlate?"}),
      stage(mask + "boundary = reflekt\n", {"did you mean reflect?"}),
      stage(mask + "boundary = reflect wrap\n", {"2 words, write one"}),
      stage("mask = 1 2; 3 4\nboundary = wrap wrap wrap\n", {"3 words, write at most 2"}),
      stage(mask + "boundary_value = 2\n", {"means nothing without boundary = constant"}),
      stage(mask + "groups = 2\n", {"groups = 2", "[out, in, height, width]"}),
      stage("mask = m.h5:/m\ngroups = 0\n", {"groups = 0"}),
      stage(mask + "boundary = zero\nboundary_value = 2\n", {"means nothing without"}),
      stage("mask = 1 2; 3 4\nboundary = zero constant\nboundary_value = 2\n",
            {"zero and constant = 2 cannot go together"}),
      stage(mask + "boundary = constant\nboundary_value = inf\n", {"inf is not a finite number"}),
      stage(mask + "extent = sane\n", {"did you mean same?"}),
      stage(mask + "stride = 0\n", {"0 is out of range"}),
      stage(mask + "stride = -3\n", {"-3 is out of range"}),
      stage(mask + "steps = 0\n", {"0 is out of range"}),
      stage(mask + "steps = -3\n", {"-3 is out of range"}),
      stage(mask + "steps = 2.5\n", {"2.5 is not whole"}),
      stage(mask + "steps = 9223372036854775808\n", {"out of range"}),
      stage(mask + "steps = 1e30\n", {"out of range"}),
      stage(mask + "steps = three\n", {"three is not a whole number"}),
      stage(mask + "steps = 2\nextent = valid\n", {"steps", "extent = valid"}),
      stage(mask + "steps = 2\nstride = 2\n", {"steps", "stride = 2"}),
      stage("mask = 1 2; 3 4\nsteps = 2\nstride = 1 4\n", {"steps", "stride = 4"}),
      stage(mask + "method = fast\n", {"no such word"}),
      stage(mask + "delta = 2\n", {"delta means nothing", "savgol"}),
      stage("mask = gaussian\nsigma = 1\ndelta = coordinates\n", {"without a derivative"}),
      stage("mask = gaussian\nsigma = 1\norder = 1\ndelta = coordinate\n", {"coordinate is not a"}),
      stage("mask = gaussian\nsigma = 1\norder = 1\ndelta = 0\n", {"0 is out of range, write > 0"}),
      stage("mask = gaussian\nsigma = km\n", {"km is not a number"}),
      stage("mask = gaussian\nsigma = 100 kn\n", {"kn is no unit: write one such as km"}),
      stage("mask = gaussian\nsigma = -1 km\n", {"-1 is out of range"}),
      stage("mask = gaussian\nsigma = 1 2 3 km\n", {"3 numbers, write at most 2"}),
  };
  for (const Bad& bad : all) expect_refused(bad);
}

TEST(ConfigRefusals, OtherSections) {
  const std::string run = "[run]\n", missing = "[missing]\n";
  const std::vector<Bad> all = {
      beside(run + "backend = gpu\n", {"config.ini:10: [run] backend = gpu", "no such word"}),
      beside(run + "transport = ncl\n", {"no such word"}),
      beside(run + "kernel = auto\n", {"kernel"}),
      beside(run + "checkpoint_every = 10 min\n", {"means nothing without a checkpoint"}),
      beside(run + "time_limit = auto\n", {"means nothing without a checkpoint"}),
      beside(run + "checkpoint = c.h5\ncheckpoint_every = 10\n",
             {"10 has no unit, write for example 10 min or 1000 steps"}),
      beside(run + "checkpoint = c.h5\ncheckpoint_every = 0 steps\n", {"0 is out of range"}),
      beside(run + "checkpoint = c.h5\ncheckpoint_every = 0 min\n",
             {"0 min is out of range, write a time above 0"}),
      beside(run + "checkpoint = c.h5\ncheckpoint_every = 1.5 steps\n", {"1.5 is not whole"}),
      beside(run + "checkpoint = c.h5\ntime_limit = 10 mins\n", {"mins is not a unit"}),
      beside(run + "checkpoint = c.h5\ntime_limit = never\n", {"not a time"}),
      beside(run + "checkpoint = out.h5\n", {"is the input or the output file too"}),
      beside(run + "checkpoint = ./in.h5\n", {"is the input or the output file too"}),
      beside(run + "restart = true\n", {"no such word"}),
      stage("mask = 1 2 1\nuntil_change_below = 1\n", {"means nothing for a single step"}),
      stage("mask = 1 2 1\nsteps = 2\nuntil_change_below = 0\n", {"0 is out of range, write > 0"}),
      stage("mask = 1 2 1\nsteps = 2\nuntil_change_below = 1 mean\n", {"or 1e-8 rms"}),
      {files +
           "[stencil.a]\nmask = 1 2 1\nsteps = 2\nuntil_change_below = 1\n[stencil.b]\nmask = 1\n",
       {},
       {"config.ini:10: [stencil.a] until_change_below", "only the last stage may end early"}},
      beside(run + "nonfinite = stay\n", {"nonfinite = stay", "stop, note"}),
      beside(run + "look_every = 0\n", {"0 is out of range"}),
      beside(run + "snapshot_every = 10\n", {"snapshot_every belongs into [output]"}),
      command({"--output.snapshot_every=-1"}, {"-1 is out of range"}),
      command({"--output.scale=0.1 0"}, {"packs integers, and dtype = auto: write dtype = int16"}),
      command({"--output.scale=auto", "--output.dtype=float32"},
              {"packs integers, and dtype = float32"}),
      command({"--output.scale=0.1", "--output.dtype=int16"}, {"two numbers SCALE OFFSET"}),
      command({"--output.scale=0.1 0 3", "--output.dtype=int16"}, {"two numbers SCALE OFFSET"}),
      command({"--output.scale=0.1 K", "--output.dtype=int16"}, {"two numbers SCALE OFFSET"}),
      command({"--output.scale=0 1", "--output.dtype=int16"}, {"write one above 0"}),
      beside(run + "time_step = 0.1\n", {"a number and its unit, such as 0.1 s"}),
      beside(run + "time_step = s\n", {"a number and its unit, such as 0.1 s"}),
      beside(run + "time_step = -1 s\n", {"-1 is out of range, write > 0"}),
      beside(run + "precision = float16\n", {"did you mean float32?"}),
      beside(run + "decomposition = 2x0\n", {"0 is out of range"}),
      beside(run + "decomposition = 2x-1\n", {"-1 is out of range"}),
      beside(run + "decomposition = 2x\n", {"an extent is missing"}),
      beside(run + "decomposition = 1x1x1x1\n", {"4 extents, write at most 3"}),
      beside(run + "memory = 4GiBB\n", {"no such unit as GiBB"}),
      beside(run + "memory = GiB\n", {"is not a number"}),
      beside(run + "memory = 0\n", {"0 is out of range"}),
      beside(run + "memory = -4GiB\n", {"-4 is out of range"}),
      beside(run + "memory = 0.3\n", {"no whole number of bytes"}),
      beside(run + "memory = 9e15GiB\n", {"out of range"}),
      beside(missing + "value = some\n", {"write auto, none or attribute, or one or more of nan"}),
      beside(missing + "value = inf\n", {"write auto, none or attribute, or one or more of nan"}),
      beside(missing + "policy = fill\nvalue = none\n", {"config.ini:10:", "write value = auto"}),
      beside(missing + "value = nan\npolicy = drop\n", {"no such word"}),
      beside(missing + "value = nan\npolicy = renormalize\nmin_valid = 1.1\n",
             {"1.1 is out of range, write 0 .. 1"}),
      beside(missing + "value = nan\npolicy = renormalize\nmin_valid = nan\n", {"not a finite"}),
      beside(missing + "value = nan\nmin_valid = 0.5\n", {"it belongs to renormalize"}),
      beside(missing + "value = nan\nfill_value = 0\n", {"it belongs to fill"}),
  };
  for (const Bad& bad : all) expect_refused(bad);
}

TEST(ConfigRefusals, InputAndOutput) {
  const auto output = [](const std::string& line, std::vector<std::string> fragments) {
    return Bad{"[input]\nfile = in.h5\ndataset = /x\n[stencil]\nmask = 1\n[output]\n" + line,
               {},
               std::move(fragments)};
  };
  const auto input = [](const std::string& line, std::vector<std::string> fragments) {
    return Bad{
        "[output]\nfile = o.h5\n[stencil]\nmask = 1\n[input]\nfile = i.h5\ndataset = x\n" + line,
        {},
        std::move(fragments)};
  };
  const std::vector<Bad> all = {
      output("file = in.h5\n", {"config.ini:7:", "is the input file too"}),
      output("file = ./a/../in.h5\n", {"is the input file too"}),
      output("file = o.h5\ndtype = float\n", {"no such word"}),
      output("file = o.h5\ndtype = int61\n", {"did you mean int16?"}),
      output("file = o.h5\nchunk = 0x3\n", {"0 is out of range"}),
      output("file = o.h5\nchunk = 16 16\n", {"16 16 is not a whole number"}),
      output("file = o.h5\ncompression = gzip:10\n", {"10 is out of range, write 1 .. 9"}),
      output("file = o.h5\ncompression = gzip:0\n", {"gzip:0: level 0", "write none"}),
      output("file = o.h5\ncompression = gzip\n", {"write none or gzip:4"}),
      output("file = o.h5\ncompression = szip:4\n", {"write none or gzip:4"}),
      output("file = o.h5\noverwrite = perhaps\n", {"write true or false"}),
      input("axis = 1.5\n", {"config.ini:8:", "1.5 is not whole"}),
      input("axis = 99\n", {"99 is out of range"}),
      input("sampling_rate = 0\n", {"0 is out of range"}),
      input("sampling_rate = fast\n", {"fast is not a number"}),
  };
  for (const Bad& bad : all) expect_refused(bad);
}

TEST(ConfigRefusals, CommandLine) {
  const std::vector<Bad> all = {
      command({"--stencil.sigm=3"},
              {"command line: --stencil.sigm=3: no such key, did you mean sigma?"}),
      command({"--stencil.sig=3"}, {"no such key"}),
      command({"--stencil.sigma=-3"}, {"command line: --stencil.sigma=-3: -3 is out of range"}),
      command({"--stencil.sigma", "3", "--stencil.sigma=4"}, {"--stencil.sigma: given twice"}),
      command({"--stencil.sigma="}, {"--stencil.sigma"}),
      command({"--stencil.sigma", ""}, {"--stencil.sigma: empty value"}),
      command({"--stencil.sigma"}, {"--stencil.sigma: its value is missing"}),
      command({"--stencil.sigma", "--check"}, {"--stencil.sigma: its value is missing"}),
      command({"--stencil.sigma", "--output.file=x"}, {"--stencil.sigma: its value is missing"}),
      command({"--stencil.smooth.sigma=3"},
              {"--stencil.smooth.sigma=3: no such stage as stencil.smooth", "stencil"}),
      command({"--inptu.file=x"}, {"no such section as inptu, did you mean input?"}),
      command({"--input.file.more=x"}, {"no such section as input.file"}),
      command({"--input.=x"}, {"no such key"}),
      command({"--.file=x"}, {"no such section"}),
      command({"--stencil.sigma,s=x"}, {"--stencil.sigma,s=x: no such option"}),
      command({"--chek"}, {"command line: --chek: no such option, did you mean --check?"}),
      command({"--che"}, {"no such option"}),
      command({"--sigma=3"}, {"--sigma=3: no such option", "--section.key=value"}),
      command({"--config-file=x"}, {"no such option"}),
      command({"-c"}, {"-c: no such option"}),
      command({"--check=yes"}, {"--check: takes no value"}),
      command({"--check", "--check"}, {"--check: given twice"}),
      command({"--progress=dots"}, {"--progress=dots: no such word, write one of auto, bar"}),
      command({"--progress=line"}, {"did you mean lines?"}),
      command({"--report"}, {"--report: its value is missing"}),
      command({"--report", "--check"}, {"--report: its value is missing"}),
      command({"--check", "--report=r.json"},
              {"command line: --report=r.json: --check runs nothing", "remove one"}),
      command({"--report", "r.json", "--check"}, {"--report=r.json", "--check"}),
      command({"other.ini"}, {"other.ini: a second configuration file in addition to config.ini"}),
      command({"--stencil.mask", "1", "2", "1"}, {"2: a second configuration file", "quote"}),
      command({""}, {"an empty argument"}),
      command({"--output.file=caf\xe9.h5"}, {"caf\\xe9.h5: not UTF-8"}),
      command({"--output.file=a\nb"}, {"a\\nb", "control character"}),
      command({"--stencil.mask=box"}, {"config.ini:9:", "key sigma means nothing"}),
      {files, {"--stencil.mask=box"}, {"--stencil.mask=box: mask = box needs size"}},
      {test::rich, {"--stencil.sigma=3"}, {"--stencil.smooth.sigma=value", "stencil.edge-2"}},
      {test::rich, {"--stencil.smoth.sigma=3"}, {"did you mean stencil.smooth?"}},
      {test::rich, {"--stencil.other.mask=1"}, {"write one of stencil.smooth, stencil.edge-2"}},
      {files, {"--stencil.other.mask=1"}, {"no [stencil] section"}},
      {files, {"--stencil.steps=2"}, {"command line: [stencil]: mask: missing"}},
  };
  for (const Bad& bad : all) expect_refused(bad);
}

TEST(ConfigRefusals, SectionWithTheBadOverriddenKeyIsStillJudged) {
  // If only the key `mask` is overridden, the key `sigma` of the file remains, although the new
  // mask does not have this key.
  expect_refused(command({"--stencil.mask=box", "--stencil.size=3"},
                         {"config.ini:9: [stencil] sigma = 2", "means nothing for mask = box"}));
}

TEST(ConfigRefusals, LongAndStrangeValuesStayOneShortLine) {
  const std::string strange = "\xff\xe2\x80\xae\x1b[31m" + std::string(100000, 'z');
  expect_refused(command({"--stencil.sigma=" + std::string(100000, '9') + "x"}, {"99...9"}));
  expect_refused(stage("mask = " + std::string(100000, 'q') + "\n", {"qq...q", "no such family"}));
  expect_refused(stage(std::string(100000, 'k') + " = 1\n", {"kk...k", "no such key"}));
  expect_refused({files + "[" + std::string(100000, 's') + "]\n", {}, {"ss...s"}});
  expect_refused({files + strange + "\n", {}, {"\\xff\\u{202e}\\x1b[31m"}});
  expect_refused(command({strange}, {"\\xff\\u{202e}"}));
}

}  // namespace
}  // namespace stencil
