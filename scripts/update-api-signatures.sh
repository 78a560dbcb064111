#!/usr/bin/env bash
# Writes cnf/api/palyra.api.sig again from the built api bundles. Refuses as long as a package whose
# signature changed still has the version it had.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
# shellcheck source=../palyra.dist/src/main/dist/bin/common.sh
. palyra.dist/src/main/dist/bin/common.sh
find_jdk javac
./mvnw -B -q -ntp -DskipTests -Dspotless.check.skip=true -pl palyra.api,palyra.api.core package
mkdir -p target/signatures
"$JAVA_HOME/bin/javac" -d target/signatures palyra.dist/src/test/java/palyra/dist/ApiSignatures.java
"$JAVA_HOME/bin/java" -cp target/signatures palyra.dist.ApiSignatures cnf/api/palyra.api.sig \
    palyra.api/target/palyra.api-[0-9]*[!s].jar palyra.api.core/target/palyra.api.core-[0-9]*[!s].jar
