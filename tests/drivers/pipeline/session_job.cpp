// A program whose session ends the job on failure, for tests/framework/parallel/ended_jobs.py. The
// session starts MPI:
//
//     session_job uncaught      the last rank throws an exception that nothing catches, while the
//                               other ranks wait for this rank
//     session_job uncaught_all  all ranks throw an exception that nothing catches
//     session_job foreign       like uncaught, with an exception of a type of the caller
//     session_job unmade        the session itself cannot be made
//     session_job caught        every rank catches the agreed error, and ends with status 0
#include <cstring>
#include <stdexcept>

#include "drivers/pipeline/pipeline.hpp"
#include "drivers/pipeline/session.hpp"
#include "framework/grid/error.hpp"

using namespace stencil;

int main(int argc, char** argv) {
  const std::string kind = argc == 2 ? argv[1] : "";
  if (kind == "caught") {
    try {
      Session session;
      Pipeline<float> pipeline(session, {}, {1, 1, 8});
    } catch (const Error& error) {
      return error.status() == Status::words ? 0 : 1;
    }
    return 1;
  }
  if (kind == "unmade") Session(MPI_COMM_NULL, {.on_failure = OnFailure::ends_job});
  Session session({.on_failure = OnFailure::ends_job});
  const bool is_last = session.rank() == session.size() - 1;
  if (kind == "uncaught" && is_last) throw MachineError("the last rank has failed");
  if (kind == "foreign" && is_last) throw std::out_of_range("the caller's own words");
  if (kind == "uncaught_all")
    session.communicator().agree([&] { throw MachineError("every rank has failed"); });
  session.communicator().barrier();
  return 0;
}
