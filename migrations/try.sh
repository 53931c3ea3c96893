#!/bin/bash
# Migrates the sample beside this script on a throwaway server. Needs git and the Swift toolchain,
# installs and builds the rest.
set -euo pipefail
cd "$(dirname "$0")/.."

Tests/install-dependencies.sh
swift build --product remodel
PATH=$(swift build --show-bin-path):$PATH

# What a user would type, from here on.

remodel migrate --scratch --models migrations
