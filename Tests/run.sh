#!/bin/bash
# Runs all tests; arguments go to `swift test`. Needs git and the Swift toolchain, installs the rest.
set -euo pipefail
cd "$(dirname "$0")/.."

Tests/install-dependencies.sh

# A server that does not start fails the tests that need one; without this they are skipped.
export REMODEL_TESTS_REQUIRE_SERVER=1

swift build --build-tests --explicit-target-dependency-import-check error
swift test --skip-build "$@"
