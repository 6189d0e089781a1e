#include "io/write/unfinished_output.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/write/fresh_file.hpp"
#include "io/write/output_paths.hpp"

namespace stencil {
namespace {

using Json = nlohmann::json;

constexpr const char* kind = "stencil: an unfinished output, 2";

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
  throw StorageError(fmt::format("cannot {} {}: {}", what, one_line(file), std::strerror(error)));
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
      Json::to_cbor({{"kind", kind},
                     {"words", u.words},
                     {"axis", u.axis},
                     {"done", std::move(done)},
                     {"times", u.times},
                     {"counts", {u.counts.saturated, u.counts.missing, u.counts.vanished}},
                     {"inode", u.inode},
                     {"bytes", u.bytes},
                     {"modified", u.modified},
                     {"first_byte", u.first_byte},
                     {"skipped", u.skipped},
                     {"records", bytes_of(u.records)}});
  const std::uint64_t sum = storage::checksum_of(content.data(), content.size());
  std::string bytes(sizeof sum, '\0');
  std::memcpy(bytes.data(), &sum, sizeof sum);
  bytes.append(content.begin(), content.end());
  return bytes;
}

UnfinishedOutput unfinished_from(const std::string& bytes, const std::string& name) {
  std::uint64_t sum = 0;
  const std::size_t head = sizeof sum;
  if (bytes.size() > head) std::memcpy(&sum, bytes.data(), head);
  const auto refuse = [&] {
    throw StorageError(
        fmt::format("{} is damaged, or no checkpoint of this program: remove it to begin anew",
                    one_line(name)));
  };
  if (bytes.size() <= head || sum != storage::checksum_of(bytes.data() + head, bytes.size() - head))
    refuse();
  const Json json = Json::from_cbor(bytes.begin() + static_cast<std::ptrdiff_t>(head), bytes.end());
  if (json.at("kind") != kind) refuse();  // of another version
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
  json.at("skipped").get_to(u.skipped);
  u.records = records_from(json.at("records"));
  return u;
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
  const storage::Descriptor from(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!from && errno == ENOENT) return std::nullopt;
  if (!from) refuse("open", file, errno);
  struct stat state {};
  if (::fstat(from.number(), &state) != 0) refuse("look at", file, errno);
  std::string bytes(static_cast<std::size_t>(state.st_size), '\0');
  if (const int error = storage::read_exactly(
          from.number(), reinterpret_cast<std::byte*>(bytes.data()), std::ssize(bytes), 0))
    refuse("read", file, error > 0 ? error : EIO);
  return unfinished_from(bytes, file);
}

bool is_foreign(const std::string& file) {
  const storage::Descriptor from(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!from) return errno != ENOENT;
  std::string head(200, '\0');
  const ssize_t read = ::pread(from.number(), head.data(), head.size(), 0);
  return read < 0 || head.find("kind") == head.npos || head.find(kind) == head.npos;
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
    return true;
  } catch (const StorageError&) {
    return false;
  }
}

}  // namespace stencil
