#!/usr/bin/env bash
# Runs policy conformance tests (format of Cedar's integration tests) through both policy engines;
# started by ./palyra policy conformance, which builds what this needs. Unpacks archives into a
# temporary folder, which is removed at the end and on an interrupt.
# Usage: scripts/conformance.sh FOLDER|TAR
# Environment: JAVA_HOME, CONFORMANCE_CLASS_PATH, CONFORMANCE_NATIVES (folder of the native engine)
set -euo pipefail

work=
java=

# shellcheck disable=SC2329 # called by the trap
clean_up() {
    if [ -n "$java" ] && kill "$java" 2>/dev/null; then
        wait "$java" || true
    fi
    [ -z "$work" ] || rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Unpacks the archive $1 into the new folder $2; tar finds out whether it is compressed.
unpack() {
    mkdir "$2"
    if ! error=$(tar -xf "$1" --no-same-owner -C "$2" 2>&1); then
        printf 'palyra: The archive %s is broken or was cut off (%s); fetch it again.\n' \
            "$1" "$(head -n 1 <<<"$error")" >&2
        exit 2
    fi
}

folders=("$@")
if [ $# -eq 1 ] && [ -e "$1" ]; then
    work=$(mktemp -d "${TMPDIR:-/tmp}/palyra-conformance.XXXXXX")
    if [ -d "$1" ]; then
        while IFS= read -r -d '' archive; do
            printf 'palyra: %s\n' "${archive#"$1"/}" >&2
            unpack "$archive" "$work/${#folders[@]}"
            folders+=("$work/${#folders[@]}")
        done < <(find -L "$1" -type f \( -name '*.tar' -o -name '*.tgz' -o -name '*.tar.gz' \) -print0 | LC_ALL=C sort -z)
    else
        unpack "$1" "$work/0"
        folders=("$work/0")
    fi
fi
"$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED -Xshare:auto -XX:+UseSerialGC -Xmx512m \
    -XX:-UsePerfData "-Djava.library.path=$CONFORMANCE_NATIVES" -cp "$CONFORMANCE_CLASS_PATH" \
    palyra.policy.internal.conformance.ConformanceMain "${folders[@]}" &
java=$!
code=0
wait "$java" || code=$?
java=
exit "$code"
