// Unusual but undamaged files, and damaged files that HDF5 would read forever: all are read or
// refused in limited time.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <hdf5_hl.h>
#include <sys/resource.h>

#include <chrono>

#include "framework/grid/error.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/probe.hpp"
#include "io/read/file_check.hpp"
#include "io/write/carry/output_attributes.hpp"
#include "io/write/carry/skipped.hpp"
#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using namespace testing;

double number(Index i) {
  return static_cast<double>(i);
}

/// Returns the processor time in seconds of this process and of its children that have ended.
double computing() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  return seconds;
}

Handle create_newest(const std::string& name) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  return {H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose};
}

constexpr int depth = 2000;

/// Work that is proportional to the size of the file takes 3 to 5 s on a quiet machine, and work
/// that grows with the square of the size takes many minutes. This limit lies between these times.
/// A process that inspects a file may compute for 10 s.
constexpr double seconds_if_linear = 30;

/// Writes a dataset in 2,000 nested groups, with one scale next to the dataset and one in a distant
/// group.
std::string write_nested(const std::string& name) {
  const Handle file = create_newest(name);
  Handle group(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
  std::string path;
  for (int i = 0; i < depth; ++i) {
    const std::string next = fmt::format("g{}", i);
    group =
        Handle(H5Gcreate2(group, next.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    path += "/" + next;
  }
  const Handle dataset = write_dataset(group, "x", {24, 40}, {}, number);
  const Handle near = write_dataset(group, "time", {24}, {}, number);
  const Handle far = write_dataset(file, "place", {40}, {}, number);
  set_text(near, "units", "s");
  H5DSset_scale(near, "time");
  H5DSset_scale(far, "place");
  H5DSattach_scale(dataset, near, 0);
  H5DSattach_scale(dataset, far, 1);
  return path + "/x";
}

TEST(OddFiles, a_dataset_in_two_thousand_nested_groups_is_found) {
  const Scratch scratch;
  const std::string path = write_nested(scratch / "a.h5");
  const double before = computing();
  const DatasetFacts facts = probe_dataset(scratch / "a.h5", path);
  EXPECT_EQ(facts.sampling_rate, (std::vector<double>{1, 0}));
  EXPECT_TRUE(facts.sampling_source[0].ends_with("/time"));
  EXPECT_LT(computing() - before, seconds_if_linear);
}

TEST(OddFiles, the_nearest_name_in_two_thousand_nested_groups_is_told) {
  const Scratch scratch;
  const std::string path = write_nested(scratch / "a.h5");
  const double before = computing();
  const Thrown thrown = thrown_by([&] { probe_dataset(scratch / "a.h5", "/y"); });
  EXPECT_EQ(thrown.status, Status::words) << thrown.message.substr(0, 200);
  // the middle of a long name is left out of the message
  EXPECT_NE(thrown.message.find(path.substr(path.size() - 40)), std::string::npos);
  EXPECT_NE(thrown.message.find("/place"), std::string::npos);
  EXPECT_LT(computing() - before, seconds_if_linear);
}

/// The object has more attributes than a number of 16 bits can count.
TEST(OddFiles, sixty_six_thousand_attributes_are_carried) {
  const Scratch scratch;
  {
    const Handle file = create_newest(scratch / "a.h5");
    const Handle dataset = write_dataset(file, "x", {24}, {}, number);
    const Handle scale = write_dataset(file, "t", {24}, {}, number);
    H5DSset_scale(scale, "t");
    H5DSattach_scale(dataset, scale, 0);
    for (int i = 0; i < 66'000; ++i) set_number(dataset, fmt::format("a{:06}", i), i);
  }
  const double before = computing();
  // the probe also copies all metadata to a file in memory
  EXPECT_EQ(probe_dataset(scratch / "a.h5", "x").dims, std::vector<Index>{24});
  EXPECT_LT(computing() - before, seconds_if_linear);
}

TEST(OddFiles, what_would_take_for_ever_is_refused_in_seconds) {
  const auto start = std::chrono::steady_clock::now();
  const Thrown thrown =
      thrown_by([] { probe_dataset(std::string(TEST_DATA) + "/attributes_slow.h5", "g/h/x"); });
  EXPECT_EQ(thrown.status, Status::storage);
  // the child is ended by the limit on processor time or, on a busy machine, by the limit on
  // elapsed time
  EXPECT_NE(thrown.message.find("be looked at"), std::string::npos) << thrown.message;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(25));
}

TEST(OddFiles, a_text_of_a_length_that_no_memory_holds_is_left_out_quickly) {
  const std::string name = std::string(TEST_DATA) + "/attributes_left_waiting.h5";
  const double before = computing();
  EXPECT_EQ(probe_dataset(name, "g/h/x").dims, (std::vector<Index>{24, 40}));
  const Handle file = storage::open_for_reading(name);
  const Handle group(H5Gopen2(file, "g", H5P_DEFAULT), H5Gclose);
  const Handle target = create_file(Scratch() / "out.h5");
  storage::Skipped skipped;
  // the function is called directly, not in a child process with limits
  storage::copy_attributes(group, target, {}, skipped);
  EXPECT_EQ(storage::attribute_names(target).size() + skipped.size(),
            storage::attribute_names(group).size());
  EXPECT_LT(computing() - before, 5);
}

TEST(OddFiles, attributes_that_h5py_could_not_list_are_left_out_and_told) {
  const Scratch scratch;
  const std::string name = std::string(TEST_DATA) + "/attributes_unreadable.h5";
  const Handle file = storage::open_for_reading(name);
  const storage::DatasetPath input = storage::open_dataset(file, name, "x");
  const Handle target = create_file(scratch / "out.h5");
  storage::Skipped skipped;
  storage::copy_attributes(input.dataset, target, {}, skipped);
  // a name that is not UTF-8, and an integer type whose first bit is after its last bit
  EXPECT_EQ(skipped, (std::vector<std::string>{"attribute add_offset of /x",
                                               "attribute s\\xdaale_factor of /x"}));
  EXPECT_TRUE(storage::attribute_names(target).empty());
}

/// Returns notes on the attributes of a dataset in tests/data that are not copied, and the names of
/// the attributes that are copied.
std::pair<storage::Skipped, std::vector<std::string>> carried_of(const std::string& data) {
  const Scratch scratch;
  const std::string name = std::string(TEST_DATA) + "/" + data;
  const Handle file = storage::open_for_reading(name);
  const storage::DatasetPath input = storage::open_dataset(file, name, "g/h/x");
  const Handle target = create_file(scratch / "out.h5");
  storage::Skipped skipped;
  storage::copy_attributes(input.dataset, target, {}, skipped);
  return {skipped, storage::attribute_names(target)};
}

TEST(OddFiles, attributes_whose_values_lie_behind_their_header_are_left_out_and_told) {
  const auto [skipped, names] = carried_of("attribute_values_beyond_header.h5");
  EXPECT_EQ(skipped, storage::Skipped{"attribute number_4 of /g/h/x"});
  EXPECT_EQ(names.size(), 15);
}

TEST(OddFiles, attributes_of_types_that_h5py_cannot_ask_for_are_left_out_and_told) {
  EXPECT_EQ(carried_of("attribute_member_beyond_type.h5").first,
            storage::Skipped{"attribute pair of /g/h/x"});
  EXPECT_EQ(carried_of("attribute_opaque_tag.h5").first,
            storage::Skipped{"attribute units of /g/h/x"});
}

TEST(OddFiles, numbers_that_lie_behind_their_header_are_not_read) {
  const std::string name = std::string(TEST_DATA) + "/attribute_values_beyond_header.h5";
  const Handle file = storage::open_for_reading(name);
  const storage::DatasetPath input = storage::open_dataset(file, name, "g/h/x");
  EXPECT_EQ(storage::attribute_number(input.dataset, "number_4"), std::nullopt);
  EXPECT_EQ(storage::attribute_number(input.dataset, "number_5"), 5);
}

TEST(OddFiles, attributes_with_a_dataspace_of_no_known_class_are_left_out_and_told) {
  const auto [skipped, names] = carried_of("attribute_space_class.h5");
  EXPECT_EQ(skipped, storage::Skipped{"attribute units of /g/h/x"});
  EXPECT_EQ(names, std::vector<std::string>{"sampling"});
}

TEST(OddFiles, attributes_of_types_that_no_reader_knows_are_left_out_and_told) {
  const Scratch scratch;
  const Handle file = create_file(scratch / "a.h5");
  const Handle bias(H5Tcopy(H5T_IEEE_F32LE), H5Tclose);
  H5Tset_ebias(bias, 100);
  const Handle pair(H5Tcreate(H5T_COMPOUND, 16), H5Tclose);
  H5Tinsert(pair, "r", 0, H5T_IEEE_F64LE);
  H5Tinsert(pair, "i", 8, H5T_IEEE_F64LE);
  const Handle damaged(H5Tcreate(H5T_COMPOUND, 8), H5Tclose);
  H5Tinsert(damaged, "\xda", 0, H5T_IEEE_F64LE);
  const Handle truth(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose);
  const std::int8_t no = 0, yes = 1;
  H5Tenum_insert(truth, "FALSE", &no);
  H5Tenum_insert(truth, "TRUE", &yes);
  const hsize_t three = 3;
  const Handle array(H5Tarray_create2(H5T_IEEE_F32BE, 1, &three), H5Tclose);
  const double values[3]{1, 2, 3};
  const Handle source(H5Gcreate2(file, "from", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  const Handle target(H5Gcreate2(file, "to", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  set_attribute(source, "bias", bias, values);
  set_attribute(source, "pair", pair, values);
  set_attribute(source, "damaged", damaged, values);
  set_attribute(source, "truth", truth, yes);
  set_attribute(source, "array", array, values);
  set_attribute(source, "time", H5T_UNIX_D32LE, values);
  storage::Skipped skipped;
  storage::copy_attributes(source, target, {}, skipped);
  EXPECT_EQ(skipped,
            (std::vector<std::string>{"attribute bias of /from", "attribute damaged of /from",
                                      "attribute time of /from"}));
  EXPECT_EQ(storage::attribute_names(target), (std::vector<std::string>{"array", "pair", "truth"}));
}

/// Attributes with references are never copied, so the caller must name them.
TEST(OddFiles, attributes_with_references_are_returned_even_if_the_target_has_their_names) {
  const Scratch scratch;
  const Handle file = create_newest(scratch / "a.h5");
  const Handle source(H5Gcreate2(file, "from", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  const Handle target(H5Gcreate2(file, "to", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  hobj_ref_t to_target = 0;
  ASSERT_GE(H5Rcreate(&to_target, file, "to", H5R_OBJECT, -1), 0);
  for (const char* name : {"excepted", "existing", "new"})
    set_attribute(source, name, H5T_STD_REF_OBJ, to_target);
  set_number(source, "number", 1);
  set_number(target, "existing", 2);
  storage::Skipped skipped;
  EXPECT_EQ(storage::copy_attributes(source, target, {"excepted"}, skipped),
            (std::vector<std::string>{"excepted", "existing", "new"}));
  EXPECT_TRUE(skipped.empty());
  EXPECT_EQ(storage::attribute_names(target), (std::vector<std::string>{"existing", "number"}));
}

TEST(OddFiles, floating_point_numbers_of_another_format_are_refused) {
  const Thrown thrown =
      thrown_by([] { probe_dataset(std::string(TEST_DATA) + "/float_bias.h5", "x"); });
  EXPECT_EQ(thrown.status, Status::words);
  EXPECT_NE(thrown.message.find("none of IEEE 754's"), std::string::npos) << thrown.message;
}

TEST(OddFiles, integers_whose_bits_are_not_within_their_bytes_are_refused) {
  const Thrown thrown = thrown_by(
      [] { probe_dataset(std::string(TEST_DATA) + "/integer_without_bits.h5", "g/h/x"); });
  EXPECT_EQ(thrown.status, Status::words);
  EXPECT_NE(thrown.message.find("precision or offset"), std::string::npos) << thrown.message;
}

TEST(OddFiles, a_fill_value_that_hdf5_refuses_is_refused) {
  const Thrown thrown =
      thrown_by([] { probe_dataset(std::string(TEST_DATA) + "/fill_value_invalid.h5", "g/h/x"); });
  EXPECT_EQ(thrown.status, Status::storage);
  EXPECT_NE(thrown.message.find("fill value"), std::string::npos) << thrown.message;
}

TEST(OddFiles, lines_that_the_szip_decoder_does_not_know_are_refused) {
  const Thrown thrown =
      thrown_by([] { probe_dataset(std::string(TEST_DATA) + "/szip_line_too_long.h5", "g/h/x"); });
  EXPECT_EQ(thrown.status, Status::storage);
  EXPECT_NE(thrown.message.find("its filter szip"), std::string::npos) << thrown.message;
}

TEST(OddFiles, a_shuffle_of_elements_without_bytes_is_refused) {
  const Thrown thrown =
      thrown_by([] { probe_dataset(std::string(TEST_DATA) + "/shuffle_of_nothing.h5", "g/h/x"); });
  EXPECT_EQ(thrown.status, Status::storage);
  EXPECT_NE(thrown.message.find("its filter shuffle"), std::string::npos) << thrown.message;
}

TEST(OddFiles, an_szip_stream_that_ends_early_is_refused) {
  const Thrown thrown =
      thrown_by([] { probe_dataset(std::string(TEST_DATA) + "/szip_cut_off.h5", "g/h/x"); });
  EXPECT_EQ(thrown.status, Status::storage);
  EXPECT_NE(thrown.message.find("szip stream is damaged"), std::string::npos) << thrown.message;
}

TEST(OddFiles, the_floating_point_formats_of_processors_are_read) {
  const Scratch scratch;
  const auto made = [](std::size_t bytes, std::size_t exponent, std::size_t bias, H5T_norm_t norm) {
    Handle type(H5Tcopy(H5T_IEEE_F64LE), H5Tclose);
    const std::size_t bits = 8 * bytes, fraction = bits - 1 - exponent;
    H5Tset_fields(type, bits - 1, fraction, exponent, 0, fraction);
    H5Tset_precision(type, bits);
    H5Tset_size(type, bytes);
    H5Tset_ebias(type, bias);
    H5Tset_norm(type, norm);
    return type;
  };
  const auto status = [&](const Handle& type) {
    write_dataset(create_file(scratch / "a.h5"), "x", {24}, {.file_type = type}, number);
    return thrown_by([&] { probe_dataset(scratch / "a.h5", "x"); }).status;
  };
  const Handle half = made(2, 5, 15, H5T_NORM_IMPLIED), bfloat = made(2, 8, 127, H5T_NORM_IMPLIED);
  EXPECT_EQ(status(half), Status::done);
  EXPECT_EQ(status(bfloat), Status::done);
  const Handle turned(H5Tcopy(half), H5Tclose);
  H5Tset_order(turned, H5T_ORDER_BE);
  EXPECT_EQ(status(turned), Status::done);
  EXPECT_EQ(status(made(4, 8, 127, H5T_NORM_IMPLIED)), Status::done);
  EXPECT_EQ(status(made(4, 8, 126, H5T_NORM_IMPLIED)), Status::words);
  EXPECT_EQ(status(made(4, 9, 127, H5T_NORM_IMPLIED)), Status::words);
  EXPECT_EQ(status(made(8, 11, 1023, H5T_NORM_NONE)), Status::words);
  EXPECT_EQ(status(made(2, 5, 14, H5T_NORM_IMPLIED)), Status::words);
}

}  // namespace
}  // namespace stencil
