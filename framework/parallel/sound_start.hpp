#pragma once

namespace stencil {

/// Ensures what a program needs before MPI and other threads start: open standard streams, so that
/// no other file gets their descriptors and receives what is printed, one heap for all threads
/// where `ulimit -v` limits addresses, and a stack limit of 8 MiB, which also sets the stack size
/// of threads when the program starts. A lower limit is raised and the program executes itself
/// again; where that is forbidden the program ends with status 4.
void start_soundly(char** argv);

}  // namespace stencil
