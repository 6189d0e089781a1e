# Makes the tree of public headers: those that the umbrella headers in include/stencil/ reach.
#
#     cmake -D SOURCE=ROOT -D TREE=FOLDER -D JOB=TRUTH -P public_headers.cmake
#
# JOB: whether the library of jobs is built, without which job.hpp is not public.
#
# Within the project files are named from its root ("kernels/mask.hpp"). Outside, where others have folders of these
# names, they are <stencil/kernels/mask.hpp>: the copies in TREE/stencil include each other so. TREE/sources.txt lists
# what was copied, by its path from ROOT. What is up to date keeps its time, what is public no more goes.
cmake_minimum_required(VERSION 3.25)

function(write_if_different path text)
  set(old)
  if(EXISTS ${path})
    file(READ ${path} old)
  endif()
  if(NOT "${old}" STREQUAL "${text}")
    file(WRITE ${path} "${text}")
  endif()
endfunction()

file(GLOB waiting RELATIVE ${SOURCE} ${SOURCE}/include/stencil/*.hpp)
if(NOT JOB)
  list(REMOVE_ITEM waiting include/stencil/job.hpp)
endif()
set(sources)
set(copies)
while(waiting)
  list(POP_FRONT waiting source)
  if(source IN_LIST sources)
    continue()
  endif()
  list(APPEND sources ${source})
  file(READ ${SOURCE}/${source} text)
  string(REGEX MATCHALL "(^|\n)#include \"[^\"]+\"" includes "${text}")
  list(TRANSFORM includes REPLACE "\n?#include \"(.+)\"" "\\1")
  list(APPEND waiting ${includes})
  string(REGEX REPLACE "(^|\n)#include \"(include/stencil/)?([^\"]+)\"" "\\1#include <stencil/\\3>" text "${text}")
  string(REGEX REPLACE "^include/stencil/" "" name ${source})
  write_if_different(${TREE}/stencil/${name} "${text}")
  list(APPEND copies stencil/${name})
endwhile()

file(GLOB_RECURSE stale RELATIVE ${TREE} ${TREE}/stencil/*)
list(REMOVE_ITEM stale ${copies})
foreach(name ${stale})
  file(REMOVE ${TREE}/${name})
endforeach()

list(SORT sources)
list(JOIN sources "\n" lines)
write_if_different(${TREE}/sources.txt "${lines}\n")
