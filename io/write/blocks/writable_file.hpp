#pragma once

#include <functional>
#include <memory>
#include <string>

#include "io/hdf5/handle.hpp"
#include "io/write/blocks/file_structure.hpp"

namespace stencil::storage {

/// A file under construction that HDF5 has open for writing. HDF5 keeps much of the data in memory
/// until an identifier is closed, and reports a failed write only at that time. The file is
/// therefore written by a driver that passes every write to a FileStructure, and close() reports
/// all failures since the file was opened. With Points::are_structure, HDF5 itself never sees a
/// failed write: after the first failure nothing is written until close() throws.
class WritableFile {
 public:
  /// Location of the checksums of the points that HDF5 writes: in the FileStructure, or in separate
  /// records.
  enum class Points { are_structure, have_records };

  /// Truncates an open file and makes it an HDF5 file.
  ///
  /// @param descriptor  the open file
  /// @param name        name of the file, for messages
  /// @param creation    file creation properties; `access` must have no driver, which is set here
  /// @param what        beginning of an error message
  /// @throws StorageError
  static WritableFile create(int descriptor, std::string name, FileStructure& structure,
                             hid_t creation, hid_t access, std::string what);
  /// Opens a file that is already an HDF5 file.
  static WritableFile open(int descriptor, std::string name, FileStructure& structure,
                           Points points, hid_t access, std::string what);

  /// Conversion for the arguments of HDF5 functions.
  operator hid_t() const { return file_; }
  /// Closes the file, after all objects in it were closed.
  /// @throws StorageError  data written since the file was opened may be lost
  void close();

 private:
  WritableFile(std::string name, FileStructure& structure, Points points, hid_t access,
               std::string what);

  std::string name_, what_;
  std::shared_ptr<FileStructure> structure_;
  long failed_before_;
  Handle file_;
};

/// Runs work on the file of a structure. If the work fails because a call on the file has failed,
/// the error reports that call. Its message does not depend on what HDF5 was doing.
///
/// @param what  beginning of the message
/// @param name  name of the file
/// @throws StorageError
void with_structure(const FileStructure& structure, const std::string& what,
                    const std::string& name, const std::function<void()>& work);

/// Alignment in bytes of large arrays and chunks in the file.
inline constexpr Index output_page = 4096;

/// Access properties, without a driver, for creating and opening output files: the file format of
/// HDF5 1.10, whose metadata have checksums.
Handle output_access();

}  // namespace stencil::storage
