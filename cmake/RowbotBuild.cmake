# How everything is compiled: warnings are errors, ccache and mold are used when they are there.

find_program(ROWBOT_CCACHE ccache)
if(ROWBOT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ROWBOT_CCACHE})
endif()

find_program(ROWBOT_MOLD mold)
if(ROWBOT_MOLD AND NOT CMAKE_CROSSCOMPILING)
  add_link_options(-fuse-ld=mold)
endif()

# Every shared library is the system's and found without being told where.
set(CMAKE_SKIP_RPATH ON)

add_library(rowbot_options INTERFACE)
target_compile_options(rowbot_options INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -Woverloaded-virtual -Wimplicit-fallthrough
  # Options are structs with defaults, set by designated initialisers that name only what differs.
  -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC's flow analysis reports impossible paths inside the standard library once sanitizers
  # or -O3 are on; Clang and clang-tidy look for the same faults without the noise.
  target_compile_options(rowbot_options INTERFACE -Wno-maybe-uninitialized)
endif()
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # Other processors multiply and add in one step with one rounding, and a tree search would take
  # another way through its tree. Plain x86-64 has no such instruction.
  target_compile_options(rowbot_options INTERFACE -ffp-contract=off)
endif()
target_include_directories(rowbot_options INTERFACE ${PROJECT_SOURCE_DIR}/src)

if(ROWBOT_SANITIZE)
  add_compile_options(-fsanitize=${ROWBOT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${ROWBOT_SANITIZE})
endif()
if(ROWBOT_FUZZERS)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Boost.Asio and Beast with coroutines. Clang 14 knows coroutines but does not say so in the way Boost
# 1.74 and libstdc++ ask for; its function sanitizer takes the calls through Asio's handlers for a
# mismatch of types.
find_package(Boost 1.74 REQUIRED)
add_library(rowbot_beast INTERFACE)
target_link_libraries(rowbot_beast INTERFACE Boost::headers Threads::Threads)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16)
  target_compile_definitions(rowbot_beast INTERFACE
    __cpp_impl_coroutine=201902L BOOST_ASIO_HAS_STD_COROUTINE BOOST_ASIO_HAS_CO_AWAIT)
  if(ROWBOT_SANITIZE MATCHES "undefined")
    target_compile_options(rowbot_beast INTERFACE -fno-sanitize=function)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND ROWBOT_SANITIZE MATCHES "thread")
  # GCC warns that the thread sanitizer does not see Asio's fences; each stands beside a lock.
  target_compile_options(rowbot_beast INTERFACE -Wno-tsan)
endif()
