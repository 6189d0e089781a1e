// Tests of parsing an object's header without HDF5. In undamaged files, the sizes of attributes
// must be the same as those that HDF5 reports. Damaged files must not cause an exception.
#include "io/hdf5/attribute_messages.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "io/hdf5/attributes.hpp"
#include "io/read/file_check.hpp"
#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using namespace testing;

/// The format in which the file of a test is written.
struct Format {
  std::string name{};
  H5F_libver_t oldest = H5F_LIBVER_EARLIEST;
  bool tracks_order = false;
  hsize_t user_block = 0;
  std::size_t size_of_address = 8, size_of_length = 8;
  /// Largest number of attributes that HDF5 stores in the header of an object. If there are more,
  /// HDF5 uses dense storage, provided that the format supports it.
  unsigned most_in_header = 200;
  bool shares_attributes = false;
};

void PrintTo(const Format& format, std::ostream* to) {  // called by googletest
  *to << format.name;
}

void add(hid_t object, const std::string& name, hid_t type, hid_t space, const void* values) {
  const Handle creation(H5Pcreate(H5P_ATTRIBUTE_CREATE), H5Pclose);
  if ((name.back() & 0x80) != 0) H5Pset_char_encoding(creation, H5T_CSET_UTF8);
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space, creation, H5P_DEFAULT),
                         H5Aclose);
  if (values) H5Awrite(attribute, type, values);
}

/// Adds attributes of every kind, then so many numbers that the header continues in another block.
void add_attributes(hid_t file, hid_t object) {
  const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose), null(H5Screate(H5S_NULL), H5Sclose);
  const hsize_t dims[]{3, 5};
  const Handle grid(H5Screate_simple(2, dims, nullptr), H5Sclose);
  const Handle text(H5Tcopy(H5T_C_S1), H5Tclose), words(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(text, 13);
  H5Tset_size(words, H5T_VARIABLE);
  const Handle stored(H5Tcopy(H5T_IEEE_F32BE), H5Tclose);
  H5Tcommit2(file, "type", stored, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const Handle pair(H5Tcreate(H5T_COMPOUND, 9), H5Tclose);
  H5Tinsert(pair, "number", 0, H5T_IEEE_F64LE);
  H5Tinsert(pair, "flag", 8, H5T_STD_I8LE);
  const std::vector<char> zeros(1000);
  const char* const spoken = "of varying length";
  add(object, "text", text, scalar, "twelve bytes");
  add(object, "words", words, scalar, &spoken);
  add(object, "none", H5T_IEEE_F64LE, null, nullptr);
  add(object, "grid", H5T_STD_I16LE, grid, zeros.data());
  add(object, "pair", pair, scalar, zeros.data());
  add(object, "of a stored type", stored, grid, zeros.data());
  add(object, "\xc3\xa4\xc3\xb6\xc3\xbc", H5T_IEEE_F64LE, scalar, zeros.data());
  for (int i = 0; i < 100; ++i) set_number(object, fmt::format("number {}", i), i);
  H5Adelete(object, "number 7");
  add(object, "instead", H5T_STD_I8LE, scalar, zeros.data());
}

/// Writes a group g that contains a dataset x; both have attributes.
void write_file(const std::string& name, const Format& format) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access, format.oldest, H5F_LIBVER_LATEST);
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_userblock(creation, format.user_block);
  H5Pset_sizes(creation, format.size_of_address, format.size_of_length);
  if (format.shares_attributes) {
    H5Pset_shared_mesg_nindexes(creation, 1);
    H5Pset_shared_mesg_index(creation, 0, H5O_SHMESG_ATTR_FLAG, 1);
  }
  const Handle file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose);
  const auto prepare = [&](hid_t of_object) {
    const unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    if (format.tracks_order) H5Pset_attr_creation_order(of_object, order);
    H5Pset_attr_phase_change(of_object, format.most_in_header, 0);
  };
  const Handle of_group(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  const Handle of_dataset(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (format.oldest != H5F_LIBVER_EARLIEST) prepare(of_group), prepare(of_dataset);
  const Handle group(H5Gcreate2(file, "g", H5P_DEFAULT, of_group, H5P_DEFAULT), H5Gclose);
  const hsize_t points = 24;
  const Handle line(H5Screate_simple(1, &points, nullptr), H5Sclose);
  const Handle dataset(
      H5Dcreate2(group, "x", H5T_IEEE_F32LE, line, H5P_DEFAULT, of_dataset, H5P_DEFAULT), H5Dclose);
  add_attributes(file, group);
  // HDF5 continues headers in blocks elsewhere, between the objects that were made before and after
  add_attributes(group, dataset);
}

/// Returns the size of each attribute's values according to HDF5. In old headers, messages end at
/// multiples of 8 bytes: if this explains why the element of `room` is larger, that element is
/// returned.
storage::AttributeRoom told_by_hdf5(hid_t object, const Format& format,
                                    const storage::AttributeRoom& room) {
  storage::AttributeRoom sizes;
  for (const std::string& name : storage::attribute_names(object)) {
    const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
    const auto size = static_cast<Index>(H5Aget_storage_size(attribute));
    const auto held = room.find(name);
    const bool is_padded = format.oldest == H5F_LIBVER_EARLIEST && held != room.end() &&
                           held->second > size && held->second < size + 8;
    sizes[name] = is_padded ? held->second : size;
  }
  return sizes;
}

class AttributeMessages : public ::testing::TestWithParam<Format> {};

TEST_P(AttributeMessages, hold_as_many_bytes_as_the_attributes_of_a_sound_file) {
  const Scratch scratch;
  write_file(scratch / "a.h5", GetParam());
  const Handle file = storage::open_for_reading(scratch / "a.h5");
  for (const char* name : {"g", "g/x"}) {
    const Handle object(H5Oopen(file, name, H5P_DEFAULT), H5Oclose);
    const storage::AttributeRoom room = storage::attribute_room(object);
    EXPECT_EQ(room.size(), 107);
    EXPECT_EQ(room, told_by_hdf5(object, GetParam(), room)) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Formats, AttributeMessages,
    ::testing::Values(
        Format{.name = "old"}, Format{.name = "old_behind_user_block", .user_block = 2048},
        Format{.name = "old_with_short_addresses", .size_of_address = 4, .size_of_length = 4},
        Format{.name = "latest", .oldest = H5F_LIBVER_LATEST},
        Format{.name = "latest_in_order", .oldest = H5F_LIBVER_LATEST, .tracks_order = true},
        Format{.name = "latest_behind_user_block", .oldest = H5F_LIBVER_LATEST, .user_block = 512}),
    [](const auto& tested) { return tested.param.name; });

TEST(AttributeMessages, stored_outside_of_the_header_are_not_listed) {
  const Scratch scratch;
  const Format dense{.oldest = H5F_LIBVER_LATEST, .most_in_header = 8};
  const Format shared{.oldest = H5F_LIBVER_LATEST, .shares_attributes = true};
  for (const Format& format : {dense, shared}) {
    write_file(scratch / "a.h5", format);
    const Handle file = storage::open_for_reading(scratch / "a.h5");
    const Handle object(H5Oopen(file, "g/x", H5P_DEFAULT), H5Oclose);
    EXPECT_EQ(storage::attribute_names(object).size(), 107);
    EXPECT_TRUE(storage::attribute_room(object).empty());
  }
}

TEST(AttributeMessages, of_a_file_that_is_being_written_are_not_listed) {
  const Scratch scratch;
  write_file(scratch / "a.h5", {});
  const Handle file(H5Fopen((scratch / "a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
  const Handle object(H5Oopen(file, "g/x", H5P_DEFAULT), H5Oclose);
  set_number(object, "not on the disk yet", 1);
  EXPECT_TRUE(storage::attribute_room(object).empty());
}

/// Changes bytes of a file that HDF5 has open, after HDF5 has read its headers.
class Damage {
 public:
  explicit Damage(const std::string& name) : name_(name), sound_(bytes_of(name)) {}
  const std::string& sound() const { return sound_; }
  void replace(std::size_t at, const std::string& bytes) {
    std::fstream(name_, std::ios::binary | std::ios::in | std::ios::out)
        .seekp(static_cast<long>(at))
        .write(bytes.data(), static_cast<long>(bytes.size()));
  }
  void mend(std::size_t at, std::size_t size) { replace(at, sound_.substr(at, size)); }
  void cut(std::size_t size) { std::filesystem::resize_file(name_, size); }

 private:
  std::string name_, sound_;
};

std::string little_endian(std::uint64_t number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

TEST(AttributeMessages, whose_block_leads_back_to_itself_end) {
  const Scratch scratch;
  write_file(scratch / "a.h5", {.oldest = H5F_LIBVER_LATEST});
  const Handle file = storage::open_for_reading(scratch / "a.h5");
  const Handle object(H5Oopen(file, "g/x", H5P_DEFAULT), H5Oclose);
  const std::size_t all = storage::attribute_room(object).size();
  Damage damage(scratch / "a.h5");
  std::size_t changed = 0;
  for (std::size_t at = damage.sound().find("OCHK"); at != std::string::npos;
       at = damage.sound().find("OCHK", at + 1), ++changed)  // in the headers of group and dataset
    damage.replace(at + 4, std::string("\x10\x10\0\0", 4) + little_endian(at) + little_endian(64));
  ASSERT_GT(changed, 2);
  const std::size_t rest = storage::attribute_room(object).size();
  EXPECT_GT(rest, 0);
  EXPECT_LT(rest, all);
}

TEST(AttributeMessages, are_walked_in_damaged_headers_without_an_error) {
  const Scratch scratch;
  for (const H5F_libver_t oldest : {H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST}) {
    write_file(scratch / "a.h5", {.oldest = oldest});
    const Handle file = storage::open_for_reading(scratch / "a.h5");
    const Handle object(H5Oopen(file, "g", H5P_DEFAULT), H5Oclose);
    const storage::AttributeRoom sound = storage::attribute_room(object);
    H5O_info_t info{};
    H5Oget_info2(object, &info, H5O_INFO_BASIC);
    Damage damage(scratch / "a.h5");
    std::size_t differing = 0;
    for (std::size_t at = info.addr; at < info.addr + 600; ++at) {
      for (const char* byte : {"\0", "\x10", "\x7f", "\xff"}) {
        damage.replace(at, std::string(byte, 1));
        storage::AttributeRoom room;
        EXPECT_NO_THROW(room = storage::attribute_room(object)) << at;
        differing += room != sound;
      }
      damage.mend(at, 1);
    }
    EXPECT_EQ(storage::attribute_room(object), sound);
    EXPECT_GT(differing, 50);
    for (std::size_t size = damage.sound().size(); size > info.addr; size -= size / 100 + 1) {
      damage.cut(size);
      EXPECT_NO_THROW(storage::attribute_room(object)) << size;
    }
    EXPECT_LT(storage::attribute_room(object).size(), sound.size());
  }
}

TEST(AttributeMessages, of_a_longer_space_than_they_hold_have_no_room) {
  const Scratch scratch;
  write_file(scratch / "a.h5", {});
  Damage damage(scratch / "a.h5");
  // a message of version 1: sizes of name, type and space, then the name
  const std::size_t at = damage.sound().find(std::string("number 42\0", 10));
  ASSERT_NE(at, std::string::npos);
  ASSERT_EQ(damage.sound()[at - 2], 8);
  for (std::size_t found = at; found != std::string::npos;
       found = damage.sound().find(std::string("number 42\0", 10), found + 1))
    damage.replace(found - 2, "\xf7");
  const Handle file = storage::open_for_reading(scratch / "a.h5");
  const Handle object(H5Oopen(file, "g/x", H5P_DEFAULT), H5Oclose);
  EXPECT_EQ(storage::attribute_room(object).at("number 42"), 16 - 248);
  EXPECT_EQ(storage::attribute_room(object).at("number 41"), 8);
}

}  // namespace
}  // namespace stencil
