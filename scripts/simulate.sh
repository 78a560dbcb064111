#!/usr/bin/env bash
# Tells the story of one seed of the simulation, twice, and compares both; see docs/simulation.md.
# Usage: scripts/simulate.sh SEED [off|info|debug]
#   the second word says what the product logs meanwhile (default off).
set -euo pipefail

ROOT=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
cd "$ROOT"
# shellcheck source=../palyra.dist/src/main/dist/bin/common.sh
. palyra.dist/src/main/dist/bin/common.sh

case ${1:-} in
"" | -h | --help | help)
    sed -n '2,4s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
[[ $1 =~ ^-?[0-9]+$ ]] || die 2 "a seed is a whole number such as 262; '$1' is not"

find_jdk javac
mkdir -p target
say "building what it needs (the log is target/simulate.log)"
if ! PALYRA_SIMULATION_SEED=$1 ./mvnw -B -ntp -pl palyra.simulation -am verify -Dtest=ReplayTest \
    -Dsurefire.failIfNoSpecifiedTests=false -Dspotless.check.skip=true \
    "-Dpalyra.simulation.log=${2:-off}" 2>&1 </dev/null | tee target/simulate.log |
    grep -E --line-buffered '^ *[0-9.]+ s  |^simulation:|^\[(boot|first)|^seed|no end after|set aside:'; then
    tail -n 40 target/simulate.log >&2
    die 1 "seed $1 does not end well, or could not be run; the whole log is target/simulate.log"
fi
