# shellcheck shell=bash
# palyra upgrade: another version in the place of this one, and back when it does not become ready.
# Sourced by palyra, never run.

upgrade_help() {
    cat <<'HELP'
palyra upgrade: replace this installation by the one in an archive

  palyra upgrade FILE.tar.gz [options]
      --sha256 HEX     the archive's digest; without it FILE.tar.gz.sha256 must be there
      --key KEY.pem    check the Ed25519 signature FILE.tar.gz.sig with this public key instead
      --wait SECONDS   how long the new version may take to become ready (default 120)
      --unit NAME      the systemd unit that runs the gateway (default palyra, when it is active)

It works on the state folder PALYRA_STATE, as all commands do, and refuses while a gateway with another
one runs from this installation. It checks and unpacks the archive, stops the gateway, copies the state folder, exchanges the folders
and starts the new version. When that is not ready in time, the earlier version and the copied state
are put back and started, and the exit code is 1. Workspaces are not copied. A gateway that ran in a
terminal runs in the background afterwards, with the options that it had; one that did not run is
stopped again.
HELP
}

upgrade() {
    local file='' digest='' key='' patience=120 unit=palyra
    while [ $# -gt 0 ]; do
        case $1 in
        -h | --help) upgrade_help && return 0 ;;
        --sha256 | --key | --wait | --unit)
            [ $# -ge 2 ] || die 64 "$1 needs a value; palyra upgrade --help"
            case $1 in
            --sha256) digest=${2,,} ;;
            --key) key=$2 ;;
            --wait) patience=$2 ;;
            --unit) unit=$2 ;;
            esac
            shift
            ;;
        -*) die 64 "upgrade does not know '$1'; palyra upgrade --help" ;;
        *)
            [ -z "$file" ] || die 64 "upgrade takes one archive; found '$file' and '$1'"
            file=$1
            ;;
        esac
        shift
    done
    [ -n "$file" ] || die 64 "upgrade takes an archive: palyra upgrade palyra-VERSION.tar.gz"
    [ -f "$file" ] && [ -r "$file" ] || die 64 "the archive $file cannot be read"
    [[ $patience =~ ^[1-9][0-9]{0,3}$ ]] || die 64 "--wait is '$patience'; use 1 to 9999 seconds"
    file=$(readlink -f "$file")
    upgrade_place
    choose_state
    upgrade_others
    upgrade_check "$file" "$digest" "$key"
    upgrade_unpack "$file"
    upgrade_exchange "$patience" "$unit"
}

# What is replaced, and where: sets PARENT. One upgrade at a time.
upgrade_place() {
    [ ! -f "$PALYRA_HOME/../../pom.xml" ] ||
        die 64 "this is a build from sources: update the sources and run ./palyra up"
    PARENT=$(dirname "$PALYRA_HOME")
    [ -w "$PARENT" ] ||
        die 77 "$PARENT, which holds the installation, cannot be written by $(id -un); run it as $(stat -c %U "$PARENT")"
    exec 9>"$PARENT/.palyra-upgrade.lock"
    flock -n 9 || die 75 "another upgrade of $PALYRA_HOME is under way"
    rm -rf "$PARENT"/.palyra-upgrade.?????? # unpacked by one that was killed
    MARK=$PARENT/.palyra-upgrade.left
    upgrade_told
}

# Names what an upgrade that was killed left behind, unless one is under way.
upgrade_left() {
    PARENT=$(dirname "$PALYRA_HOME")
    MARK=$PARENT/.palyra-upgrade.left
    [ -r "$MARK" ] && [ -r "$PARENT/.palyra-upgrade.lock" ] || return 0
    { ! flock -n 8 || upgrade_told; } 8<"$PARENT/.palyra-upgrade.lock"
}

# By the file MARK, which an upgrade has from its first change to its end: the installation, then what may be left.
# Sets LEFT, the paths that are there still.
upgrade_told() {
    local home path words=()
    LEFT=()
    [ -r "$MARK" ] || return 0
    {
        read -r home
        while IFS= read -r path; do
            [ ! -e "$path" ] || LEFT+=("$path")
        done
    } <"$MARK"
    [ -d "$home" ] || die 1 "an upgrade was killed while it exchanged the folders, and $home is not there; put it back: mv -T ${PALYRA_HOME@Q} ${home@Q}"
    for path in "${LEFT[@]}" "$MARK"; do words+=("$(printf '%q' "$path")"); done
    [ ${#LEFT[@]} -eq 0 ] ||
        say "an upgrade was killed before its end; $(version) is installed now. When it works and nothing is missing: rm -rf ${words[*]}"
}

# What an earlier upgrade that was killed left is named until it is removed.
upgrade_cleaned() {
    rm -rf "$DRAFT" "$MARK"
    [ ${#LEFT[@]} -eq 0 ] || printf '%s\n' "$PALYRA_HOME" "${LEFT[@]}" >"$MARK"
}

upgrade_check() {
    local file=$1 digest=$2 key=$3 found
    if [ -n "$key" ]; then
        [ -r "$key" ] || die 64 "the key $key cannot be read"
        [ -r "$file.sig" ] || die 64 "the signature $file.sig is not there"
        need_packages openssl:openssl
        openssl pkeyutl -verify -pubin -inkey "$key" -rawin -in "$file" -sigfile "$file.sig" >/dev/null 2>&1 ||
            die 65 "the signature $file.sig is not one of $key over this archive; nothing was changed"
        say "the signature is good"
        return 0
    fi
    if [ -z "$digest" ]; then
        [ -r "$file.sha256" ] ||
            die 64 "there is nothing to check the archive against: put $file.sha256 beside it, or name --sha256 or --key"
        read -r digest _ <"$file.sha256" || true
        digest=${digest,,}
    fi
    [[ $digest =~ ^[0-9a-f]{64}$ ]] || die 64 "the digest '${digest:0:80}' is not a SHA-256 of 64 hexadecimal digits"
    found=$(sha256sum <"$file")
    found=${found%% *}
    [ "$found" = "$digest" ] ||
        die 65 "the archive's SHA-256 is $found and should be $digest; nothing was changed"
    say "the digest is as it should be"
}

# Sets DRAFT, a folder with the unpacked palyra, and NEW, its version.
upgrade_unpack() {
    DRAFT=$(mktemp -d "$PARENT/.palyra-upgrade.XXXXXX") || die 74 "no folder can be made in $PARENT"
    trap upgrade_cleaned EXIT
    printf '%s\n' "$PALYRA_HOME" "${LEFT[@]}" "$DRAFT" >"$MARK"
    tar -xzf "$1" --no-same-owner -C "$DRAFT" 2>/dev/null ||
        die 65 "the archive cannot be unpacked into $PARENT ($(df -Pk "$PARENT" | awk 'NR == 2 { print $4 }') KiB are free); nothing was changed"
    [ -x "$DRAFT/palyra/bin/palyra" ] ||
        die 65 "the archive holds no palyra/bin/palyra: it is no archive of Palyra; nothing was changed"
    NEW=$("$DRAFT/palyra/bin/palyra" --version) || die 65 "the archive is not complete; nothing was changed"
    ! is_root || chown -R --reference="$PALYRA_HOME" "$DRAFT/palyra"
}

# --- the exchange ----------------------------------------------------------------------------

upgrade_exchange() {
    local patience=$1 unit=$2 old stamp
    old=$(version)
    stamp=$(date -u +%Y%m%dT%H%M%SZ)
    EARLIER=$PARENT/palyra.$stamp
    BACKUP=$PALYRA_STATE.$stamp
    printf '%s\n' "$EARLIER" "$BACKUP" >>"$MARK"
    RUNS_BY=$(upgrade_runs_by "$unit")
    UNIT=$unit
    upgrade_remember
    upgrade_room
    if [ "$RUNS_BY" = nothing ]; then
        say "from $old to $NEW; no gateway runs on $PALYRA_STATE"
    else
        say "from $old to $NEW; the gateway stops now"
    fi
    trap 'upgrade_unchanged "$old" "it was interrupted"' INT TERM HUP
    upgrade_stop
    if [ -d "$PALYRA_STATE" ] && ! cp -a "$PALYRA_STATE" "$BACKUP"; then
        upgrade_unchanged "$old" "the state folder cannot be copied to $BACKUP"
    fi
    trap 'upgrade_back "it was interrupted"' INT TERM HUP
    mv -T "$PALYRA_HOME" "$EARLIER"
    mv -T "$DRAFT/palyra" "$PALYRA_HOME"
    upgrade_start
    upgrade_ready "$patience" || upgrade_back "it was not ready within $patience seconds"
    trap - INT TERM HUP
    if [ "$RUNS_BY" = nothing ]; then
        upgrade_stop
        say "$NEW is installed; it became ready and is stopped again, as it was"
    else
        say "$NEW is running"
    fi
    say "to go back: palyra upgrade an archive of $old. When all is well: rm -rf ${EARLIER@Q}$([ ! -d "$BACKUP" ] || echo " ${BACKUP@Q}")"
}

# Prints the process that holds the state folder; nothing when none does.
upgrade_process() {
    local pid=
    read -r pid 2>/dev/null <"$PALYRA_STATE/lock" || true
    [ -n "$pid" ] && grep -qs palyra.launcher.Main "/proc/$pid/cmdline" && echo "$pid"
}

# Ends when a gateway with another state folder runs from this installation: its files would be exchanged under it.
upgrade_others() {
    local own process pid state
    own=$(upgrade_process) || true
    for process in /proc/[0-9]*; do
        pid=${process#/proc/}
        if [ "$pid" != "$own" ] && upgrade_uses "$process"; then
            state=$(tr '\0' '\n' 2>/dev/null <"$process/environ" | sed -n 's/^PALYRA_STATE=//p')
            die 75 "process $pid runs from $PALYRA_HOME with the state folder ${state:-that it alone knows}, not $PALYRA_STATE; stop it, or upgrade with PALYRA_STATE=${state@Q}; nothing was changed"
        fi
    done
}

# Whether a process is a gateway that has files of this installation open.
upgrade_uses() {
    local file
    grep -qs palyra.launcher.Main "$1/cmdline" || return 1
    for file in "$1"/fd/*; do
        [[ $(readlink "$file" 2>/dev/null) != "$PALYRA_HOME"/* ]] || return 0
    done
    return 1
}

# By what the gateway runs: unit, process or nothing.
upgrade_runs_by() {
    if command -v systemctl >/dev/null 2>&1 && systemctl is-active --quiet "$1" 2>/dev/null; then
        echo unit
    elif upgrade_process >/dev/null; then
        echo process
    else
        echo nothing
    fi
}

# Sets OPTIONS and VARIABLES, with which the gateway was started.
upgrade_remember() {
    local pid word seen=
    OPTIONS=(--headless)
    VARIABLES=()
    pid=$(upgrade_process) || return 0
    while IFS= read -r -d '' word; do
        [ -z "$seen" ] || [[ $word =~ ^--(console|headless)$ ]] || OPTIONS+=("$word")
        [ "$word" != palyra.launcher.Main ] || seen=yes
    done <"/proc/$pid/cmdline"
    while IFS= read -r -d '' word; do
        case $word in
        PALYRA_HOME=* | PALYRA_TTY=* | PALYRA_EXEC_MILLIS=* | PALYRA_CGROUP=*) ;;
        PALYRA_*) VARIABLES+=("$word") ;;
        esac
    done <"/proc/$pid/environ"
    VARIABLES+=("PALYRA_JAVA_HOME=$(readlink "/proc/$pid/exe" | sed 's|/bin/java$||')")
    ! is_root || VARIABLES+=("PALYRA_USER=$(stat -c %U "/proc/$pid")")
}

upgrade_room() {
    [ -d "$PALYRA_STATE" ] || return 0
    local needed free
    needed=$(du -sk "$PALYRA_STATE" | cut -f1)
    free=$(df -Pk "$(dirname "$PALYRA_STATE")" | awk 'NR == 2 { print $4 }')
    [ "$free" -gt "$needed" ] ||
        die 74 "the copy of the state folder needs $needed KiB and $(dirname "$PALYRA_STATE") has $free; nothing was changed"
}

upgrade_stop() {
    local pid _
    if [ "$RUNS_BY" = unit ]; then
        systemctl stop "$UNIT" || die 1 "systemctl stop $UNIT failed; nothing was changed"
    fi
    pid=$(upgrade_process) || return 0
    "$PALYRA_HOME/bin/palyra" stop >/dev/null 2>&1 || kill -TERM "$pid" 2>/dev/null || true
    for _ in {1..300}; do
        [ -d "/proc/$pid" ] || return 0
        sleep 0.1
    done
    die 1 "the gateway (process $pid) did not stop within 30 seconds; nothing was changed"
}

upgrade_start() {
    if [ "$RUNS_BY" = unit ]; then
        systemctl start "$UNIT" || true # whether it is ready decides
        return 0
    fi
    UPGRADE_LOG=$PARENT/palyra-upgrade.log
    setsid nohup env "${VARIABLES[@]}" "$PALYRA_HOME/bin/palyra" up "${OPTIONS[@]}" </dev/null >"$UPGRADE_LOG" 2>&1 9>&- &
    STARTED=$!
}

upgrade_ready() {
    local until=$((SECONDS + $1))
    while [ $SECONDS -lt $until ]; do
        "$PALYRA_HOME/bin/palyra" status >/dev/null 2>&1 && return 0
        # A process that ended by itself will not become ready.
        [ "$RUNS_BY" = unit ] || kill -0 "$STARTED" 2>/dev/null || return 1
        sleep 0.5
    done
    return 1
}

# Puts back what was there, and ends.
# upgrade_unchanged OLD WHY: before anything was exchanged.
upgrade_unchanged() {
    trap '' INT TERM HUP
    rm -rf "$BACKUP"
    if [ "$RUNS_BY" = nothing ]; then
        die 74 "$2; $1 stays installed and nothing was changed"
    fi
    upgrade_start
    die 74 "$2; $1 was started again and nothing was changed"
}

upgrade_back() {
    trap '' INT TERM HUP
    local broken=$PARENT/palyra.failed
    say "$NEW did not come up: $1; going back"
    upgrade_keep_log
    if [ "$RUNS_BY" = unit ]; then
        systemctl stop "$UNIT" || true
    else
        upgrade_end
    fi
    if [ -d "$EARLIER" ]; then
        rm -rf "$broken"
        [ ! -d "$PALYRA_HOME" ] || mv -T "$PALYRA_HOME" "$broken"
        mv -T "$EARLIER" "$PALYRA_HOME"
    fi
    if [ -d "$BACKUP" ]; then
        rm -rf "$PALYRA_STATE.failed"
        mkdir -m 0700 "$PALYRA_STATE.failed"
        find "$PALYRA_STATE" -mindepth 1 -maxdepth 1 -exec mv -t "$PALYRA_STATE.failed" {} +
        cp -a "$BACKUP/." "$PALYRA_STATE/"
        rm -rf "$BACKUP"
    fi
    if [ "$RUNS_BY" != nothing ]; then
        upgrade_start
        upgrade_ready 120 || die 1 "the earlier version was put back and is not ready either; see palyra status. Why the new one failed is in $FAILED_LOG"
        die 1 "$(version) is running again with the state from before; what failed is in $broken and $PALYRA_STATE.failed, and why in $FAILED_LOG"
    fi
    die 1 "$(version) is installed again with the state from before; what failed is in $broken and $PALYRA_STATE.failed, and why in $FAILED_LOG"
}

# Keeps what the new version said in FAILED_LOG, for the earlier one writes to the same log, and shows its end.
upgrade_keep_log() {
    FAILED_LOG=$PARENT/palyra-upgrade.failed.log
    if [ "$RUNS_BY" = unit ]; then
        journalctl -u "$UNIT" -n 200 --no-pager >"$FAILED_LOG" 2>&1 || true
    else
        mv -T "$UPGRADE_LOG" "$FAILED_LOG" 2>/dev/null || true
    fi
    say "the last lines of its log $FAILED_LOG:"
    tail -n 20 "$FAILED_LOG" >&2 2>/dev/null || true
}

# Ends the new version, which may not answer.
upgrade_end() {
    local pid _
    for _ in {1..200}; do
        pid=$(upgrade_process) || pid=$STARTED
        kill -TERM "$pid" 2>/dev/null || return 0
        sleep 0.1
    done
    kill -KILL "$pid" 2>/dev/null || true
    sleep 1
}
