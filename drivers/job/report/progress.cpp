#include "drivers/job/report/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "framework/grid/one_line.hpp"

namespace stencil {

namespace {

constexpr int bar_width = 40;
constexpr double bar_pause = 0.1;   // shortest time in seconds between two updates of the bar
constexpr double line_pause = 1.0;  // shortest time in seconds between two lines
constexpr double line_due = 30.0;   // time in seconds after which a line is printed in any case

double steady_seconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

std::string duration_text(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

/// Returns text such as `, until about 15:04` if the end is at least an hour away, otherwise an
/// empty text.
std::string end_words(double left) {
  constexpr double worth_a_clock = 3600;
  if (!(left >= worth_a_clock) || left > 1e8) return "";
  const std::time_t end = std::time(nullptr) + static_cast<std::time_t>(left);
  std::tm parts{};
  char text[32]{};
  const bool is_today = left < 20 * 3600;
  if (::localtime_r(&end, &parts) == nullptr ||
      std::strftime(text, sizeof text, is_today ? "%H:%M" : "%Y-%m-%d %H:%M", &parts) == 0)
    return "";
  return fmt::format(", until about {}", text);
}

/// Returns text such as `12 s, about 28 s left`. The remaining time is extrapolated from the
/// average rate.
std::string pace(double seconds, Index done, Index total) {
  if (done <= 0 || done >= total) return duration_text(seconds);
  const double left = seconds * (double(total - done) / double(done));
  return fmt::format("{}, about {} left{}", duration_text(seconds), duration_text(left),
                     end_words(left));
}

std::string bytes_text(Index bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = double(bytes);
  int unit = 0;
  for (; value >= 1024; ++unit) value /= 1024;
  return fmt::format("{:.{}f} {}", value, unit == 0 ? 0 : 1, units[unit]);
}

}  // namespace

Progress::Progress(ProgressStyle style, int rank, std::FILE* stream, Clock clock)
    : style_(rank == 0 ? style : ProgressStyle::none),
      stream_(stream),
      clock_(clock ? std::move(clock) : Clock(steady_seconds)) {
  if (style_ == ProgressStyle::automatic)
    style_ = isatty(fileno(stream)) ? ProgressStyle::bar : ProgressStyle::lines;
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
  phase_.clear();
  printed_percent_ = 0;
  began_ = printed_ = clock_();
  running_ = true;
  if (style_ == ProgressStyle::bar) draw_bar(began_);
}

void Progress::phase(const std::string& name, Index bytes) {
  if (!running_) return;
  phase_ = name;
  if (style_ == ProgressStyle::bar) draw_bar(clock_());
  if (style_ == ProgressStyle::lines) print_line(bytes > 0 ? name + " " + bytes_text(bytes) : name);
}

void Progress::advance(Index n) {
  if (!running_ || n <= 0) return;
  done_ += std::min(n, total_ - done_);
  if (style_ == ProgressStyle::none) return;
  const double now = clock_();
  const double pause = now - printed_;
  if (style_ == ProgressStyle::bar) {
    if (pause >= bar_pause) draw_bar(now);
    return;
  }
  // finish() prints the last line: when all points are processed, the output is not yet complete on
  // the disk.
  const bool next_tenth = percent() / 10 > printed_percent_ / 10;
  if (done_ >= total_ || !((next_tenth && pause >= line_pause) || pause >= line_due)) return;
  print_line(share(now));
  printed_percent_ = percent();
  printed_ = now;
}

void Progress::finish() {
  if (!running_) return;
  running_ = false;
  phase_.clear();
  const double now = clock_();
  if (style_ == ProgressStyle::bar) {
    draw_bar(now);
    std::fputc('\n', stream_);
    std::fflush(stream_);
    bar_open_ = false;
  } else if (style_ == ProgressStyle::lines) {
    print_line(share(now));
  }
}

int Progress::percent() const {
  if (total_ == 0) return 100;
  return static_cast<int>(100 * (static_cast<long double>(done_) / total_));
}

/// Returns text such as `, step 500 of 1000 (50 s), change 1.2e-05`.
std::string Progress::steps_words() const {
  if (all_steps_ <= 1) return "";
  std::string words = fmt::format(", step {} of {}", steps_, all_steps_);
  if (!unit_.empty()) words += fmt::format(" ({:.6g} {})", double(steps_) * time_step_, unit_);
  if (change_) words += fmt::format(", change {:.2e}", *change_);
  return words;
}

void Progress::begin_steps(Index done, Index total, double time_step, const std::string& unit) {
  steps_ = done;
  all_steps_ = total;
  time_step_ = time_step;
  unit_ = one_line(unit);
}

/// Returns text such as `50 % done (compute), 12 s, about 12 s left`.
std::string Progress::share(double now) const {
  return fmt::format("{} % done{}{}, {}", percent(), phase_.empty() ? "" : " (" + phase_ + ")",
                     steps_words(), pace(now - began_, done_, total_));
}

void Progress::draw_bar(double now) {
  const int filled = percent() * bar_width / 100;
  // Trailing blanks overwrite the rest of a longer previous text.
  const std::string line = fmt::format(
      "\r[{:#<{}}{:.<{}}] {:3} %  {:<40}", "", filled, "", bar_width - filled, percent(),
      (phase_.empty() ? "" : phase_ + ", ") +
          (all_steps_ > 1 ? fmt::format("step {} of {}, ", steps_, all_steps_) : "") +
          pace(now - began_, done_, total_));
  std::fputs(line.c_str(), stream_);
  std::fflush(stream_);
  bar_open_ = true;
  printed_ = now;
}

// The prefix is not `stencil_run:` because only error lines begin with `stencil_run:`.
void Progress::print_line(const std::string& text) {
  std::fputs(fmt::format("progress: {}\n", text).c_str(), stream_);
  std::fflush(stream_);
}

}  // namespace stencil
