# rowbot_page(OUT_VARIABLE DIST FALLBACK)
#
# Compresses every file of the folder DIST (or of FALLBACK, when DIST holds no page yet) with gzip and
# Brotli and writes a source file that puts them into the program, plain and compressed; OUT_VARIABLE is
# its name. service/server/http/page.h says what it defines.
find_program(ROWBOT_BROTLI brotli)
if(NOT ROWBOT_BROTLI)
  message(FATAL_ERROR "The page's files are compressed with the program brotli, which is missing: "
    "scripts/packages.sh run installs it.")
endif()

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
    set(plain ${dist}/${file})
    set(gzip ${folder}/${number}.gz)
    set(brotli ${folder}/${number}.br)
    add_custom_command(OUTPUT ${gzip} ${brotli}
      COMMAND sh -c "gzip -9nc '${plain}' > '${gzip}'"
      COMMAND ${ROWBOT_BROTLI} -q 11 -w 24 -f -o ${brotli} ${plain}
      DEPENDS ${plain} VERBATIM)
    list(APPEND compressed ${gzip} ${brotli} ${plain})
    set(row "      {\"/${file}\"")
    foreach(form plain gzip brotli)
      set(symbol rowbot_page_${number}_${form})
      string(APPEND bytes
        "    \".global ${symbol}, ${symbol}_end\\n\"\n"
        "    \"${symbol}: .incbin \\\"${${form}}\\\"\\n\"\n"
        "    \"${symbol}_end: .byte 0\\n\"\n")
      string(APPEND symbols
        "extern \"C\" const char ${symbol}[];\n"
        "extern \"C\" const char ${symbol}_end[];\n")
      string(APPEND row ", bytes_between(${symbol}, ${symbol}_end)")
    endforeach()
    string(APPEND rows "${row}},\n")
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
namespace {

std::string_view bytes_between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

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
