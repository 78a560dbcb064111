#!/usr/bin/env bash
# Proves palyra.service on this machine: a systemd of its own, in namespaces that end with this script, starts the
# unit as it ships, under all of its restrictions, and a command runs in the sandbox of each tier.
# Usage: scripts/prove-unit.sh [FOLDER]     the unpacked archive (default palyra.dist/target/palyra)
# Wants root, systemd 250 or newer, bubblewrap and socat. Changes nothing on the machine: /var/lib, /opt, /run, /etc/systemd
# and the list of users are copies in the namespaces.
set -euo pipefail

ROOT=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
DIST=$(readlink -f "${1:-$ROOT/palyra.dist/target/palyra}")
SECONDS_TO_START=180

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

if [ "${1:-}" = inside ]; then
    # As PID 1 of the namespaces: lay out what an installation has, then become systemd.
    DIST=$2
    mount --make-rprivate /
    mount -t proc proc /proc
    mount -t tmpfs -o mode=755 tmpfs /run
    cp -a /etc/passwd /run/passwd && cp -a /etc/group /run/group
    echo 'palyra:x:64999:64999::/var/lib/palyra:/usr/sbin/nologin' >>/run/passwd
    echo 'palyra:x:64999:' >>/run/group
    mount --bind /run/passwd /etc/passwd
    mount --bind /run/group /etc/group
    mkdir -m 755 /run/opt /run/units /run/lock
    mkdir -m 755 /run/opt/palyra
    mount --bind "$DIST" /run/opt/palyra
    mount --rbind /run/opt /opt
    mount -t tmpfs -o mode=755 tmpfs /var/lib
    mount -t tmpfs -o mode=755 tmpfs /etc/systemd/system
    cp /opt/palyra/systemd/palyra.service /etc/systemd/system/
    # Of the machine's own units none that changes something starts.
    for unit in $(cd /lib/systemd/system && ls -- *.service *.timer *.mount *.automount *.swap 2>/dev/null); do
        case $unit in
        systemd-journald.service | palyra.service | *@*) ;;
        *) ln -sf /dev/null "/etc/systemd/system/$unit" ;;
        esac
    done
    exec env -i container=palyra "PATH=$PATH" /lib/systemd/systemd --system --unit=palyra.service --show-status=no
fi

[ "$(id -u)" -eq 0 ] || fail "only root can make the namespaces; run it as root"
[ -x "$DIST/bin/palyra" ] || fail "$DIST is not an unpacked archive; build it with ./palyra up, or name one"
[ -x /lib/systemd/systemd ] || fail "this machine has no systemd; install the package systemd"

unshare --mount --pid --fork --kill-child --cgroup --uts --ipc --net \
    "${BASH_SOURCE[0]}" inside "$DIST" >/dev/null 2>&1 &
NAMESPACES=$!
OUTPUT=$(mktemp)
trap 'kill -KILL "$NAMESPACES" 2>/dev/null; wait "$NAMESPACES" 2>/dev/null || true; rm -f "$OUTPUT"' EXIT

# Runs a command in the namespaces.
inside() {
    nsenter --target "$INIT" --all -- "$@"
}

# Runs a command of the gateway as its user.
gateway() {
    inside env PALYRA_STATE=/var/lib/palyra setpriv --reuid palyra --regid palyra --clear-groups \
        /opt/palyra/bin/palyra "$@"
}

until INIT=$(pgrep -P "$NAMESPACES" -x systemd) && inside systemctl is-active -q palyra 2>/dev/null; do
    [ "$SECONDS" -lt 30 ] || fail "systemd did not start in its namespaces"
    sleep 0.2
done
until gateway sandbox run -- echo hello >"$OUTPUT" 2>&1 && grep -qx hello "$OUTPUT"; do
    if [ "$SECONDS" -ge "$SECONDS_TO_START" ]; then
        cat "$OUTPUT" >&2
        inside journalctl -u palyra --no-pager -n 40 >&2
        gateway doctor >&2 || true
        fail "no command ran in a sandbox within $SECONDS_TO_START s"
    fi
    sleep 1
done
list=$(gateway sandbox list)
for tier in B C; do
    grep -qE "^$tier +[a-z_]+ +ready " <<<"$list" || { echo "$list" >&2 && fail "tier $tier is not ready"; }
done
main=$(inside systemctl show palyra --property MainPID --value)
[ "$(inside ps -o user= -p "$main")" = palyra ] || fail "the gateway does not run as palyra"
grep -q '^NoNewPrivs:.*1$' < <(inside cat "/proc/$main/status") || fail "the unit's restrictions are not in force"
inside systemctl stop palyra
[ "$(inside systemctl show palyra --property ExecMainStatus --value)" = 0 ] || fail "it did not end with 0"
echo "palyra.service: both tiers ready, a command ran, stopped cleanly; $SECONDS s"
