// The files that a run opens: the input, and no file that the input refers to.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using namespace testing;

int status_of(const std::string& command) {
  const int ended = std::system((command + " > /dev/null 2>&1").c_str());
  return WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
}

/// Writes a dataset of 64 points with the number of a filter that only a plugin could provide.
void write_with_unknown_filter(const std::string& name) {
  write_dataset(create_file(name), "data", {64}, {.chunk = {64}, .gzip = 1},
                [](Index i) { return double(i); });
  std::string bytes = bytes_of(name);
  const std::string message{"\x01\x01\0\0\0\0\0\0\x01\0", 10};  // version 1, one filter, deflate
  const std::size_t at = bytes.find(message);
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at + 8, 2, std::string("\x11\x7d", 2));  // 32017, registered for another filter
  write_bytes(name, bytes);
}

TEST(OpenedFiles, no_plugin_is_loaded_even_where_the_environment_names_one) {
  const Scratch scratch, plugins;
  write_with_unknown_filter(scratch / "f.h5");
  std::filesystem::copy_file(TRIPWIRE, plugins / "libtripwire.so");
  const std::string trace = scratch / "trace";
  const std::string command = "HDF5_PLUGIN_PATH=" + plugins.folder() +
                              " STENCIL_TRIPWIRE=" + trace + " " READER " " + (scratch / "f.h5") +
                              " data";
  EXPECT_EQ(status_of(command), 3);
  EXPECT_FALSE(std::filesystem::exists(trace));
  status_of(command + " trusting");
  EXPECT_TRUE(std::filesystem::exists(trace)) << "the tripwire does not work: nothing was tried";
}

/// Returns the files below a folder that a command opened, according to strace; std::nullopt if
/// strace cannot be used.
std::optional<std::vector<std::string>> opened_below(const std::string& folder,
                                                     const std::string& command) {
  const Scratch scratch;
  const std::string log = scratch / "log";
  const std::string strace = "strace -f -e trace=open,openat -o " + log + " ";
  if (status_of(strace + "true") != 0) return std::nullopt;
  status_of(strace + command);
  std::vector<std::string> names;
  std::ifstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find("\"" + folder + "/");
    if (at == std::string::npos || line.find(" = -1 ") != std::string::npos) continue;
    const std::string name = line.substr(at + 2 + folder.size());
    names.push_back(name.substr(0, name.find('"')));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

TEST(OpenedFiles, are_the_input_and_nothing_that_it_names) {
  const Scratch scratch;
  const auto number = [](Index i) { return double(i); };
  std::filesystem::create_directory(scratch / "in");
  write_bytes(scratch / "secret", std::string(4096, 'x'));
  write_dataset(create_file(scratch / "other.h5"), "data", {16}, {}, number);
  {
    const Handle file = create_file(scratch / "in/a.h5");
    write_dataset(file, "plain", {16}, {}, number);
    const hsize_t extent = 16;
    const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
    const auto create = [&](const char* name, hid_t creation) {
      Handle(H5Dcreate2(file, name, H5T_NATIVE_FLOAT, space, H5P_DEFAULT, creation, H5P_DEFAULT),
             H5Dclose);
    };
    const Handle external(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_external(external, (scratch / "secret").c_str(), 0, 64);
    create("external", external);
    const Handle elsewhere(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_virtual(elsewhere, space, "../other.h5", "data", space);
    create("virtual", elsewhere);
    H5Lcreate_external("../other.h5", "/data", file, "link", H5P_DEFAULT, H5P_DEFAULT);
  }
  for (const std::string dataset : {"plain", "external", "virtual", "link"}) {
    SCOPED_TRACE(dataset);
    const std::string command = READER " " + (scratch / "in/a.h5") + " " + dataset;
    const auto opened = opened_below(scratch.folder(), command);
    if (!opened) GTEST_SKIP() << "SKIPPED: strace is not there, or may not trace";
    EXPECT_EQ(*opened, std::vector<std::string>{"in/a.h5"});
    const auto trusting = opened_below(scratch.folder(), command + " trusting");
    // shows that the test detects opened files
    EXPECT_EQ(trusting->size(), dataset == "plain" ? 1u : 2u);
  }
}

}  // namespace
}  // namespace stencil
