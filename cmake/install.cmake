# `cmake --install` installs the libraries, the public headers, files for find_package(Stencil), the program with its manual page, and
# the pages of the documentation that are listed here.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Stencil)

install(TARGETS stencil_library stencil_io_library EXPORT StencilTargets)
if(STENCIL_PROGRAMS)
  install(TARGETS stencil_job_library EXPORT StencilTargets)
endif()
install(DIRECTORY ${public_tree}/stencil DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT StencilTargets NAMESPACE Stencil:: DESTINATION ${package_folder})

foreach(truth BUILD_SHARED_LIBS STENCIL_HAS_CUDA STENCIL_HAS_NCCL STENCIL_PROGRAMS)
  if(${truth})
    set(${truth} ON)
  else()
    set(${truth} OFF)
  endif()
endforeach()
configure_package_config_file(cmake/StencilConfig.cmake.in StencilConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/StencilConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/StencilConfig.cmake ${PROJECT_BINARY_DIR}/StencilConfigVersion.cmake
  cmake/modules/FindStencilStorage.cmake cmake/modules/FindStencilNccl.cmake DESTINATION ${package_folder})

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN "__pycache__" EXCLUDE)

if(STENCIL_PROGRAMS)
  install(TARGETS stencil_run)
  install(FILES drivers/stencil_run/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME stencil_run)
  include(cmake/manual.cmake)
endif()
