# Five modules of OpenCV as imported targets opencv_core, opencv_imgproc, ... Debian's package with
# OpenCV's own CMake files pulls in all sixty modules and their graphics stacks; these five do not.
find_path(ROWBOT_OPENCV_INCLUDE opencv2/core.hpp PATH_SUFFIXES opencv4 REQUIRED)
foreach(module core imgproc imgcodecs calib3d videoio)
  find_library(ROWBOT_OPENCV_${module} opencv_${module} REQUIRED)
  add_library(opencv_${module} SHARED IMPORTED GLOBAL)
  set_target_properties(opencv_${module} PROPERTIES
    IMPORTED_LOCATION ${ROWBOT_OPENCV_${module}}
    INTERFACE_INCLUDE_DIRECTORIES ${ROWBOT_OPENCV_INCLUDE})
endforeach()
