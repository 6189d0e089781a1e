// All configurations with the same meaning have the same canonical text.
#include <sstream>

#include "tests/drivers/config/config_words.hpp"

namespace stencil {
namespace {

using test::files;
using test::parse;
using Words = std::vector<std::string>;

TEST(Canonical, WordForWord) {
  EXPECT_EQ(parse(test::rich).canonical,
            "input.file=in #1.h5\n"
            "input.dataset=/shot/das\n"
            "input.axis=-2\n"
            "input.sampling_rate=4096\n"
            "input.packed=values\n"
            "output.dataset=/smooth\n"
            "output.dtype=int16\n"
            "output.scale=0.5 -3\n"
            "output.chunk=256x1024\n"
            "output.compression=gzip:4\n"
            "output.snapshot_every=100\n"
            "missing.value=-999\n"
            "missing.policy=renormalize\n"
            "missing.min_valid=0.75\n"
            "stencil.smooth.operation=correlate\n"
            "stencil.smooth.mask=gaussian\n"
            "stencil.smooth.rank=2\n"
            "stencil.smooth.sigma=2 3.5\n"
            "stencil.smooth.order=0 1\n"
            "stencil.smooth.truncate=3\n"
            "stencil.smooth.radius=0\n"
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
            "run.precision=float64\n"
            "run.time_step=0.5 hours since 2026-01-01\n");
}

TEST(Canonical, IsACommandLineThatMeansTheSame) {
  const Words stages = {
      "mask = 1e-3 0.1 -7\nboundary = constant\nboundary_value = 0.1\n",
      "mask = gaussian\nsigma = 0.1\naxis = -1\nrank = 1\norder = 2\ntruncate = 5.5\n",
      "mask = box\nsize = 3 4\norigin = 1 -1\nstride = 2 3\n",
      "mask = bandpass\ntaps = 51\ncutoff = 0.1 0.3\nwindow = gaussian:7\n",
      "mask = savgol\nsize = 7\npolyorder = 3\nderiv = 1\ndelta = 0.01\n",
      "mask = savgol\nsize = 7\npolyorder = 3\nderiv = 1\ndelta = coordinates\n",
      "mask = gaussian\nsigma = 100 25.5 km\norder = 0 1\ndelta = 2 0.5\n",
      "mask = prewitt\nrank = 2\naxis = -2\nextent = full\nmethod = separable\n",
      "mask = 0.1 2;\norigin = 0 1\n",
      "mask = 1 2 1\nsteps = 5\nuntil_change_below = 1e-8 rms\n[run]\nlook_every = 7\n",
      "mask = m.h5:/psf\noperation = convolve\nboundary = mirror wrap\n",
      "mask = 1 2 1\n[missing]\nvalue = attribute\npolicy = fill\nfill_value = 1e-7\n",
      "mask = 1 2 1\n[missing]\nvalue = none\n",
      "mask = 1 2 1\n[missing]\nedges = missing\npolicy = renormalize\n",
      "mask = 1 2 1\nboundary = constant\nboundary_value = nan\n"};
  for (const std::string& stage : stages) {
    const std::string canonical = parse(files + "[stencil]\n" + stage).canonical;
    Words arguments{"--output.file=out.h5"};
    std::istringstream lines(canonical);
    for (std::string line; std::getline(lines, line);) arguments.push_back("--" + line);
    EXPECT_EQ(parse("", arguments).canonical, canonical);
  }
}

TEST(Canonical, ForgetsHowTheWorkIsSplit) {
  const std::string canonical = parse(test::rich).canonical;
  EXPECT_EQ(parse(test::rich, {"--run.decomposition=7", "--run.memory=1GB", "--run.transport=auto",
                               "--output.file=b.h5", "--output.overwrite=no"})
                .canonical,
            canonical);
  EXPECT_NE(parse(test::rich, {"--stencil.smooth.sigma=2.0000000000000004 3.5"}).canonical,
            canonical);
}

}  // namespace
}  // namespace stencil
