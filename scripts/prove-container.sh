#!/usr/bin/env bash
# Builds the container image of the built product and runs it with podman, as docs/operator-guide.md says: healthy,
# reached by its published port with TLS and a token only, and with its state after a restart. The base image is made of
# this host's files, so that no registry is needed. Needs root, podman and a built product; ends with one line, or
# with what went wrong and 1.
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
PLACE=$(mktemp -d "${TMPDIR:-/tmp}/palyra-container.XXXXXX")
NAME=palyra-proof-$$
JAVA=${PALYRA_JAVA_HOME:-${JAVA_HOME:?name a JDK 25 by JAVA_HOME}}
RUN=()

fail() {
    printf 'FAILED: %s\n' "$*"
    podman logs "$NAME" 2>&1 | tail -n 20 || true
    exit 1
}

clean() {
    podman rm -f "$NAME" >/dev/null 2>&1 || true
    podman volume rm "$NAME-state" "$NAME-workspaces" >/dev/null 2>&1 || true
    podman rmi -f "$NAME" "$NAME-base" >/dev/null 2>&1 || true
    rm -rf "$PLACE"
}
trap clean EXIT

# What Debian calls essential, what the Dockerfile installs, the JDK, and the libraries of all of these.
base_image() {
    local base=$PLACE/base packages
    mkdir -p "$base"/{tmp,proc,sys,dev,run,etc,var/lib,usr/bin,usr/sbin,usr/lib,usr/lib64}
    chmod 1777 "$base/tmp"
    packages=$(dpkg-query -W -f '${Package} ${Essential}\n' | awk '$2 == "yes" { print $1 }')
    # shellcheck disable=SC2086
    dpkg -L $packages passwd mawk openssl bubblewrap socat libc-bin | grep -E '^/(usr/)?(s?bin|lib|libexec)/|^/etc/(ssl/openssl.cnf|login.defs)' |
        while read -r file; do [ -d "$file" ] || printf '%s\n' "$file"; done >"$PLACE/files"
    { xargs -a "$PLACE/files" ldd; find "$JAVA/lib" "$JAVA/bin" -type f -exec ldd {} +; } 2>/dev/null |
        grep -o '/[^ )]*' | grep -v "^$JAVA\|:$" | sort -u >>"$PLACE/files" || true
    for link in bin sbin lib lib64; do [ ! -L "/$link" ] || cp -a "/$link" "$base/"; done
    tar -C / -ch --hard-dereference --ignore-failed-read -T <(sed 's|^/||' "$PLACE/files" | sort -u) 2>/dev/null | tar -C "$base" -x --keep-directory-symlink
    ln -sf bash "$base/bin/sh"
    ln -sf mawk "$base/usr/bin/awk"
    printf 'root:x:0:0:root:/root:/bin/bash\n' >"$base/etc/passwd"
    printf 'root:x:0:\n' >"$base/etc/group"
    : >"$base/etc/shadow"
    : >"$base/etc/gshadow"
    mkdir -p "$base$JAVA" "$base/root"
    tar -C "$JAVA" -c --exclude=src.zip --exclude=jmods --exclude=include . | tar -C "$base$JAVA" -x
    ldconfig -r "$base" 2>/dev/null || true
    tar -C "$base" -c . | podman import -q --change "ENV JAVA_HOME=$JAVA" --change "ENV PATH=/usr/sbin:/usr/bin:/sbin:/bin" - "$NAME-base" >/dev/null
}

# Containers within containers may not raise limits, and older kernels have cgroups that crun does not know.
choose_options() {
    local options
    for options in "" "--ulimit nofile=4096:4096 --ulimit nproc=4096:4096" "--runtime runc --ulimit nofile=4096:4096 --ulimit nproc=4096:4096"; do
        read -r -a RUN <<<"$options"
        podman run --rm "${RUN[@]}" --entrypoint /bin/true "$NAME" >/dev/null 2>&1 && return 0
    done
    podman run --rm "${RUN[@]}" --entrypoint /bin/true "$NAME" || true
    fail "no container starts here"
}

# Its output goes through a file: podman may not end when the reader of its output ends first.
in_container() {
    timeout 90 podman exec "$NAME" /opt/palyra/bin/palyra "$@" >"$PLACE/said" 2>&1
}

healthy() { in_container status; }

await_health() {
    local _
    for _ in {1..60}; do
        healthy && return 0
        sleep 1
    done
    fail "the gateway in the container is not ready after 60 seconds"
}

base_image
podman build -q --format docker --isolation chroot --build-arg "BASE=$NAME-base" -t "$NAME" \
    "$ROOT/palyra.dist/target/palyra" >"$PLACE/build" 2>&1 || { cat "$PLACE/build"; fail "the image cannot be built"; }
choose_options
podman run -d --name "$NAME" "${RUN[@]}" -p "127.0.0.1::7443" -v "$NAME-state:/var/lib/palyra" \
    -v "$NAME-workspaces:/var/lib/palyra-workspaces" "$NAME" >/dev/null || fail "the container does not start"
await_health

podman healthcheck run "$NAME" >/dev/null || fail "the image's own health check does not pass"
in_container ask "hello from a container" && grep -q "hello from a container" "$PLACE/said" ||
    fail "a message is not answered"

# By the published port: TLS with the certificate that was made, and nothing without it.
podman exec "$NAME" cat /var/lib/palyra/tls/server.pem >"$PLACE/server.pem"
published=$(podman port "$NAME" 7443/tcp)
echo | timeout 20 openssl s_client -connect "$published" -alpn h2 -CAfile "$PLACE/server.pem" -verify_return_error >"$PLACE/tls" 2>&1 ||
    { cat "$PLACE/tls"; fail "the published port does not speak TLS with the container's certificate"; }
grep -q "ALPN protocol: h2" "$PLACE/tls" || fail "the published port speaks no HTTP/2"

podman stop -t 20 "$NAME" >/dev/null
podman start "$NAME" >/dev/null
await_health
in_container runs && grep -q SUCCEEDED "$PLACE/said" || fail "the run of before the restart is lost"
in_container tape verify --all || fail "the tape of before the restart does not verify"
echo "container: healthy, reached by TLS on a published port, and with its state after a restart"
