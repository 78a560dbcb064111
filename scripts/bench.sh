#!/usr/bin/env bash
# Benchmarks against named peers: one line for each figure, raw files in result/.
# Usage: scripts/bench.sh [--full] [--runs N] [--work FOLDER] [name ...]
#   names: journal (group, single, lookup, search, verify: journal.single and so on), turn, token,
#          resume, process, grpc (sessions, token, swap), deploy, policy (decide, check, reload),
#          sandbox (spawn, command), skills (call), models,
#          openai, console (pages, screen, tabs), channels (route, end-to-end), discord, dev;
#          none = all. --full runs the long forms. --work is where databases are made: it must lie on
#          the disk that is to be measured (default result/work). sandbox needs gcc, make and bubblewrap;
#          as root, sandbox and skills measure as the user palyra-test. console needs
#          node, npm and chromium.
# Wants a quiet machine: look at the runs' range before believing a median.
set -euo pipefail

ROOT=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
cd "$ROOT"
# shellcheck source=../palyra.dist/src/main/dist/bin/common.sh
. palyra.dist/src/main/dist/bin/common.sh

case ${1:-} in
-h | --help | help)
    sed -n '2,12s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac

# Only the benchmarks of whole processes need the product itself.
modules=palyra.bench
names=()
skip=false
for word in "$@"; do
    if [ "$skip" = true ]; then
        skip=false
        continue
    fi
    case $word in
    --runs | --work | --result | --dist) skip=true ;;
    --*) ;;
    *) names+=("$word") ;;
    esac
done
if [ ${#names[@]} -eq 0 ] || [[ " ${names[*]} " =~ " process"|" grpc"|" deploy"|" models"|" openai"|" console"|" channels"|" discord"|" dev" ]]; then
    modules=palyra.bench,palyra.dist
fi

find_jdk javac
say "using $(jdk_words)"
mkdir -p target
exec 9>target/build.lock
flock -n 9 || { say "waiting for another build of this tree" && flock -w 5400 9; } ||
    die 1 "another build holds target/build.lock"
say "building $modules (the log is target/bench.log)"
if ! ./mvnw -B -ntp -Dmaven.test.skip=true -Dspotless.check.skip=true -pl "$modules" -am package \
    >target/bench.log 2>&1 </dev/null; then
    tail -n 40 target/bench.log >&2
    die 1 "the build failed; the whole log is target/bench.log"
fi
exec 9>&-

# Pages of the console are measured in a browser.
if [ ${#names[@]} -eq 0 ] || [[ " ${names[*]} " =~ " console.pages "|" console.screen "|" console " ]]; then
    (cd palyra.bench/src/main/browser && npm ci --ignore-scripts --no-audit --no-fund) >>target/bench.log 2>&1 ||
        die 1 "the browser's package cannot be fetched; the whole log is target/bench.log"
fi

jar=$(find palyra.bench/target -maxdepth 1 -name 'palyra.bench-*.jar' ! -name '*-sources.jar' | head -n 1)
natives=$(find "$ROOT/palyra.bench/target/natives" -type f -name 'libcedar*' -printf '%h' -quit)
exec "$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    -Dorg.slf4j.simpleLogger.defaultLogLevel=warn \
    -Djava.library.path="$natives" \
    -cp "$jar:$(cat palyra.bench/target/class-path.txt)" palyra.bench.Main "$@"
