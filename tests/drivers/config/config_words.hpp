#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/config/keys.hpp"
#include "drivers/config/parse_config.hpp"
#include "framework/grid/error.hpp"

namespace stencil::test {

/// `[input]` and `[output]` in six lines: text that a test adds begins in line 7.
inline const std::string files = "[input]\nfile = in.h5\ndataset = /x\n[output]\nfile = out.h5\n\n";

/// A configuration of two stages with nearly every key.
inline const std::string rich =
    "# a comment\n"
    "[input]\n"
    "file = \"in #1.h5\"   # quoted\n"
    "dataset = /shot/das\n"
    "axis = -2\n"
    "sampling_rate = 4096\n"
    "\n"
    "[output]\n"
    "file = out.h5\n"
    "dataset = /smooth\n"
    "dtype = int16\n"
    "scale = 0.5 -3\n"
    "chunk = 256x1024\n"
    "compression = gzip:4\n"
    "overwrite = yes\n"
    "snapshot_every = 100\n"
    "[missing]\n"
    "value = -999\n"
    "policy = renormalize\n"
    "min_valid = 0.75\n"
    "; another comment\n"
    "[stencil.smooth]\n"
    "mask = gaussian\n"
    "rank = 2\n"
    "sigma = 2 3.5\n"
    "order = 0, 1\n"
    "truncate = 3\n"
    "boundary = constant clamp\n"
    "boundary_value = -1.5\n"
    "origin = 1 -1\n"
    "[stencil.edge-2]\n"
    "operation = convolve\n"
    "mask = 0 1 0; 1 -4 1; 0 1 0\n"
    "boundary = periodic\n"
    "steps = 1e3\n"
    "method = direct\n"
    "[run]\n"
    "backend = cpu\n"
    "precision = float64\n"
    "decomposition = 2x3\n"
    "memory = 1.5GiB\n"
    "transport = host\n"
    "restart = never\n"
    "checkpoint = state.h5\n"
    "checkpoint_every = 1000 steps\n"
    "time_limit = 55 min\n"
    "time_step = 0.5 hours since 2026-01-01\n";

inline Config parse(const std::string& text, std::vector<std::string> arguments = {}) {
  arguments.insert(arguments.begin(), "config.ini");
  return parse_config({read_command_line(arguments), text});
}

/// The stage that results from the given lines after `[stencil]`.
inline StageConfig parse_stage(const std::string& lines) {
  return parse(files + "[stencil]\n" + lines).stages.at(0);
}

/// The lines of a mask by name, with the keys that it needs and values that are compatible.
inline std::string lines_of(const Family& family) {
  std::string lines = "mask = " + std::string(family.name) + "\n";
  for (const std::string& key : split_words(family.keys)) {
    if (!find_key("stencil", key)->standard.empty()) continue;
    const bool is_pair =
        (family.name == "bandpass" || family.name == "bandstop") && key == "cutoff";
    const std::string value = key == "polyorder"  ? "2"
                              : key == "cutoff"   ? "0.1"
                              : key == "template" ? "t.h5:/t"
                                                  : "5";
    lines += key + " = " + value + (is_pair ? " 0.2\n" : "\n");
  }
  if (family.name == "disk" || family.name == "annulus") lines += "radius = 7.5\n";
  return lines;
}

/// True if every byte can be printed on one line.
inline bool printable_line(const std::string& text) {
  for (const unsigned char c : text)
    if (c < 0x20 || c == 0x7f) return false;
  return !text.empty();
}

}  // namespace stencil::test
