# rowbot_room(NAME game SOURCES ... DEPENDS base ... LIBRARIES fmt::fmt ... TESTS ... BENCHES ...)
#
# A room is one library, one test program (<room>_test) and one program per benchmark
# (<file name>). DEPENDS names rooms, LIBRARIES names everything from outside; a library behind
# PRIVATE_LIBRARIES does not reach the rooms that use this one. Benchmarks run in the test suite
# only to check their signatures. TEST_LIBRARIES are for the test program alone.
function(rowbot_room)
  cmake_parse_arguments(ROOM "" "NAME" "SOURCES;DEPENDS;LIBRARIES;PRIVATE_LIBRARIES;TEST_LIBRARIES;TESTS;BENCHES" ${ARGN})
  set(target rowbot_${ROOM_NAME})
  list(TRANSFORM ROOM_DEPENDS PREPEND rowbot_)

  if(ROOM_SOURCES)
    add_library(${target} STATIC ${ROOM_SOURCES})
    target_link_libraries(${target} PUBLIC rowbot_options ${ROOM_DEPENDS} ${ROOM_LIBRARIES}
      PRIVATE ${ROOM_PRIVATE_LIBRARIES})
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE rowbot_options ${ROOM_DEPENDS} ${ROOM_LIBRARIES})
  endif()

  if(NOT ROWBOT_TESTS)
    return()
  endif()
  if(ROOM_TESTS)
    add_executable(${ROOM_NAME}_test ${ROOM_TESTS})
    target_link_libraries(${ROOM_NAME}_test PRIVATE ${target} ${ROOM_TEST_LIBRARIES} GTest::gmock GTest::gtest_main)
    target_compile_definitions(${ROOM_NAME}_test PRIVATE ROWBOT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    # One ctest entry per test so that ctest -j spreads them; labels select a room: ctest -L game
    gtest_discover_tests(${ROOM_NAME}_test TEST_PREFIX ${ROOM_NAME}.
      PROPERTIES LABELS ${ROOM_NAME} DISCOVERY_TIMEOUT 60)
  endif()
  if(ROWBOT_SANITIZE)
    return()  # what a benchmark measures under a sanitizer means nothing
  endif()
  foreach(bench IN LISTS ROOM_BENCHES)
    get_filename_component(bench_name ${bench} NAME_WE)
    add_executable(${bench_name} ${bench})
    target_link_libraries(${bench_name} PRIVATE ${target} benchmark::benchmark)
    target_include_directories(${bench_name} PRIVATE ${PROJECT_SOURCE_DIR}/bench)
    add_test(NAME bench.${bench_name} COMMAND ${bench_name} --signatures-only)
    set_tests_properties(bench.${bench_name} PROPERTIES LABELS "bench;${ROOM_NAME}")
  endforeach()
endfunction()
