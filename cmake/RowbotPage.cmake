# rowbot_page(OUT_VARIABLE DIST FALLBACK)
#
# Compresses every file of the folder DIST (or of FALLBACK, when DIST holds no page yet) and writes a
# source file that puts them into the program; OUT_VARIABLE is its name. service/server/http/page.h says what it
# defines.
function(rowbot_page out dist fallback)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS LIST_DIRECTORIES false RELATIVE ${dist} ${dist}/*)
  if(NOT "index.html" IN_LIST files)
    set(dist ${fallback})
    file(GLOB_RECURSE files CONFIGURE_DEPENDS LIST_DIRECTORIES false RELATIVE ${dist} ${dist}/*)
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/page)
  file(MAKE_DIRECTORY ${folder})
  set(number 0)
  set(compressed "")
  set(bytes "")
  set(symbols "")
  set(rows "")
  foreach(file IN LISTS files)
    set(gz ${folder}/${number}.gz)
    add_custom_command(OUTPUT ${gz}
      COMMAND sh -c "gzip -9nc '${dist}/${file}' > '${gz}'"
      DEPENDS ${dist}/${file} VERBATIM)
    list(APPEND compressed ${gz})
    string(APPEND bytes
      "    \".global rowbot_page_${number}, rowbot_page_${number}_end\\n\"\n"
      "    \"rowbot_page_${number}: .incbin \\\"${gz}\\\"\\n\"\n"
      "    \"rowbot_page_${number}_end: .byte 0\\n\"\n")
    string(APPEND symbols
      "extern \"C\" const std::uint8_t rowbot_page_${number}[];\n"
      "extern \"C\" const std::uint8_t rowbot_page_${number}_end[];\n")
    string(APPEND rows
      "      {\"/${file}\", rowbot_page_${number}, rowbot_page_${number}_end},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  set(source ${folder}/page_files.cc)
  file(GENERATE OUTPUT ${source} CONTENT
"// Made by cmake/RowbotPage.cmake; do not edit.
#include \"service/server/http/page.h\"

__asm__(
    \".section .rodata\\n\"
${bytes}    \".previous\\n\");

${symbols}
namespace rowbot::server {

std::span<const EmbeddedFile> embedded_files() {
  static const EmbeddedFile kFiles[] = {
${rows}  };
  return kFiles;
}

}  // namespace rowbot::server
")
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${compressed}" GENERATED TRUE)
  set(${out} ${source} PARENT_SCOPE)
endfunction()
