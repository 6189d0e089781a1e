// The values of correct configurations, member by member.
#include "tests/drivers/config/config_words.hpp"

namespace stencil {
namespace {

using test::files;
using test::parse;
using test::parse_stage;
using Reals = std::vector<double>;
using Indices = std::vector<Index>;
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
  EXPECT_EQ(config.output.scale, (OutputScale{.scale = 0.5, .offset = -3}));
  EXPECT_EQ(config.output.chunk, (Indices{256, 1024}));
  EXPECT_EQ(config.output.gzip_level, 4);
  EXPECT_TRUE(config.output.overwrite);
  EXPECT_EQ(config.output.snapshot_every, 100);
  EXPECT_EQ(config.run.time_step.value, 0.5);
  EXPECT_EQ(config.run.time_step.unit, "hours since 2026-01-01");
  EXPECT_EQ(config.missing.value, MissingValue(std::vector<ElementValue>{-999}));
  EXPECT_EQ(config.missing.policy, MissingPolicy::renormalize);
  EXPECT_EQ(config.missing.min_valid, 0.75);
  EXPECT_EQ(config.run.backend, Backend::cpu);
  EXPECT_EQ(config.run.precision, PrecisionRequest::float64);
  EXPECT_EQ(config.run.decomposition, (Indices{2, 3}));
  EXPECT_EQ(config.run.memory, Index{3} << 29);
  EXPECT_EQ(config.run.transport, TransportRequest::host);
  EXPECT_EQ(config.run.checkpoint, "state.h5");
  EXPECT_EQ(config.run.checkpoint_every.steps, 1000);
  EXPECT_EQ(config.run.restart, Restart::never);
  EXPECT_EQ(config.run.time_limit, (TimeLimit{.seconds = 3300}));
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

TEST(Config, HowIntegersArePacked) {
  const auto scale = [](const std::string& words) {
    return parse(files + "[stencil]\nmask = 1\n",
                 {"--output.dtype=uint8", "--output.scale=" + words})
        .output.scale;
  };
  EXPECT_EQ(scale("none"), std::nullopt);
  EXPECT_EQ(scale("auto"), OutputScale{.is_of_input = true});
  EXPECT_EQ(scale("1e-21 0"), OutputScale{.scale = 1e-21});
  EXPECT_EQ(scale("0.01, 273.15"), (OutputScale{.scale = 0.01, .offset = 273.15}));
}

TEST(Config, RunsThatEndEarly) {
  const std::string steps = files + "[stencil]\nmask = 1 2 1\nsteps = 9\n";
  EXPECT_EQ(parse(steps).run.look_every, 1000);
  EXPECT_EQ(parse(steps).run.nonfinite, Nonfinite::stop);
  EXPECT_EQ(parse(steps + "[run]\nnonfinite = note\n").run.nonfinite, Nonfinite::note);
  const Config largest = parse(steps + "until_change_below = 1e-8\n");
  EXPECT_EQ(largest.stages[0].until_change_below, (ChangeLimit{1e-8, false}));
  EXPECT_EQ(largest.run.look_every, 100);
  const Config rms = parse(steps + "until_change_below = 1e-8 rms\n[run]\nlook_every = 7\n");
  EXPECT_EQ(rms.stages[0].until_change_below, (ChangeLimit{1e-8, true}));
  EXPECT_EQ(rms.run.look_every, 7);
}

TEST(Config, DefaultsAreThoseOfTheStructure) {
  const Config config = parse(files + "[stencil]\nmask = 1 2 1\n");
  const Config plain;
  EXPECT_FALSE(config.input.axis.has_value());
  EXPECT_EQ(config.input.sampling_rate, 0);
  EXPECT_EQ(config.output.dataset, "/x") << "the input's";
  EXPECT_EQ(config.output.dtype, plain.output.dtype);
  EXPECT_EQ(config.output.scale, plain.output.scale);
  EXPECT_EQ(config.output.chunk, plain.output.chunk);
  EXPECT_EQ(config.output.gzip_level, plain.output.gzip_level);
  EXPECT_EQ(config.output.overwrite, plain.output.overwrite);
  EXPECT_EQ(config.output.snapshot_every, plain.output.snapshot_every);
  EXPECT_EQ(config.run.time_step.unit, plain.run.time_step.unit);
  EXPECT_EQ(config.missing.value, plain.missing.value);
  EXPECT_EQ(config.missing.policy, plain.missing.policy);
  EXPECT_EQ(config.missing.min_valid, plain.missing.min_valid);
  EXPECT_EQ(config.missing.fill_value, plain.missing.fill_value);
  EXPECT_EQ(config.run.backend, plain.run.backend);
  EXPECT_EQ(config.run.precision, plain.run.precision);
  EXPECT_EQ(config.run.decomposition, plain.run.decomposition);
  EXPECT_EQ(config.run.memory, plain.run.memory);
  EXPECT_EQ(config.run.transport, plain.run.transport);
}

TEST(Config, TimesAndStepsWithAndWithoutABlank) {
  const auto run = [](const std::string& lines) {
    return parse(files + "[stencil]\nmask = 1\n[run]\ncheckpoint = c.h5\n" + lines).run;
  };
  for (const std::string step : {"0.5s", "0.5 s", "5e-1  s", "+0.5\ts"}) {
    EXPECT_EQ(run("time_step = " + step + "\n").time_step.value, 0.5) << step;
    EXPECT_EQ(run("time_step = " + step + "\n").time_step.unit, "s") << step;
  }
  EXPECT_EQ(run("time_step = 2eV\n").time_step.unit, "eV");
  for (const std::string every : {"1 step", "1 steps", "1step", "1e0 steps"})
    EXPECT_EQ(run("checkpoint_every = " + every + "\n").checkpoint_every.steps, 1) << every;
  EXPECT_EQ(run("checkpoint_every = 00:30:00\n").checkpoint_every.seconds, 1800);
  EXPECT_EQ(run("time_limit = 1-00:00:00\n").time_limit, (TimeLimit{.seconds = 86400}));
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
  EXPECT_EQ(savgol.parameters.delta, (Reals{0.25}));
  EXPECT_FALSE(savgol.parameters.delta_of_coordinates);
  EXPECT_EQ(savgol.axis, 0);
  const StageConfig slope =
      parse_stage("mask = gaussian\nsigma = 100, 50 km\norder = 0 1\ndelta = coordinates\n");
  EXPECT_EQ(slope.parameters.sigma, (Reals{100, 50}));
  EXPECT_EQ(slope.parameters.sigma_unit, "km");
  EXPECT_TRUE(slope.parameters.delta_of_coordinates);
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

TEST(ConfigMissing, KeepsIntegersOf64Bits) {
  for (const std::string number :
       {"9223372036854775807", "-9223372036854775808", "18446744073709551615", "9007199254740993"})
    EXPECT_EQ(
        parse(files + "[stencil]\nmask = 1\n[missing]\nvalue = " + number + "\n").missing.value,
        MissingValue(std::vector{parse_element_value(number)}));
}

TEST(ConfigMissing, ManyValues) {
  const Config config =
      parse(files + "[stencil]\nmask = 1\n[missing]\nvalue = -9999000 -8888000 nan\n");
  const auto& values = std::get<std::vector<ElementValue>>(config.missing.value);
  ASSERT_EQ(values.size(), 3u);
  EXPECT_EQ(values[1], ElementValue(-8888000));
  EXPECT_TRUE(values[2].is_nan());
  EXPECT_NE(config.canonical.find("missing.value=-9999000 -8888000 nan\n"), std::string::npos);
}

TEST(Config, EdgesThatAreMissingLeaveNoBoundaryToName) {
  const std::string missing = "[missing]\nedges = missing\npolicy = renormalize\nvalue = none\n";
  EXPECT_EQ(parse(files + missing + "[stencil]\nmask = 1\n").missing.edges, BeyondEdges::missing);
  try {
    parse(files + missing + "[stencil]\nmask = 1\nboundary = wrap\n");
    ADD_FAILURE() << "not refused";
  } catch (const WordsError& error) {
    EXPECT_NE(std::string(error.what()).find("missing.edges"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace stencil
