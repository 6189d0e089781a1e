# Makes the tree of public headers: the headers that the umbrella headers in include/stencil/ include, directly or indirectly.
#
#     cmake -D SOURCE=ROOT -D TREE=FOLDER -D JOB=TRUTH -P public_headers.cmake
#
# JOB: true if the library of jobs is built; otherwise job.hpp is not public.
#
# Within the project, headers are included by their paths from the root ("kernels/mask.hpp"). Other projects may have folders of these
# names, so the headers in the tree have paths such as <stencil/kernels/mask.hpp>, and the copies in TREE/stencil include each other in this
# way. TREE/sources.txt lists the copied headers by their paths from ROOT. Unchanged copies keep their modification time; headers that are
# no longer public are removed.
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
