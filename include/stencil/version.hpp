/// The version of the library. CMakeLists.txt reads it from here.
#pragma once

#define STENCIL_VERSION_MAJOR 0
#define STENCIL_VERSION_MINOR 2
#define STENCIL_VERSION_PATCH 0
/// The version as text. The test `install.recipes` checks that it agrees with the three numbers.
#define STENCIL_VERSION "0.2.0"
