#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "drivers/run.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {
namespace {

namespace fs = std::filesystem;

/// Whether two names mean one file, there or not.
bool is_same(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  return fs::weakly_canonical(fs::absolute(a), error) ==
         fs::weakly_canonical(fs::absolute(b), error);
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
    if (is_same(config.report, file))
      throw WordsError(
          fmt::format("--report {} would overwrite {}, which the run needs: choose another "
                      "name",
                      one_line(config.report), one_line(file)));
  const fs::path folder = fs::absolute(config.report).parent_path();
  std::error_code error;
  if (!fs::is_directory(folder, error)) refuse(config.report, "its folder is not there");
  if (fs::is_directory(config.report, error)) refuse(config.report, "it is a folder");
  // trying is the only test that holds for root, too
  const std::string unfinished = config.report + ".part";
  const bool is_possible = std::ofstream(unfinished, std::ios::app).is_open();
  const int reason = errno;
  if (!is_possible) refuse(config.report, std::strerror(reason));
  ::unlink(unfinished.c_str());
}

void write_report(const std::string& file, const std::string& report) {
  const std::string unfinished = file + ".part";
  std::ofstream out(unfinished, std::ios::binary | std::ios::trunc);
  out << report;
  out.close();
  if (!out || std::rename(unfinished.c_str(), file.c_str()) != 0) {
    const int error = errno;
    ::unlink(unfinished.c_str());
    refuse(file, std::strerror(error));
  }
}

}  // namespace stencil
