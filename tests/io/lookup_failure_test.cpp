// Failed reads of the input are errors: an object that cannot be read is not treated as absent.
#include <dlfcn.h>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <hdf5_hl.h>
#include <unistd.h>

#include <cerrno>

#include "framework/grid/error.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/suggestions.hpp"
#include "io/read/file_check.hpp"
#include "io/read/inspect.hpp"
#include "io/write/carry/output_attributes.hpp"
#include "io/write/carry/output_scales.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"
#include "tests/io/scratch.hpp"

namespace {

std::string watched_file;
int reads = 0, failing_read = 0;

bool is_watched(int descriptor) {
  char name[4096]{};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = ::readlink(link.c_str(), name, sizeof name - 1);
  return !watched_file.empty() && length > 0 && watched_file == name;
}

}  // namespace

/// Replaces the function of libc, which HDF5 calls for every read.
extern "C" ssize_t pread(int descriptor, void* to, size_t bytes, off_t at) {
  static const auto system_pread =
      reinterpret_cast<ssize_t (*)(int, void*, size_t, off_t)>(::dlsym(RTLD_NEXT, "pread"));
  if (is_watched(descriptor) && ++reads == failing_read) {
    errno = EIO;
    return -1;
  }
  return system_pread(descriptor, to, bytes, at);
}

namespace stencil {
namespace {

using namespace testing;

double number(Index i) {
  return static_cast<double>(i);
}

void attach(hid_t dataset, unsigned axis, hid_t scale, const char* name) {
  H5DSset_scale(scale, name);
  H5DSattach_scale(dataset, scale, axis);
}

/// Writes a dataset with scales (one in a distant group, one of strings of variable length), labels
/// and attributes.
void write_rich(const std::string& name, const std::string& path) {
  const Handle file = create_file(name);
  const Handle dataset =
      write_dataset(file, path, {24, 40}, {.chunk = {12, 40}, .gzip = 1}, number);
  const Handle time = write_dataset(file, "g/time", {24}, {.chunk = {10}}, number);
  const Handle place = write_dataset(file, "far/away/place", {40}, {}, number);
  set_text(time, "units", "s");
  attach(dataset, 0, time, "time");
  attach(dataset, 1, place, "place");
  H5DSset_label(dataset, 1, "along");
  // more than the eight attributes that an object header holds in compact storage
  for (int i = 0; i < 12; ++i) {
    set_number(dataset, "number " + std::to_string(i), i);
    set_text(place, "text " + std::to_string(i), std::string(100, 'a'));
  }
  const Handle group(H5Gopen2(file, "g", H5P_DEFAULT), H5Gclose);
  set_number(group, "OutputDataRate", 5);
  set_number(dataset, "_FillValue", -9);
}

/// Returns as text all metadata that are copied to an output in memory.
std::string carried(const std::string& name, const std::string& path) {
  const DatasetFacts facts = storage::inspect(name, path);
  std::string words = serialize(facts);
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access, 1 << 16, false);
  const Handle file(H5Fcreate((name + "/none").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access),
                    H5Fclose);
  std::vector<Handle> groups;
  groups.emplace_back(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
  const Handle dataset = create_dataset(file, "out", {24, 40}, {});
  OutputSpec spec;
  spec.input = facts;
  spec.sampling = {{.extent = 24, .count = 24}, {.extent = 40, .count = 40}};
  spec.form = NormalForm({24, 40}, {});
  spec.missing_value = -9;  // without a missing value, the input's _FillValue would be left out
  storage::Skipped skipped;
  const Handle input = storage::open_for_reading(name);
  const storage::DatasetPath from = storage::open_dataset(input, name, path);
  storage::carry_scales(from, groups[0], dataset, spec, skipped);
  storage::carry_group_attributes(from, groups, spec, skipped);
  storage::carry_dataset_attributes(from, dataset, spec, skipped);
  for (const std::string& text : skipped) words += " skipped " + text;
  const auto tell = [](hid_t, const char* link, const H5O_info_t* info, void* text) -> herr_t {
    static_cast<std::string*>(text)->append(
        fmt::format("; {} has {}", link, static_cast<int>(info->num_attrs)));
    return 0;
  };
  H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, tell, &words, H5O_INFO_ALL);
  return words;
}

TEST(LookupFailure, every_single_failed_read_is_an_error_or_loses_nothing) {
  const Scratch scratch;
  const std::string name = scratch / "a.h5";
  write_rich(name, "g/h/x");
  watched_file = std::filesystem::canonical(name);
  const std::string sound = carried(name, "g/h/x");
  EXPECT_NE(sound.find("place has"), std::string::npos) << sound;
  EXPECT_EQ(sound.find("skipped"), std::string::npos) << sound;
  int failed = 0;
  for (failing_read = 1;; ++failing_read) {
    reads = 0;
    std::string words;
    const Thrown thrown = thrown_by([&] { words = carried(name, "g/h/x"); });
    if (thrown.status == Status::done)
      EXPECT_EQ(words, sound) << "read " << failing_read;
    else
      EXPECT_EQ(thrown.status, Status::storage) << failing_read << ": " << thrown.message;
    failed += thrown.status != Status::done;
    if (reads < failing_read) break;  // no further read can fail
    ASSERT_LT(failing_read, 1000);
  }
  EXPECT_GT(failed, 10);
  failing_read = 0;
}

TEST(LookupFailure, the_nearest_names_are_not_told_where_the_search_fails) {
  const Scratch scratch;
  const std::string name = scratch / "a.h5";
  write_rich(name, "g/h/x");
  watched_file = std::filesystem::canonical(name);
  int storage_errors = 0;
  for (failing_read = 1;; ++failing_read) {
    reads = 0;
    const Thrown thrown = thrown_by([&] { storage::inspect(name, "g/h/y"); });
    if (thrown.status == Status::words)
      EXPECT_NE(thrown.message.find("/g/h/x"), std::string::npos) << thrown.message;
    else
      EXPECT_EQ(thrown.status, Status::storage) << thrown.message;
    storage_errors += thrown.status == Status::storage;
    if (reads < failing_read) break;
    ASSERT_LT(failing_read, 1000);
  }
  EXPECT_GT(storage_errors, 3);
  failing_read = 0;
}

}  // namespace
}  // namespace stencil
