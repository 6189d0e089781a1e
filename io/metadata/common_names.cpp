#include "io/metadata/common_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <vector>

#include "io/metadata/unit.hpp"

namespace stencil::storage {
namespace {

using enum Meaning;
using Tokens = std::vector<std::string>;
using Words = std::initializer_list<std::string_view>;

struct Word {
  std::string_view name;
  Meaning meaning;
  std::string_view axis;
  std::string_view unit = {}, spacing = {};
};

/// Names that have the same meaning in the files of many programs.
constexpr Word certain_words[] = {
    {"samplingfrequency", rate, "time", "Hz"},
    {"samplingrate", rate, "time", "Hz"},
    {"samplerate", rate, "time", "Hz"},
    {"fs", rate, "time", "Hz"},
    {"sfreq", rate, "time", "Hz"},
    {"dt", spacing, "time"},
    {"deltat", spacing, "time"},
    {"samplinginterval", spacing, "time"},
    {"timesamplinginterval", spacing, "time"},
    {"sampleinterval", spacing, "time"},
    {"samplingperiod", spacing, "time"},
    {"timestep", spacing, "time"},
    {"numberofsamples", count, "time"},
    {"numsamples", count, "time"},
    {"nsamples", count, "time"},
    {"numberofpoints", count, "time"},
    {"npts", count, "time"},
    {"nt", count, "time"},
    {"t0", first, "time", {}, "dt"},
    {"starttime", first, "time", {}, "delta_t"},
    {"epoch", first, "time"},
    {"endtime", last, "time"},
    {"stoptime", last, "time"},
    {"duration", length, "time"},
    {"numberofchannels", count, "distance"},
    {"channelspacing", spacing, "distance"},
    {"npoints", count, "x"},
    {"nx", count, "x"},
    {"ny", count, "y"},
    {"nz", count, "z"},
    {"dx", spacing, "x"},
    {"dy", spacing, "y"},
    {"dz", spacing, "z"},
    {"x0", first, "x", {}, "dx"},
    {"y0", first, "y", {}, "dy"},
    {"z0", first, "z", {}, "dz"},
};

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

/// A name and the unit that follows it: `dt_s`, `Rate[Hz]`, `Interval (seconds)`.
struct NameWithUnit {
  std::string name, unit;
};

NameWithUnit split_unit(const std::string& name) {
  const std::size_t open = name.find_last_of("[(");
  if (open != name.npos && open > 0 && (name.back() == ']' || name.back() == ')'))
    return {name.substr(0, open), name.substr(open + 1, name.size() - open - 2)};
  const std::size_t bar = name.rfind('_');
  constexpr std::array<std::string_view, 19> units{
      "s",  "sec", "secs", "seconds", "ms", "msec", "us", "usec", "ns", "nsec",
      "hz", "khz", "mhz",  "m",       "km", "cm",   "mm", "um",   "deg"};
  if (bar == name.npos || bar == 0) return {name, ""};
  std::string end = name.substr(bar + 1);
  std::transform(end.begin(), end.end(), end.begin(), lower);
  if (std::find(units.begin(), units.end(), end) == units.end()) return {name, ""};
  if (end.ends_with("hz")) end = end == "hz" ? "Hz" : end == "khz" ? "kHz" : "MHz";
  return {name.substr(0, bar), end};
}

/// Splits a name into words: `ImageSizeX`, `image_size-x` -> image, size, x.
Tokens tokens_of(const std::string& name) {
  Tokens tokens(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const bool begins =
        std::isupper(c) != 0 && i > 0 && !std::isupper(static_cast<unsigned char>(name[i - 1]));
    if ((std::isalnum(c) == 0 || begins) && !tokens.back().empty()) tokens.emplace_back();
    if (std::isalnum(c) != 0) tokens.back() += lower(name[i]);
  }
  if (tokens.back().empty()) tokens.pop_back();
  return tokens;
}

bool has(const Tokens& tokens, Words words) {
  return std::any_of(tokens.begin(), tokens.end(), [&](const std::string& token) {
    return std::find(words.begin(), words.end(), token) != words.end();
  });
}

/// Returns the axis that a name suggests; `any` if the name suggests no axis.
std::string_view axis_in(const Tokens& tokens, const std::string& unit) {
  const auto ends = [&](char axis) {
    return std::any_of(tokens.begin(), tokens.end(), [&](const std::string& t) {
      return t == std::string(1, axis) || t == std::string("n") + axis ||
             t == std::string("d") + axis || t == std::string("size") + axis ||
             t == std::string(1, axis) + "min" || t == std::string(1, axis) + "max" ||
             t == std::string(1, axis) + "0" || t == std::string("start") + axis;
    });
  };
  if (has(tokens, {"spatial", "distance", "channel", "channels", "locus", "loci", "trace", "traces",
                   "depth", "fiber", "fibre"}))
    return "distance";
  if (ends('x') || has(tokens, {"lon", "longitude", "easting"})) return "x";
  if (ends('y') || has(tokens, {"lat", "latitude", "northing"})) return "y";
  if (ends('z')) return "z";
  if (has(tokens, {"time", "times", "temporal", "sampling", "sample", "samples", "samp", "dt", "fs",
                   "seconds", "sec", "date", "fps"}))
    return "time";
  const auto measured = Unit::parse(unit);
  if (measured && !unit.empty() &&
      (measured->in(*Unit::parse("s")) || measured->in(*Unit::parse("Hz"))))
    return "time";
  return "any";
}

/// Returns whether the name describes how points are recorded, not another property of the
/// instrument.
bool is_of_points(const Tokens& tokens) {
  return has(tokens, {"sampling", "sample",      "samples",   "samp",  "data", "output", "frame",
                      "frames",   "acquisition", "acq",       "scan",  "line", "trace",  "row",
                      "column",   "record",      "recording", "adc",   "daq",  "time",   "temporal",
                      "spatial",  "grid",        "pixel",     "voxel", "cell", "image",  "axis",
                      "series",   "signal",      "window",    "array"});
}

std::optional<Meaning> meaning_in(const Tokens& tokens) {
  const bool is_alone = tokens.size() == 1;
  if (has(tokens, {"pulse", "gauge", "laser", "serial", "version", "bit", "bits", "id", "modified",
                   "created", "update", "updated", "revision"}))
    return std::nullopt;
  if (is_alone && has(tokens, {"sampling", "resolution"})) return spacing;
  if (has(tokens, {"fs", "sr", "srate", "samplerate", "samplingrate", "framerate", "fps", "fsamp",
                   "fsample", "sps"}))
    return rate;
  if (has(tokens, {"rate", "frequency", "freq"}) &&
      (is_alone ? tokens[0] == "rate" : is_of_points(tokens)))
    return rate;
  if (has(tokens, {"spacing",   "interval", "step",     "stepsize", "pitch",  "delta",  "increment",
                   "dt",        "dx",       "dy",       "dz",       "dr",     "df",     "dlat",
                   "dlon",      "deltat",   "deltax",   "deltay",   "deltaz", "deltaf", "pixelsize",
                   "voxelsize", "cellsize", "gridsize", "xscale",   "yscale"}))
    return spacing;
  if (has(tokens, {"resolution", "period", "size"}) && is_of_points(tokens) &&
      !has(tokens, {"image", "array", "window", "data"}))
    return spacing;
  if (has(tokens, {"nx",      "ny",       "nz",    "nt",        "ns",      "nr",      "npts",
                   "npoints", "nsamples", "nsamp", "nchannels", "ntraces", "nframes", "nbins",
                   "nrays",   "nrows",    "ncols", "nlat",      "nlon",    "count",   "num",
                   "number",  "points",   "rows",  "columns",   "cols"}))
    return count;
  if (has(tokens,
          {"duration", "extent", "extents", "size", "sizex", "sizey", "sizez", "shape", "dims"}) ||
      (has(tokens, {"length", "width", "height"}) && is_of_points(tokens)))
    return length;
  if (has(tokens, {"start", "begin", "beginning", "first", "origin", "x0", "y0", "z0", "t0",
                   "tstart", "xstart"}))
    return first;
  if (has(tokens, {"end", "stop", "last", "tend", "xend"})) return last;
  if (has(tokens, {"bbox", "northernmost", "southernmost", "easternmost", "westernmost"}))
    return range;
  if (has(tokens, {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax", "tmin", "tmax"})) return range;
  if (has(tokens, {"offset"}) && (is_of_points(tokens) || has(tokens, {"x", "y", "z", "global"})))
    return first;
  if (has(tokens, {"min", "max", "range"}) && axis_in(tokens, "") != "any") return range;
  return std::nullopt;
}

}  // namespace

std::string plain_name(const std::string& name) {
  std::string plain;
  for (const char c : split_unit(name).name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) plain += lower(c);
  return plain;
}

std::optional<NamedQuantity> quantity_named(const std::string& name) {
  if (std::none_of(name.begin(), name.end(), is_letter)) return std::nullopt;
  const NameWithUnit parts = split_unit(name);
  const std::string plain = plain_name(name);
  for (const Word& word : certain_words)
    if (word.name == plain)
      return NamedQuantity{word.meaning, word.axis, word.spacing,
                           parts.unit.empty() ? std::string(word.unit) : parts.unit, true};
  const Tokens tokens = tokens_of(parts.name);
  const auto meaning = meaning_in(tokens);
  if (!meaning) return std::nullopt;
  return NamedQuantity{*meaning, axis_in(tokens, parts.unit), {}, parts.unit, false};
}

}  // namespace stencil::storage
