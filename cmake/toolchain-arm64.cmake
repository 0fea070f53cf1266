# For a Raspberry Pi with a 64-bit system: Debian's cross compiler, and the libraries that
# scripts/sysroot.sh has unpacked. What is built here runs by the emulator, called by its name.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
# How pairs are passed has changed in GCC 10; all that is linked here is newer.
set(CMAKE_CXX_FLAGS_INIT -Wno-psabi)

get_filename_component(ROWBOT_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../build/sysroot-arm64 ABSOLUTE)
if(NOT EXISTS ${ROWBOT_SYSROOT}/.stamp)
  message(FATAL_ERROR "${ROWBOT_SYSROOT} is missing: run scripts/sysroot.sh arm64")
endif()
set(CMAKE_SYSROOT ${ROWBOT_SYSROOT})
set(CMAKE_FIND_ROOT_PATH ${ROWBOT_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${ROWBOT_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR}
  ${ROWBOT_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${ROWBOT_SYSROOT}/usr/share/pkgconfig)

# Libraries of libraries, found without being named.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-rpath-link,${ROWBOT_SYSROOT}/usr/lib/aarch64-linux-gnu")

find_program(ROWBOT_QEMU qemu-aarch64)
if(ROWBOT_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${ROWBOT_QEMU};-L;${ROWBOT_SYSROOT})
endif()
