#include "drivers/job/report_file.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {
namespace {

namespace fs = std::filesystem;

/// Whether two names mean the same file, which need not exist.
bool is_same(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  return fs::weakly_canonical(fs::absolute(a), error) ==
         fs::weakly_canonical(fs::absolute(b), error);
}

/// Whether a name is that of a device, a pipe or the like, which is written to instead of replaced.
bool is_special(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  return fs::exists(status) && !fs::is_regular_file(status);
}

/// The name with links resolved; the file need not exist.
fs::path place_of(const fs::path& file) {
  std::error_code error;
  const fs::path place = fs::canonical(file, error);
  if (!error) return place;
  const fs::path target = fs::read_symlink(file, error);
  return error ? file : file.parent_path() / target;
}

[[noreturn]] void refuse(const std::string& file, const char* why) {
  throw StorageError(fmt::format("--report {}: {}: choose another place", one_line(file), why));
}

}  // namespace

void check_report(const Plan& plan, const Config& config) {
  if (config.report.empty()) return;
  std::vector<std::string> taken = plan.output.also_read;
  const std::string& output = plan.output.file;
  taken.insert(taken.end(), {plan.input.file, output, output + ".part", output + ".lock"});
  for (const std::string& file : taken)
    for (const std::string& own : {config.report, plan.watching.lines})
      if (!own.empty() && is_same(own, file))
        throw WordsError(
            fmt::format("--report {} would overwrite {}, which the run needs: choose another "
                        "name",
                        one_line(config.report), one_line(file)));
  const fs::path folder = fs::absolute(config.report).parent_path();
  std::error_code error;
  if (!fs::is_directory(folder, error)) refuse(config.report, "its folder is not there");
  if (fs::is_directory(config.report, error)) refuse(config.report, "it is a folder");
  if (is_special(config.report)) {
    if (::access(config.report.c_str(), W_OK) != 0) refuse(config.report, std::strerror(errno));
    return;
  }
  // only an attempt to write tells this for root as well
  const std::string unfinished = place_of(config.report).string() + ".part";
  const bool is_possible = std::ofstream(unfinished, std::ios::app).is_open();
  const int reason = errno;
  if (!is_possible) refuse(config.report, std::strerror(reason));
  ::unlink(unfinished.c_str());
}

void write_report(const std::string& file, const std::string& report) {
  if (is_special(file)) {
    std::ofstream out(file, std::ios::binary);
    out << report;
    out.close();
    if (!out) refuse(file, std::strerror(errno));
    return;
  }
  const std::string place = place_of(file).string(), unfinished = place + ".part";
  std::ofstream out(unfinished, std::ios::binary | std::ios::trunc);
  out << report;
  out.close();
  if (!out || std::rename(unfinished.c_str(), place.c_str()) != 0) {
    const int error = errno;
    ::unlink(unfinished.c_str());
    refuse(file, std::strerror(error));
  }
}

}  // namespace stencil
