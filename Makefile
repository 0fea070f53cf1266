# The two commands of the README, and what is behind them. CMake does the building.
.PHONY: run build test fuzz tidy format clean

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

# Long fuzzing: make fuzz RUNS=10000000
RUNS ?= 1000000
fuzz:
	@scripts/packages.sh test
	@scripts/build.sh asan-ubsan
	@scripts/fuzz.sh $(RUNS)

# clang-tidy with the static analyzer and over the command line too: half an hour.
tidy: test
	@scripts/tidy.py --deep --apps

format:
	@git ls-files '*.h' '*.cc' | xargs clang-format -i

clean:
	@rm -rf build
