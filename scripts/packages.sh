#!/usr/bin/env bash
# Installs the Debian packages Rowbot needs, and only those that are missing.
#   scripts/packages.sh run       to build and run the program
#   scripts/packages.sh test      the above, and what the tests and checks need
#   scripts/packages.sh deb       what makes and tries the Debian packages
#   scripts/packages.sh arm64     what builds for a Raspberry Pi and runs the result here
#   scripts/packages.sh hardware  what runs the drivers on a kernel in an emulated machine
#   scripts/packages.sh list-libraries   installs nothing; names what the program is linked with
# Works as root or with sudo. With everything in place it takes a fraction of a second.
set -euo pipefail

# What the program is compiled and linked with, here or for another processor.
library_packages=(
  libboost-dev
  libcli11-dev
  libeigen3-dev
  libfmt-dev
  libgpiod-dev
  libmujoco-dev
  libompl-dev
  libopencv-calib3d-dev libopencv-core-dev libopencv-imgcodecs-dev libopencv-imgproc-dev
  libopencv-videoio-dev
  libopenmpi-dev
  libosmesa6-dev
  libpng-dev
  libsqlite3-dev
  libtomlplusplus-dev
  nlohmann-json3-dev
  zlib1g-dev
)
test_library_packages=(
  libbenchmark-dev
  libgmock-dev libgtest-dev
)

run_packages=(
  brotli ca-certificates ccache cmake ffmpeg g++ git make mold ninja-build openmpi-bin pkg-config
  "${library_packages[@]}"
)
# A newer Node.js from elsewhere builds the page as well as Debian's does.
command -v npm >/dev/null || run_packages+=(nodejs npm)

test_packages=(
  black
  chromium
  clang clang-format clang-tidy libclang-rt-14-dev
  curl
  iproute2
  pyflakes3 python3 python3-jsonschema
  shellcheck
  systemd
  "${test_library_packages[@]}"
)
deb_packages=(
  curl debootstrap dpkg-dev fakeroot file lintian python3
)
arm64_packages=(
  brotli ca-certificates ccache cmake dpkg-dev g++-aarch64-linux-gnu git make ninja-build pkg-config python3
  qemu-user
)
command -v npm >/dev/null || arm64_packages+=(nodejs npm)
hardware_packages=(
  cpio linux-headers-amd64 linux-source-6.1 qemu-system-x86 xz-utils
)

case "${1:-}" in
  run) wanted=("${run_packages[@]}") ;;
  test) wanted=("${run_packages[@]}" "${test_packages[@]}") ;;
  deb) wanted=("${run_packages[@]}" "${deb_packages[@]}") ;;
  arm64) wanted=("${arm64_packages[@]}") ;;
  hardware) wanted=("${run_packages[@]}" "${hardware_packages[@]}") ;;
  list-libraries)
    printf '%s\n' "${library_packages[@]}" "${test_library_packages[@]}"
    exit 0
    ;;
  *)
    echo "usage: scripts/packages.sh run|test|deb|arm64|hardware|list-libraries" >&2
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
