#!/usr/bin/env bash
# Writes the table of bundles and the graph of services in docs/architecture.md again, from built bundles.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
# shellcheck source=../palyra.dist/src/main/dist/bin/common.sh
. palyra.dist/src/main/dist/bin/common.sh
find_jdk javac
./mvnw -B -q -ntp -DskipTests -Dspotless.check.skip=true -pl '!palyra.simulation,!palyra.bench,!palyra.dist,!palyra.itests' package
mkdir -p target/maps
"$JAVA_HOME/bin/javac" -d target/maps palyra.itests/src/test/java/palyra/itests/{BuiltBundle,ServiceGraph,HouseMaps}.java
"$JAVA_HOME/bin/java" -cp target/maps palyra.itests.HouseMaps
