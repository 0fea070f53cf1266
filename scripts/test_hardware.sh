#!/usr/bin/env bash
# The servo and panel drivers against a real kernel's GPIO and I2C interfaces, in an emulated
# machine: Debian's kernel, with the module of simulated GPIO lines that Debian does not build, and a
# memory disk with the test program as the only one. The results are read from the serial console.
# The emulator counts instructions for a clock: a busy host makes the test slow, not its pulses wrong.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(uname -m)" != x86_64 ]; then
  echo "test_hardware.sh: only an x86-64 machine is emulated here" >&2
  exit 1
fi
folder=$PWD/build/hardware
headers=$(ls -d /usr/src/linux-headers-*-amd64 | sort -V | tail -1)
version=${headers#/usr/src/linux-headers-}
source=/usr/src/linux-source-6.1.tar.xz

stamp="$version $(sha256sum <"$0")"
if [ "$(cat "$folder/stamp" 2>/dev/null)" != "$stamp" ]; then
  echo "Preparing the kernel $version"
  rm -rf "$folder"
  mkdir -p "$folder"/{module,image,modules}
  # Unpacked, not installed: this machine keeps its own kernel.
  (cd "$folder" && apt-get -qq -o APT::Sandbox::User=root download "linux-image-$version")
  dpkg-deb -x "$folder"/linux-image-*.deb "$folder/image"
  rm "$folder"/linux-image-*.deb
  mv "$folder/image/boot/vmlinuz-$version" "$folder/kernel"
  for name in configfs i2c-dev i2c-stub; do
    find "$folder/image/lib/modules" -name "$name.ko" -exec cp {} "$folder/modules/" \;
  done
  rm -rf "$folder/image"

  tar -x -C "$folder/module" --transform 's,.*/,,' -f "$source" linux-source-6.1/drivers/gpio/gpio-sim.c \
    linux-source-6.1/drivers/gpio/gpiolib.h linux-source-6.1/kernel/irq/irq_sim.c
  # Debian's kernel lacks the simulated interrupts, too, and does not let modules look up a
  # descriptor; the number does as well.
  sed -i 's/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq_safe(irqnum)/' "$folder/module/irq_sim.c"
  printf 'obj-m := rowbot-gpio-sim.o\nrowbot-gpio-sim-y := gpio-sim.o irq_sim.o\n' >"$folder/module/Makefile"
  if ! make -C "$headers" M="$folder/module" modules >"$folder/module.log" 2>&1; then
    tail -20 "$folder/module.log" >&2
    exit 1
  fi
  mv "$folder/module/rowbot-gpio-sim.ko" "$folder/modules/"
  strip --strip-debug "$folder"/modules/*.ko
  echo "$stamp" >"$folder/stamp"
fi

ROWBOT_TARGETS=rowbot-hardware-test scripts/build.sh release -DROWBOT_TESTS=ON

disk=$folder/disk
rm -rf "$disk"
mkdir -p "$disk"
cp -r "$folder/modules" "$disk/"
cp build/release/bin/rowbot-hardware-test "$disk/init"
strip "$disk/init"
ldd "$disk/init" | awk '$3 ~ /^\// {print $3} $1 ~ /^\// {print $1}' | while read -r library; do
  install -D "$library" "$disk$library"
done
(cd "$disk" && find . | cpio --quiet -o -H newc -R 0:0) | gzip -1 >"$folder/disk.gz"

console=$folder/console.log
timeout --foreground "${ROWBOT_PATIENCE_S:-900}" qemu-system-x86_64 -machine pc -cpu max -accel tcg -m 512 -smp 1 \
  -icount shift=2,sleep=off -kernel "$folder/kernel" -initrd "$folder/disk.gz" \
  -append "console=ttyS0 quiet panic=-1 nokaslr" -display none -monitor none -serial stdio -no-reboot \
  -nic none </dev/null | tr -d '\r' >"$console" || true
grep -v '^\[ RUN' "$console" | tail -60
# Not the exit code: an emulated machine has none.
if ! grep -q '^rowbot-hardware-test: all passed$' "$console" || grep -q SKIPPED "$console"; then
  echo "test_hardware.sh: the run above did not pass; all of it is in $console" >&2
  exit 1
fi
