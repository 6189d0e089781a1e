#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/parallel/abort.hpp"
#include "io/conversion.hpp"
#include "io/dataset.hpp"
#include "io/handle.hpp"
#include "io/output_lock.hpp"
#include "io/output_paths.hpp"
#include "io/readback.hpp"

namespace stencil {

/// Everything an output under construction holds; goes away without a trace unless committed.
struct OutputFile::State {
  State(const Communicator& all, const OutputSpec& wanted) : communicator(all), spec(wanted) {}
  ~State();

  /// Checks, locks, creates and opens. Collective.
  void begin();
  /// Opens the file under construction on all ranks. Collective.
  void open_together();
  /// Makes room for the bytes of one piece.
  void hold_staging(Index bytes);
  /// Writes the staged points of a piece and remembers their checksum; an empty piece takes part
  /// with nothing. Collective.
  void write_together(const storage::Piece& piece);
  /// Closes it. Collective.
  void close_together();
  /// Ends the job after a collective call that failed: the other ranks cannot be reached any more.
  [[noreturn]] void fail(const std::string& what);
  /// Clears up when the job is aborted. @returns whether this rank is the one to tell why
  bool clear_aborted() const;

  const Communicator& communicator;
  OutputSpec spec;
  storage::OutputPaths paths;
  std::optional<storage::OutputLock> lock;  ///< on rank 0
  bool is_created = false;                  ///< on rank 0: there is a file to remove
  std::optional<AbortCleanup> cleanup;      ///< while there is an unfinished file
  std::vector<std::string> skipped;         ///< on rank 0: not carried over
  storage::Handle file, dataset, transfer;
  int descriptor = -1;  ///< stands for a name that MPI-IO would misread
  std::unique_ptr<std::byte[]> staging;
  Index staging_bytes = 0;
  storage::WriteCounts counts;
  std::vector<storage::Written> written;
};

}  // namespace stencil
