# The two commands of the README, and what is behind them. CMake does the building.
.PHONY: run build test test-arm64 test-deb test-hardware test-memory deb fuzz tidy format clean

# Installs what is missing, builds, and starts the website.
run: build
	@build/release/bin/rowbot serve

# Leaves the program at build/release/bin/rowbot.
build:
	@scripts/packages.sh run
	@scripts/build.sh release -DROWBOT_TESTS=OFF

# Installs what is missing, builds, and runs every test and check.
test:
	@scripts/packages.sh test
	@scripts/test.sh

# Debian packages for this machine (amd64) and for a Raspberry Pi (arm64), into build/deb.
deb:
	@scripts/packages.sh deb
	@scripts/packages.sh arm64
	@scripts/deb.sh amd64
	@scripts/deb.sh arm64

# Installs, upgrades and purges the amd64 package in a clean Debian of its own.
test-deb:
	@scripts/packages.sh deb
	@scripts/deb.sh amd64
	@scripts/test_deb.sh

# The unit tests, built for a Raspberry Pi, in an emulator. Half an hour on two cores.
test-arm64:
	@scripts/packages.sh arm64
	@scripts/test_arm64.sh

# Servos and switches against a real kernel's interfaces, in an emulated machine.
test-hardware:
	@scripts/packages.sh test
	@scripts/packages.sh hardware
	@scripts/test_hardware.sh

# Website and table in 256 MB.
test-memory: build
	@tests/memory_test.py build/release/bin/rowbot

# Long fuzzing: make fuzz RUNS=10000000
RUNS ?= 1000000
fuzz:
	@scripts/packages.sh test
	@scripts/build.sh asan-ubsan
	@scripts/fuzz.sh $(RUNS)

# clang-tidy with the static analyzer and over the command line too: half an hour.
tidy: test
	@scripts/tidy.py --deep --apps

# C++, Python, TypeScript and CSS.
format:
	@scripts/style.sh write

clean:
	@rm -rf build
