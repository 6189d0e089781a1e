# The manual page of the program. help2man makes it from the help text of the program, if help2man is installed.
find_program(STENCIL_HELP2MAN help2man)
find_program(STENCIL_GZIP gzip)
if(NOT STENCIL_HELP2MAN OR NOT STENCIL_GZIP)
  message(STATUS "Stencil: no help2man or no gzip, so no page for man")
  return()
endif()
set(page ${PROJECT_BINARY_DIR}/stencil_run.1.gz)
add_custom_command(OUTPUT ${page}
  COMMAND ${CMAKE_COMMAND} -D HELP2MAN=${STENCIL_HELP2MAN} -D GZIP=${STENCIL_GZIP}
    -D PROGRAM=$<TARGET_FILE:stencil_run> -D PAGE=${page} -P ${PROJECT_SOURCE_DIR}/cmake/make_manual.cmake
  DEPENDS stencil_run cmake/make_manual.cmake COMMENT "Page for man" VERBATIM)
add_custom_target(stencil_manual ALL DEPENDS ${page})
install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
