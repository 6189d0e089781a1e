#include "drivers/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "framework/grid/one_line.hpp"
#include "framework/grid/error.hpp"

namespace stencil {

namespace {

constexpr int bar_width = 40;
constexpr double bar_pause = 0.1;    // seconds between two drawings of the bar
constexpr double line_pause = 30.0;  // seconds after which a line is due whatever was done

double steady_seconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

std::string duration_text(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

/// `12 s, about 28 s left`; what is left is a guess from the pace so far.
std::string pace(double seconds, Index done, Index total) {
  if (done <= 0 || done >= total) return duration_text(seconds);
  const double left = seconds * (double(total - done) / double(done));
  return fmt::format("{}, about {} left", duration_text(seconds), duration_text(left));
}

}  // namespace

Progress::Progress(const std::string& mode, int rank, std::FILE* stream, Clock clock)
    : stream_(stream), clock_(clock ? std::move(clock) : Clock(steady_seconds)) {
  if (mode == "auto") {
    mode_ = isatty(fileno(stream)) ? Mode::bar : Mode::lines;
  } else if (mode == "bar") {
    mode_ = Mode::bar;
  } else if (mode == "lines") {
    mode_ = Mode::lines;
  } else if (mode != "none") {
    throw WordsError(fmt::format("--progress {}: no such word, write auto, bar, lines or none",
                                 shortened(mode)));
  }
  if (rank != 0) mode_ = Mode::none;
}

Progress::~Progress() {
  if (bar_open_) {
    std::fputc('\n', stream_);
    std::fflush(stream_);
  }
}

void Progress::begin(Index total) {
  total_ = std::max<Index>(total, 0);
  done_ = 0;
  printed_percent_ = 0;
  began_ = printed_ = clock_();
  running_ = true;
  if (mode_ == Mode::bar) draw_bar(began_);
}

void Progress::advance(Index n) {
  if (!running_ || n <= 0) return;
  done_ += std::min(n, total_ - done_);
  if (mode_ == Mode::none) return;
  const double now = clock_();
  if (mode_ == Mode::bar) {
    if (now - printed_ >= bar_pause) draw_bar(now);
    return;
  }
  // The last line is left to finish(): all is computed now, but not yet safe on the disk.
  const bool next_tenth = percent() / 10 > printed_percent_ / 10;
  if (done_ < total_ && (next_tenth || now - printed_ >= line_pause)) print_line(now);
}

void Progress::finish() {
  if (!running_) return;
  running_ = false;
  if (mode_ == Mode::bar) {
    draw_bar(clock_());
    std::fputc('\n', stream_);
    std::fflush(stream_);
    bar_open_ = false;
  } else if (mode_ == Mode::lines) {
    print_line(clock_());
  }
}

int Progress::percent() const {
  if (total_ == 0) return 100;
  return static_cast<int>(100 * (static_cast<long double>(done_) / total_));
}

void Progress::draw_bar(double now) {
  const int filled = percent() * bar_width / 100;
  // Blanks at the end cover what is left of a longer text before.
  const std::string line =
      fmt::format("\r[{:#<{}}{:.<{}}] {:3} %  {:<32}", "", filled, "", bar_width - filled,
                  percent(), pace(now - began_, done_, total_));
  std::fputs(line.c_str(), stream_);
  std::fflush(stream_);
  bar_open_ = true;
  printed_ = now;
}

void Progress::print_line(double now) {
  const std::string line =
      fmt::format("stencil_run: {} % done, {}\n", percent(), pace(now - began_, done_, total_));
  std::fputs(line.c_str(), stream_);
  std::fflush(stream_);
  printed_percent_ = percent();
  printed_ = now;
}

}  // namespace stencil
