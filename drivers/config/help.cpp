#include "drivers/config/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "drivers/config/keys.hpp"
#include "include/stencil/version.hpp"

namespace stencil {

namespace {

constexpr std::size_t page_width = 100;
constexpr std::size_t indent = 20;

constexpr std::string_view opening =
    R"(stencil_run {version}: convolution stencils on signals and grids, over MPI ranks

Usage:
  mpirun -n 4 stencil_run CONFIG.ini [--section.key=value ...]
  stencil_run --check CONFIG.ini [--section.key=value ...]   validate, print the plan, write nothing
  stencil_run --check --json CONFIG.ini ...                   the same, the plan as JSON
  stencil_run --list FILE.h5              what a file holds: datasets, rates, units, missing values
  stencil_run --init FILTER FILE.h5       write a configuration for that file
  stencil_run --help | --version

Options:
  --report FILE       write one machine-readable report of the run (JSON); not with --check
  --trace FILE        write a timeline of each rank's work (JSON for Perfetto); not with --check
  --progress WORD     auto, bar, lines, none. auto: a bar on a terminal, else lines. Under mpirun
                      stderr is a pipe, so auto means lines: ask for the bar with --progress bar
  --init FILTER       bandpass, bandstop, lowpass, highpass, gaussian, average, smooth, derivative:
                      writes FILE_FILTER.ini for the largest dataset of the file, or for that of
                      --input.dataset=PATH; replaces no file
  --section.key=value
                      one key of the configuration; overrides the file. Keys of a stage with a name:
                      --stencil.NAME.key=value

CONFIG.ini is a text of [section] and key = value lines. # begins a comment; lists are separated by
blanks or commas; where one value per axis is allowed the order is y x, one value is for both.

)";

constexpr std::string_view closing =
    R"(Stages: one section [stencil], or several [stencil.NAME], which run in the order of the file.

Exit status:
  0   done, verified, under its final name
  2   the configuration is wrong: a key or value, a mask, a shape, a dataset that does not exist
  3   files and storage: missing, unreadable, malformed, refused, full, locked
  4   MPI, GPU or memory
  75  stopped on request, the state is saved in run.checkpoint: start the same run again to continue
  128 + n  ended by signal n: 130 by SIGINT, 143 by SIGTERM
  1   a bug in the program

Example: strain of a gravitational-wave detector, smoothed, then every fourth sample kept

  [input]
  file    = strain.h5
  dataset = /strain/Strain

  [output]
  file        = lowpassed.h5
  dataset     = /strain/Strain
  dtype       = float32
  compression = gzip:4

  [missing]
  value     = nan
  policy    = renormalize
  min_valid = 0.5

  [stencil.smooth]
  mask     = gaussian
  sigma    = 2.5          # points
  boundary = mirror

  [stencil.decimate]
  mask   = lowpass
  taps   = 129
  cutoff = 400            # Hz
  stride = 4

  [run]
  precision = float64
  memory    = 4GiB
)";

std::string section_title(const std::string& section) {
  if (section == "input") return "[input]: what is read";
  if (section == "output") return "[output]: what is written";
  if (section == "missing") return "[missing]: points without a value";
  if (section == "stencil") return "[stencil] or [stencil.NAME]: what is computed";
  return "[run]: how it is computed";
}

/// Wraps a text to the width of the page. All lines except the first are indented.
std::string wrapped(std::string line, std::string_view text) {
  std::string out;
  std::size_t width = line.size();
  for (const std::string& word : split_words(text)) {
    // Characters are counted, not bytes. Continuation bytes of UTF-8, which have the form 10xxxxxx,
    // are skipped.
    const std::size_t letters = static_cast<std::size_t>(
        std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xc0) != 0x80; }));
    if (width + 1 + letters > page_width) {
      out += line + "\n";
      line.assign(indent - 1, ' ');
      width = indent - 1;
    }
    line += " " + word;
    width += 1 + letters;
  }
  return out + line + "\n";
}

std::string values_text(const Key& key) {
  if (!key.values.empty()) return std::string(key.values);
  if (key.choices.empty()) return to_string(key.range);
  return fmt::format("{}", fmt::join(key.choices, ", "));
}

std::string key_text(const Key& key) {
  std::string text(key.doc);
  const std::vector<std::string> families = families_of(key);
  if (!families.empty() && key.name != "rank")
    text += fmt::format(" For mask = {}.", fmt::join(families, ", "));
  text += fmt::format(" Values: {}.", values_text(key));
  if (!key.standard.empty()) text += fmt::format(" Default: {}.", key.standard);
  if (key.required) text += " Required.";
  return wrapped(fmt::format("  {:<{}}", key.name, indent - 3), text);
}

/// Returns the help of a family and its keys; keys that have a default are in brackets.
std::string family_text(const Family& family) {
  std::vector<std::string> keys;
  for (const std::string& key : split_words(family.keys))
    keys.push_back(find_key("stencil", key)->standard.empty() ? key : "[" + key + "]");
  const std::string takes = keys.empty() ? "." : fmt::format("; keys: {}.", fmt::join(keys, ", "));
  return wrapped(fmt::format("  {:<{}}", family.name, indent - 3), std::string(family.doc) + takes);
}

}  // namespace

std::string help_text() {
  std::string text(opening);
  text.replace(text.find("{version}"), 9, STENCIL_VERSION);
  for (const std::string& section : section_names()) {
    text += section_title(section) + "\n";
    for (const Key& key : all_keys())
      if (key.section == section) text += key_text(key);
    text += "\n";
    if (section != "stencil") continue;
    text +=
        "Mask families: names that mask accepts, as in SciPy; keys in brackets have a default\n";
    for (const Family& family : all_families()) text += family_text(family);
    text += "\n";
  }
  return text + std::string(closing);
}

std::string guide_text() {
  return R"(no configuration file; what to do next:
  stencil_run --list in.h5                what the file holds: datasets, rates, units
  stencil_run --init bandpass in.h5       writes in_bandpass.ini for it; also gaussian, lowpass ...
  stencil_run --check in_bandpass.ini     checks it and prints the plan; writes nothing
  mpirun -n 4 stencil_run in_bandpass.ini
  stencil_run --help                      all keys and filters)";
}

}  // namespace stencil
