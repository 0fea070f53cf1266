#!/usr/bin/env bash
# clang-tidy over every source file of the release build. A file is looked at again only when it, a
# header or the configuration has changed.
set -euo pipefail
cd "$(dirname "$0")/.."
stamps=build/tidy
mkdir -p "$stamps"
common=$( (cat .clang-tidy && git ls-files '*.h' | xargs cat) | sha256sum | cut -c1-16)

check() {
  local file=$1
  local stamp
  stamp=$stamps/$(echo "$common $(sha256sum <"$file")" | sha256sum | cut -c1-24)
  [ -e "$stamp" ] && return 0
  if clang-tidy --quiet -p build/release --extra-arg=-Wno-unknown-warning-option "$file" \
    >"$stamp.log" 2>/dev/null; then
    rm "$stamp.log"
    touch "$stamp"
  else
    cat "$stamp.log" >&2
    return 1
  fi
}
export -f check
export common stamps

git ls-files 'src/*.cc' 'apps/*.cc' | grep -v -e '_test\.cc$' -e '_bench\.cc$' |
  xargs -P "$(nproc)" -I{} bash -c 'check {}'
