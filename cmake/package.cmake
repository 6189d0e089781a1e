# `cpack` makes a package for Debian: program, manual page, library. dpkg-shlibdeps finds the packages on which it depends.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME stencil)
set(CPACK_PACKAGE_VENDOR "Stencil")
set(CPACK_PACKAGE_CONTACT "Stencil maintainers <maintainers@stencil.invalid>")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS openmpi-bin)
# the packages that are needed to link a program to the static library
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libopenmpi-dev, libhdf5-openmpi-dev, libfmt-dev, libdeflate-dev, libaec-dev, libudunits2-dev, libboost-program-options-dev")
set(CPACK_STRIP_FILES ON)
include(CPack)
