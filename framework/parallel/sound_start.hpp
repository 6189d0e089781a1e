#pragma once

namespace stencil {

/// What a program needs before anything else, MPI and other threads included: standard streams, so
/// that no other file gets their numbers and what is printed, and a stack limit of 8 MiB, from
/// which threads, too, take the size of their stacks when the program starts. Where the limit is
/// lower it is raised and the program starts anew; where that is forbidden the program ends with
/// status 4.
void start_soundly(char** argv);

}  // namespace stencil
