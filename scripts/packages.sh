#!/usr/bin/env bash
# Installs the Debian packages Rowbot needs, and only those that are missing.
#   scripts/packages.sh run    to build and run the program
#   scripts/packages.sh test   the above, and what the tests and checks need
# Works as root or with sudo. With everything in place it takes a fraction of a second.
set -euo pipefail

run_packages=(
  ca-certificates ccache cmake ffmpeg g++ git make mold ninja-build
  libboost-dev
  libcli11-dev
  libeigen3-dev
  libfmt-dev
  libgpiod-dev
  libmujoco-dev
  libompl-dev
  libopencv-calib3d-dev libopencv-core-dev libopencv-imgcodecs-dev libopencv-imgproc-dev
  libopencv-videoio-dev
  libopenmpi-dev openmpi-bin
  libosmesa6-dev
  libpng-dev
  libsqlite3-dev
  libtomlplusplus-dev
  nlohmann-json3-dev
  pkg-config
  zlib1g-dev
)
# A newer Node.js from elsewhere builds the page as well as Debian's does.
command -v npm >/dev/null || run_packages+=(nodejs npm)

test_packages=(
  chromium
  clang clang-format clang-tidy libclang-rt-14-dev
  iproute2
  libbenchmark-dev
  libgmock-dev libgtest-dev
  python3
)

case "${1:-}" in
  run) wanted=("${run_packages[@]}") ;;
  test) wanted=("${run_packages[@]}" "${test_packages[@]}") ;;
  *)
    echo "usage: scripts/packages.sh run|test" >&2
    exit 2
    ;;
esac

missing=()
for package in "${wanted[@]}"; do
  state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "packages.sh: missing packages: ${missing[*]}" >&2
    echo "packages.sh: run this as root, or install sudo, so that they can be installed" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "Installing ${#missing[@]} Debian packages: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
