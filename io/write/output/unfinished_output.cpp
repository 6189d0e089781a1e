#include "io/write/output/unfinished_output.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/hdf5/system_error.hpp"
#include "io/write/blocks/file_seal.hpp"
#include "io/write/lock/fresh_file.hpp"
#include "io/write/lock/part_file.hpp"
#include "io/write/output_paths.hpp"
#include "io/write/write_errors.hpp"

namespace stencil {
namespace {

using Json = nlohmann::json;

const std::string kind = "stencil: an unfinished output, 3\n";

Json bytes_of(const std::vector<storage::Written>& records) {
  Json::binary_t bytes;
  bytes.resize(records.size() * sizeof(records[0]));
  if (!records.empty()) std::memcpy(bytes.data(), records.data(), bytes.size());
  return Json(std::move(bytes));
}

std::vector<storage::Written> records_from(const Json& json) {
  const Json::binary_t& bytes = json.get_binary();
  std::vector<storage::Written> records(bytes.size() / sizeof(storage::Written));
  if (!records.empty())
    std::memcpy(records.data(), bytes.data(), records.size() * sizeof(records[0]));
  return records;
}

[[noreturn]] void refuse(const std::string& what, const std::string& file, int error) {
  throw StorageError(fmt::format("cannot {} {}: {}: {}", what, one_line(file), std::strerror(error),
                                 storage::remedy_of(error)));
}

[[noreturn]] void refuse_damaged(const std::string& file) {
  throw DamagedRecord(fmt::format(
      "{} is damaged, or no checkpoint of this program: remove it to start from the beginning",
      one_line(file)));
}

/// Parses the content of a record. @throws Json::exception  the bytes are not a record
UnfinishedOutput content_from(const std::string& bytes, std::size_t head) {
  const Json json = Json::from_cbor(bytes.begin() + static_cast<std::ptrdiff_t>(head), bytes.end());
  UnfinishedOutput u;
  json.at("words").get_to(u.words);
  json.at("axis").get_to(u.axis);
  for (const Json& part : json.at("done"))
    u.done.push_back({part.at(0).get<Index>(), part.at(1).get<Index>()});
  json.at("times").get_to(u.times);
  u.counts = {json.at("counts").at(0), json.at("counts").at(1), json.at("counts").at(2)};
  json.at("inode").get_to(u.inode);
  json.at("bytes").get_to(u.bytes);
  json.at("modified").get_to(u.modified);
  json.at("first_byte").get_to(u.first_byte);
  json.at("structure").get_to(u.structure);
  json.at("skipped").get_to(u.skipped);
  u.records = records_from(json.at("records"));
  return u;
}

/// Opens a file of any type without blocking.
storage::Descriptor opened(const std::string& file) {
  int number = -1;
  do {
    number = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  } while (number < 0 && errno == EINTR);
  return storage::Descriptor(number);
}

/// Returns whether most bytes of two texts are equal, so that a damaged mark is recognised.
bool resembles(const std::string& bytes, const std::string& mark) {
  std::size_t same = 0;
  for (std::size_t i = 0; i < mark.size(); ++i) same += bytes[i] == mark[i];
  return 2 * same > mark.size();
}

/// Reads bytes of a file that is long enough. @throws StorageError
std::string bytes_in(const storage::Descriptor& from, const std::string& file, Index at,
                     Index size) {
  std::string bytes(static_cast<std::size_t>(size), '\0');
  const int error =
      storage::read_exactly(from.number(), reinterpret_cast<std::byte*>(bytes.data()), size, at);
  if (error > 0) refuse("read", file, error);
  return error == 0 ? bytes : "";
}

/// Returns whether a text is the end of a record, see serialize(). The values of a record are
/// sorted by name, so the last names follow the records of blocks. In CBOR, the byte before a name
/// encodes the length of the name.
bool ends_as_record(const std::string& end) {
  std::size_t at = 0;
  for (const char* name : {"\x67skipped", "\x69structure", "\x65times", "\x65words"}) {
    at = end.find(name, at);
    if (at == end.npos) return false;
  }
  return true;
}

/// Returns whether a file is a record, or the remains of a record after damage or a crash: an empty
/// file, the beginning of a record, a record whose first bytes are zeros, or only zeros.
/// @throws StorageError  the file cannot be read
bool is_record(const storage::Descriptor& from, const std::string& file) {
  // number of bytes that are read at the end of the file, and largest number of zeros that are
  // checked
  constexpr Index most = Index{1} << 20;
  struct stat state {};
  if (::fstat(from.number(), &state) != 0) refuse("look at", file, errno);
  if (!S_ISREG(state.st_mode)) return false;
  const Index bytes = state.st_size, head_bytes = std::min(bytes, std::ssize(kind));
  const std::string head = bytes_in(from, file, 0, head_bytes);
  if (2 * std::count(head.begin(), head.end(), '\0') < head_bytes)
    return head_bytes < std::ssize(kind) ? kind.starts_with(head) : resembles(head, kind);
  const Index end_bytes = std::min(bytes, most);
  const std::string end = bytes_in(from, file, bytes - end_bytes, end_bytes);
  return ends_as_record(end) || (bytes <= most && end.find_first_not_of('\0') == end.npos);
}

}  // namespace

Index last_change(const struct stat& state) {
  return Index{state.st_mtim.tv_sec} * 1'000'000'000 + state.st_mtim.tv_nsec;
}

Index UnfinishedOutput::outputs() const {
  Index sum = 0;
  for (const Interval& part : done) sum += part.extent();
  return sum;
}

std::string serialize(const UnfinishedOutput& u) {
  Json done = Json::array();
  for (const Interval& part : u.done) done.push_back({part.first, part.last});
  const auto content =
      Json::to_cbor({{"words", u.words},
                     {"axis", u.axis},
                     {"done", std::move(done)},
                     {"times", u.times},
                     {"counts", {u.counts.saturated, u.counts.missing, u.counts.vanished}},
                     {"inode", u.inode},
                     {"bytes", u.bytes},
                     {"modified", u.modified},
                     {"first_byte", u.first_byte},
                     {"structure", u.structure},
                     {"skipped", u.skipped},
                     {"records", bytes_of(u.records)}});
  const std::uint64_t sum = storage::checksum_of(content.data(), content.size());
  std::string bytes = kind;
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  bytes.append(content.begin(), content.end());
  return bytes;
}

UnfinishedOutput unfinished_from(const std::string& bytes, const std::string& name) {
  std::uint64_t sum = 0;
  const std::size_t head = kind.size() + sizeof sum;
  if (bytes.size() >= head) std::memcpy(&sum, bytes.data() + kind.size(), sizeof sum);
  if (bytes.size() < head || !bytes.starts_with(kind) ||
      sum != storage::checksum_of(bytes.data() + head, bytes.size() - head))
    refuse_damaged(name);
  try {
    return content_from(bytes, head);
  } catch (const Json::exception&) {  // written by a different version with the same mark
    refuse_damaged(name);
  }
}

void write_unfinished(const std::string& file, const UnfinishedOutput& unfinished) {
  const std::string bytes = serialize(unfinished), part = file + ".part";
  FreshFile to(part, file);
  const auto fail = [&](int error) {
    storage::throw_unwritable("cannot write " + one_line(part), error, part);
  };
  if (const int error = storage::write_exactly(
          to.number(), reinterpret_cast<const std::byte*>(bytes.data()), std::ssize(bytes), 0))
    fail(error);
  storage::bring_to_disk(to.number(), part);
  if (const int error = to.take_place(file)) fail(error);
  const storage::Descriptor folder = storage::open_folder(storage::OutputPaths::of(file));
  storage::bring_names_to_disk(folder.number(), file);
}

std::optional<UnfinishedOutput> read_unfinished(const std::string& file) {
  const storage::Descriptor from = opened(file);
  if (!from && errno == ENOENT) return std::nullopt;
  if (!from) refuse("open", file, errno);
  // this is checked first, so that files of other programs are not read completely
  if (!is_record(from, file)) refuse_damaged(file);
  struct stat state {};
  if (::fstat(from.number(), &state) != 0) refuse("look at", file, errno);
  return unfinished_from(bytes_in(from, file, 0, state.st_size), file);
}

bool is_foreign(const std::string& file) {
  const storage::Descriptor from = opened(file);
  if (from) return !is_record(from, file);
  const int error = errno;
  if (error != ENOENT && error != EACCES) refuse("open", file, error);
  return error == EACCES;
}

void require_own_record(const std::string& file) {
  if (!is_foreign(file)) return;
  throw WordsError(
      fmt::format("{} is not a checkpoint of this program, and run.checkpoint would overwrite it: "
                  "remove it, or name another run.checkpoint",
                  one_line(file)));
}

std::uint64_t structure_of(int part, const OutputSpec& spec, const UnfinishedOutput& unfinished) {
  const std::string name = storage::OutputPaths::of(spec.file).part;
  const storage::Descriptor reader(
      ::open(storage::name_of_open(part).c_str(), O_RDONLY | O_CLOEXEC));
  if (!reader) refuse("open", name, errno);
  const Interval points = storage::bytes_of_points(storage::grid_of(spec), unfinished.first_byte);
  return storage::checksum_around(reader.number(), points, unfinished.bytes, name);
}

bool is_still_there(const UnfinishedOutput& unfinished, const std::string& output) {
  struct stat state {};
  return ::lstat(storage::OutputPaths::of(output).part.c_str(), &state) == 0 &&
         state.st_ino == unfinished.inode && state.st_size == unfinished.bytes &&
         last_change(state) == unfinished.modified;
}

bool look_at_part(UnfinishedOutput& unfinished, const std::string& output) {
  struct stat state {};
  if (::lstat(storage::OutputPaths::of(output).part.c_str(), &state) != 0 ||
      !S_ISREG(state.st_mode))
    return false;
  unfinished.inode = state.st_ino;
  unfinished.bytes = state.st_size;
  unfinished.modified = last_change(state);
  return true;
}

bool is_as_written(const UnfinishedOutput& unfinished, const OutputSpec& spec, int rank,
                   int ranks) {
  const std::string name = storage::OutputPaths::of(spec.file).part;
  const storage::Descriptor part(::open(name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!part) return false;
  std::vector<storage::Written> own;
  for (auto i = static_cast<std::size_t>(rank); i < unfinished.records.size();
       i += static_cast<std::size_t>(ranks))
    own.push_back(unfinished.records[i]);
  try {
    storage::check_bytes(part.number(), name, spec, own);
    return rank > 0 || spec.snapshots ||
           structure_of(part.number(), spec, unfinished) == unfinished.structure;
  } catch (const StorageError&) {
    return false;
  }
}

}  // namespace stencil
