#!/usr/bin/env bash
# Runs the packaged services under a system manager of their own, with every restriction of their units in force:
# systemd as process 1 of a container whose root is this machine's, read only below a layer in memory.
# Players use the website meanwhile, somebody watches the robot's table, and a twin plays as rowbot-table.
#   scripts/test_units.sh [PATH_TO_ROWBOT]
# Wants root, systemd and overlayfs; exits 77 where they are missing.
set -euo pipefail
cd "$(dirname "$0")/.."
rowbot=$(realpath "${1:-build/release/bin/rowbot}")
if [ "$(id -u)" -ne 0 ] || [ ! -x /lib/systemd/systemd ] || ! grep -qw overlay /proc/filesystems; then
  echo "test_units.sh: needs root, systemd and overlayfs; nothing was tried"
  exit 77
fi
work=$(mktemp -d)
# Only a folder that no mount is left in may be removed.
cleanup() { umount "$work" 2>/dev/null || true; rmdir "$work" 2>/dev/null || true; }
trap cleanup EXIT

cat >"$work/inside.sh" <<'INSIDE'
#!/bin/bash
# In the container, as a service of its own. The last line of /result says how it went.
exec >>/result 2>&1
url=http://127.0.0.1:8080
fail() {
  echo "FAILED $*"
  systemctl status --no-pager --lines 5 rowbot rowbot-table
  journalctl --no-pager --lines 60 | grep -v " rowbot\["
  exit 1
}
for _ in $(seq 150); do
  curl -sf "$url/healthz" >/dev/null && break
  sleep 0.2
done
curl -sf "$url/healthz" >/dev/null || fail "the website does not answer"
for unit in rowbot rowbot-table; do
  pid=$(systemctl show --property MainPID --value "$unit")
  [ "$pid" -gt 1 ] || fail "$unit does not run"
  status=$(cat "/proc/$pid/status")
  grep -q '^Seccomp:[[:space:]]*2$' <<<"$status" || fail "$unit runs without a filter of system calls"
  grep -q '^NoNewPrivs:[[:space:]]*1$' <<<"$status" || fail "$unit may gain privileges"
  grep -q '^CapBnd:[[:space:]]*0*$' <<<"$status" || fail "$unit has capabilities"
  echo "$unit: process with a filter of system calls, no capabilities, no new privileges"
done
rowbot load --url "$url" --players 8 --seconds 6 --least-pause 0.2 --most-pause 0.6 --levels easy,moderate,hard,perfect ||
  fail "the players were not served well"
curl -sf "$url/api/v1/analysis?moves=4453" >/dev/null || fail "no analysis"
for _ in $(seq 100); do
  curl -sf "$url/api/v1/table/camera" -o /tmp/picture && [ -s /tmp/picture ] && break
  sleep 0.2
done
[ -s /tmp/picture ] || fail "the robot's table has no picture"
echo "the robot's table: a picture of $(stat -c %s /tmp/picture) bytes"
curl -sf "$url/api/v1/lab/experiments" >/dev/null || fail "no laboratory"
for _ in $(seq 300); do
  [ "$(grep -c '"event":"move"' /var/lib/rowbot/table.log)" -ge 2 ] && break
  sleep 0.2
done
moves=$(grep -c '"event":"move"' /var/lib/rowbot/table.log) || true
[ "$moves" -ge 2 ] || fail "the twin does not play"
echo "rowbot-table: $moves moves in its log"
for unit in rowbot rowbot-table; do
  [ "$(systemctl show --property NRestarts --value "$unit")" = 0 ] || fail "$unit was started again"
  systemctl stop "$unit" || fail "$unit does not stop"
  [ "$(systemctl show --property Result --value "$unit")" = success ] || fail "$unit ended badly"
done
owner=$(stat -c '%U %a' /var/lib/rowbot/rowbot.db)
[ "$owner" = "rowbot 600" ] || fail "the database belongs to $owner"
echo "both stopped in good order; the database belongs to $owner"
echo PASSED
INSIDE

cat >"$work/outside.sh" <<'OUTSIDE'
#!/bin/bash
# In the new namespaces, before systemd: builds the root.
set -euo pipefail
work=$1 rowbot=$2 packaging=$3
mount --make-rprivate /
inside=$(cat "$work/inside.sh")
mount -t tmpfs tmpfs "$work"
mkdir "$work/upper" "$work/work" "$work/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/work" "$work/root"
cd "$work/root"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
mount -t tmpfs tmpfs dev
mount -t tmpfs tmpfs sys/fs/cgroup
mount -t cgroup2 cgroup2 sys/fs/cgroup
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
for node in "null 1 3" "zero 1 5" "full 1 7" "random 1 8" "urandom 1 9" "tty 5 0"; do
  read -r name major minor <<<"$node"
  mknod -m 666 "dev/$name" c "$major" "$minor"
done
ln -s /proc/self/fd dev/fd
touch dev/console
mount --bind "$4" dev/console
cp "$rowbot" usr/bin/rowbot
mkdir -p etc/rowbot etc/systemd/system
cp "$packaging/rowbot.service" "$packaging/rowbot-table.service" etc/systemd/system/
cp "$packaging/website.conf" etc/rowbot/
chroot . useradd --system --user-group --home-dir /var/lib/rowbot rowbot 2>/dev/null || true
for group in gpio i2c dialout video; do chroot . groupadd --system "$group" 2>/dev/null || true; done
# No wires here: the same command with the twin, which renders, plans and plays as with a real arm.
mkdir etc/systemd/system/rowbot-table.service.d
cat >etc/systemd/system/rowbot-table.service.d/twin.conf <<UNIT
[Service]
ExecStart=
ExecStart=/usr/bin/rowbot table --games 1000 --visitor random --agent forward --speed 20 --log /var/lib/rowbot/table.log
UNIT
touch result
mount --bind "$5" result
echo "$inside" >units-test.sh
chmod +x units-test.sh
cat >etc/systemd/system/units-test.service <<UNIT
[Unit]
DefaultDependencies=no
After=rowbot.service rowbot-table.service
Wants=rowbot.service rowbot-table.service
SuccessAction=exit-force
FailureAction=exit-force
[Service]
Type=oneshot
TimeoutStartSec=180
ExecStart=/units-test.sh
UNIT
# Of the system itself only what the services ask for.
for unit in systemd-udevd.service systemd-logind.service systemd-resolved.service systemd-networkd.service \
  systemd-timesyncd.service getty.target console-getty.service; do
  ln -sf /dev/null "etc/systemd/system/$unit"
done
echo "# nothing to mount" >etc/fstab
: >etc/machine-id
ip link set lo up
mkdir old
pivot_root . old
umount -l old
exec env -i container=rowbot-units PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
  /lib/systemd/systemd --system --unit=units-test.service --show-status=no --log-level=info --log-target=journal
OUTSIDE

console=$(mktemp)
result=$(mktemp)
code=0
timeout --kill-after=10 300 unshare --mount --pid --cgroup --ipc --uts --net --fork --kill-child \
  bash "$work/outside.sh" "$work" "$rowbot" "$PWD/packaging" "$console" "$result" >>"$console" 2>&1 </dev/null || code=$?
cat "$result"
rm -f "$work/inside.sh" "$work/outside.sh"
if ! grep -qx PASSED "$result"; then
  echo "test_units.sh: the services do not work under their units (manager's exit code $code)"
  tail -30 "$console"
  rm -f "$console" "$result"
  exit 1
fi
rm -f "$console" "$result"
