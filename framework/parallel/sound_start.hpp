#pragma once

namespace stencil {

/// Ensures the conditions that a program needs before MPI and other threads start: open standard
/// streams, so that no other file gets their descriptors and receives printed text; one heap for
/// all threads if `ulimit -v` limits the address space; and a stack limit of 8 MiB, which also sets
/// the stack size of threads when the program starts. A lower stack limit is raised, and the
/// program executes itself again. If the system forbids a higher limit, the program ends with
/// status 4.
void start_soundly(char** argv);

}  // namespace stencil
