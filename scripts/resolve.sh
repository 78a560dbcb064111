#!/usr/bin/env bash
# Resolves run.bndrun again: writes -runbundles, sorted, for what -runrequires asks. Review the diff.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
# shellcheck source=../palyra.dist/src/main/dist/bin/common.sh
. palyra.dist/src/main/dist/bin/common.sh
find_jdk javac
./mvnw -B -q -ntp -DskipTests -Dspotless.check.skip=true -Dpalyra.resolve=resolve -pl palyra.dist -am package
