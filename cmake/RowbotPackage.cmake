# The Debian packages, by CPack: rowbot, and rowbot-mpi for those with many machines.
#   cmake --build --preset release --target package_files && cpack in the build folder: scripts/deb.sh
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # packing does not build the tests
set(files ${PROJECT_SOURCE_DIR}/packaging)
set(made ${PROJECT_BINARY_DIR}/package)
find_package(Python3 COMPONENTS Interpreter QUIET)
if(NOT Python3_FOUND)
  message(STATUS "Python not found: no manual pages, so no packages")
  return()
endif()

# rowbot_package_file(NAME FROM): FROM compressed as Debian wants it, in the folder `made`.
set(package_files "")
function(rowbot_package_file name from)
  add_custom_command(OUTPUT ${made}/${name}
    COMMAND sh -c "gzip -9nc '${from}' > '${made}/${name}'" DEPENDS ${from} VERBATIM)
  set(package_files ${package_files} ${made}/${name} PARENT_SCOPE)
endfunction()

set(rowbot_help rowbot.1 rowbot.bash _rowbot rowbot.fish)
set(rowbot-mpi_help rowbot-mpi.1)
foreach(program rowbot rowbot-mpi)
  if(TARGET ${program})
    list(TRANSFORM ${program}_help PREPEND ${made}/ OUTPUT_VARIABLE pages)
    add_custom_command(OUTPUT ${pages}
      COMMAND Python3::Interpreter ${files}/help_pages.py ${made} ${files}/debian/changelog
        ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${program}>
      DEPENDS ${program} ${files}/help_pages.py ${files}/manual/${program}.roff ${files}/debian/changelog
      VERBATIM)
    list(APPEND package_files ${pages})
    rowbot_package_file(${program}.1.gz ${made}/${program}.1)
  endif()
endforeach()
rowbot_package_file(changelog.Debian.gz ${files}/debian/changelog)
rowbot_package_file(changelog.gz ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
add_custom_target(package_files DEPENDS ${package_files})

include(GNUInstallDirs)
install(TARGETS rowbot DESTINATION bin COMPONENT rowbot)
install(FILES ${made}/rowbot.1.gz DESTINATION share/man/man1 COMPONENT rowbot)
install(FILES ${made}/rowbot.bash DESTINATION share/bash-completion/completions RENAME rowbot COMPONENT rowbot)
install(FILES ${made}/_rowbot DESTINATION share/zsh/vendor-completions COMPONENT rowbot)
install(FILES ${made}/rowbot.fish DESTINATION share/fish/vendor_completions.d COMPONENT rowbot)
file(GLOB guides CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md)
install(FILES ${guides} DESTINATION share/doc/rowbot COMPONENT rowbot)
if(EXISTS ${PROJECT_SOURCE_DIR}/docs/pictures)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/pictures DESTINATION share/doc/rowbot COMPONENT rowbot)
endif()
install(FILES ${files}/lintian/rowbot DESTINATION share/lintian/overrides COMPONENT rowbot)
install(FILES ${files}/website.conf ${files}/table.toml DESTINATION /etc/rowbot COMPONENT rowbot)
install(FILES ${files}/rowbot.service ${files}/rowbot-table.service DESTINATION /lib/systemd/system
  COMPONENT rowbot)
install(FILES ${files}/60-rowbot.rules DESTINATION /lib/udev/rules.d COMPONENT rowbot)
set(CPACK_COMPONENTS_ALL rowbot)
if(TARGET rowbot-mpi)
  install(TARGETS rowbot-mpi DESTINATION bin COMPONENT mpi)
  install(FILES ${made}/rowbot-mpi.1.gz DESTINATION share/man/man1 COMPONENT mpi)
  install(FILES ${files}/lintian/rowbot-mpi DESTINATION share/lintian/overrides COMPONENT mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  set(package rowbot)
  if(component STREQUAL "mpi")
    set(package rowbot-mpi)
  endif()
  install(FILES ${made}/changelog.Debian.gz ${made}/changelog.gz ${files}/debian/copyright
    DESTINATION share/doc/${package} COMPONENT ${component})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rowbot)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Connect Four player you can touch")
set(CPACK_PACKAGE_VENDOR "The Rowbot authors")
set(CPACK_PACKAGE_CONTACT "The Rowbot authors <authors@rowbot.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_ROWBOT_PACKAGE_NAME rowbot)
set(CPACK_DEBIAN_ROWBOT_PACKAGE_DEPENDS adduser)
set(CPACK_DEBIAN_ROWBOT_PACKAGE_RECOMMENDS ffmpeg)
set(CPACK_DEBIAN_ROWBOT_PACKAGE_SUGGESTS rowbot-mpi)
set(CPACK_DEBIAN_ROWBOT_PACKAGE_CONTROL_EXTRA ${files}/debian/postinst ${files}/debian/prerm
  ${files}/debian/postrm ${files}/debian/conffiles)
set(CPACK_COMPONENT_ROWBOT_DESCRIPTION "Exact play, a family of game AIs with a laboratory to compare them, a website
with its own server, and a robot's table: three arms with their drivers, a
camera that reads the board, a panel of switches, and a physics simulation in
which all of it runs without any hardware.")
set(CPACK_DEBIAN_MPI_PACKAGE_NAME rowbot-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "rowbot (= ${PROJECT_VERSION}-1), openmpi-bin")
set(CPACK_COMPONENT_MPI_DESCRIPTION "Matches and tournaments of Rowbot's agents, shared among the machines of a
cluster by MPI, with the same results as on one.")
if(CMAKE_CROSSCOMPILING)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
  # Where scripts/deb.sh lets dpkg-shlibdeps look up the libraries' packages.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu)
endif()
include(CPack)
