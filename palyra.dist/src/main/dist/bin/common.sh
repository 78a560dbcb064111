# shellcheck shell=bash
# What the launcher scripts share: words to the person, finding the JDK, the user and the state
# folder. Sourced, never run.

readonly PALYRA_JDK=25

say() { printf 'palyra: %s\n' "$*" >&2; }

die() {
    local code=$1
    shift
    say "$@"
    exit "$code"
}

# Words of these scripts with a help of their own.
has_help() { [[ $1 =~ ^(dev|restore|upgrade)$ ]]; }

environment_help() {
    cat <<'HELP'
Environment
  PALYRA_STATE       the state folder (root: /var/lib/palyra; else ~/.local/state/palyra)
  PALYRA_WORKSPACES  where agents work (default: the state folder's name with -workspaces)
  PALYRA_USER        as root: the system user the gateway runs as (default palyra; made if missing)
  PALYRA_HTTP_PORT   as --http-port
  PALYRA_LISTEN      ADDRESS[:PORT] on which gRPC listens with TLS, such as 0.0.0.0 (port 7443); the
                     pair is tls/server.pem and tls/server.key of the state folder; the gateway makes
                     a self-signed one when they are missing
  PALYRA_READY_FILE  a file that is written, as JSON, once the gateway is ready
  PALYRA_JAVA_HOME   the JDK 25 to use; found by itself otherwise
  PALYRA_JAVA_OPTS   further options for the gateway's JVM
  PALYRA_KEEP_ENV    as root: names of further variables that the gateway is to see; of the rest of
                     root's environment it sees language, time zone, terminal and what is named here
HELP
}

restore_help() {
    cat <<'HELP'
palyra restore: bring a backup back into an empty state folder

  palyra restore FILE     from a file that palyra backup wrote; its passphrase is asked for
  palyra restore -        from standard input

The state folder is the one that PALYRA_STATE names. It may not be there yet or must be empty, and no
gateway may use it. Every byte is checked before the gateway can start on it. palyra up starts it
afterwards; the operator guide says what a backup does not hold.
HELP
}

# no_gateway ARGUMENT...: what a command without a gateway says, in the form that it was asked for.
no_gateway() {
    local text="no gateway is running for state folder $PALYRA_STATE; start one with palyra up"
    [[ " $* " == *" --json "* ]] || die 69 "$text"
    text=${text//\\/\\\\}
    printf '{"error":{"code":"GATEWAY_UNAVAILABLE","message":"%s"}}\n' "${text//\"/\\\"}" >&2
    exit 69
}

# Text is UTF-8 whatever the language settings say, in arguments and names of files too.
speak_utf8() {
    # A JVM takes no category at all when one of them names a locale that the system has not.
    export LC_ALL=C.UTF-8
}

is_root() { [ "$(id -u)" -eq 0 ]; }

# --- system packages -------------------------------------------------------------------------

# need_packages COMMAND:PACKAGE... : installs the packages of missing commands where it may,
# otherwise prints the exact line.
need_packages() {
    local pair missing=()
    for pair in "$@"; do
        command -v "${pair%%:*}" >/dev/null 2>&1 || missing+=("${pair#*:}")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    if is_root && command -v apt-get >/dev/null 2>&1; then
        say "installing missing system packages: ${missing[*]}"
        if apt-get update -qq >/dev/null 2>&1 &&
            DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null 2>&1; then
            return 0
        fi
        die 1 "these packages could not be installed; install them by hand: apt-get install ${missing[*]}"
    fi
    die 1 "something is missing; install it first: sudo apt-get install ${missing[*]}"
}

# want_packages WHAT COMMAND:PACKAGE... : as need_packages, but without them only WHAT stays off.
want_packages() {
    local what=$1 pair missing=()
    shift
    for pair in "$@"; do
        command -v "${pair%%:*}" >/dev/null 2>&1 || missing+=("${pair#*:}")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    if is_root && command -v apt-get >/dev/null 2>&1; then
        say "installing missing system packages: ${missing[*]}"
        if apt-get update -qq >/dev/null 2>&1 &&
            DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null 2>&1; then
            return 0
        fi
    fi
    say "note: $what; to change that: sudo apt-get install ${missing[*]}"
}

# --- the JDK ---------------------------------------------------------------------------------

# The major version that FOLDER/release names; empty when there is none.
jdk_major() {
    local version
    version=$(sed -n 's/^JAVA_VERSION="\([^"]*\)".*/\1/p' "$1/release" 2>/dev/null) || true
    printf '%s' "${version%%[.-]*}"
}

jdk_candidates() {
    printf '%s\n' "${JAVA_HOME:-}" /usr/lib/jvm/* /opt/* /opt/*/* "${HOME:-/nonexistent}"/.sdkman/candidates/java/* \
        "${HOME:-/nonexistent}"/.jdks/*
    local java
    if java=$(command -v java 2>/dev/null) && java=$(readlink -f "$java"); then
        printf '%s\n' "${java%/bin/java}"
    fi
}

# find_jdk PROGRAM [COMMAND...]: sets JAVA_HOME to a JDK 25 with bin/PROGRAM; each candidate is
# tried with COMMAND in front (the one that drops to the gateway's user), so that a JDK only root
# can read is not chosen for it.
find_jdk() {
    local program=$1 folder
    shift
    if [ -n "${PALYRA_JAVA_HOME:-}" ]; then
        jdk_usable "$PALYRA_JAVA_HOME" "$program" "$@" ||
            die 1 "PALYRA_JAVA_HOME=$PALYRA_JAVA_HOME is no usable JDK $PALYRA_JDK with bin/$program (found version '$(jdk_major "$PALYRA_JAVA_HOME")'); point it at one or unset it"
        export JAVA_HOME=$PALYRA_JAVA_HOME
        return 0
    fi
    while IFS= read -r folder; do
        if [ -n "$folder" ] && jdk_usable "$folder" "$program" "$@"; then
            export JAVA_HOME=$folder
            return 0
        fi
    done < <(jdk_candidates)
    no_jdk "$program"
}

jdk_usable() {
    local folder=$1 program=$2
    shift 2
    [ "$(jdk_major "$folder")" = "$PALYRA_JDK" ] && [ -x "$folder/bin/$program" ] &&
        "$@" test -x "$folder/bin/$program"
}

jdk_words() {
    printf 'JDK %s at %s' "$(sed -n 's/^JAVA_VERSION="\([^"]*\)".*/\1/p' "$JAVA_HOME/release")" "$JAVA_HOME"
}

no_jdk() {
    local machine
    machine=$(uname -m)
    [ "$machine" = x86_64 ] && machine=x64
    say "no JDK $PALYRA_JDK with bin/$1 was found in PALYRA_JAVA_HOME, JAVA_HOME, /usr/lib/jvm, /opt, ~/.sdkman, ~/.jdks or PATH."
    if command -v apt-cache >/dev/null 2>&1 && apt-cache show "openjdk-$PALYRA_JDK-jdk-headless" >/dev/null 2>&1; then
        say "install it:      sudo apt-get install openjdk-$PALYRA_JDK-jdk-headless"
    else
        say "download it:     https://adoptium.net/temurin/releases/?version=$PALYRA_JDK (JDK, Linux, $machine, tar.gz)"
        say "unpack it:       sudo mkdir -p /usr/lib/jvm && sudo tar -xzf OpenJDK${PALYRA_JDK}U-jdk_*.tar.gz -C /usr/lib/jvm"
        say "or with SDKMAN:  sdk install java ${PALYRA_JDK}-tem"
    fi
    die 1 "then run this again; a JDK elsewhere is named by PALYRA_JAVA_HOME=/path/to/jdk"
}

# --- the state folder and its user -----------------------------------------------------------

# Sets PALYRA_STATE, absolute.
choose_state() {
    if [ -z "${PALYRA_STATE:-}" ]; then
        if is_root; then
            PALYRA_STATE=/var/lib/palyra
        else
            PALYRA_STATE=${XDG_STATE_HOME:-$HOME/.local/state}/palyra
        fi
    fi
    PALYRA_STATE=$(readlink -m "$PALYRA_STATE")
    export PALYRA_STATE
}

# Sets PALYRA_WORKSPACES, absolute: beside the state folder, never within it.
choose_workspaces() {
    PALYRA_WORKSPACES=$(readlink -m "${PALYRA_WORKSPACES:-$PALYRA_STATE-workspaces}")
    export PALYRA_WORKSPACES
    case "$PALYRA_WORKSPACES/" in
    "$PALYRA_STATE"/*) die 64 "PALYRA_WORKSPACES=$PALYRA_WORKSPACES is within the state folder $PALYRA_STATE; agents would reach the gateway's own files: choose another" ;;
    esac
    case "$PALYRA_STATE/" in
    "$PALYRA_WORKSPACES"/*) die 64 "the state folder $PALYRA_STATE is within PALYRA_WORKSPACES=$PALYRA_WORKSPACES; agents would reach the gateway's own files: choose another" ;;
    esac
}

# as_user USER: sets DROP to the command that becomes USER without any privilege, now or later.
# Run as that user already, it is nothing.
as_user() {
    local uid gid
    DROP=()
    uid=$(id -u "$1") || die 1 "there is no user $1"
    gid=$(id -g "$1")
    [ "$(id -u)" -eq "$uid" ] && return 0
    DROP=(setpriv "--reuid=$uid" "--regid=$gid" --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs --)
}

# What a process that leaves root's rights behind may be told by root's environment. Everything else
# stays here: secrets of root's, and what steers loaders, shells and JVMs (LD_*, BASH_ENV, JAVA_TOOL_OPTIONS).
KEPT_VARIABLES=" HOME USER LOGNAME LANG LANGUAGE TZ TERM COLORTERM NO_COLOR COLUMNS LINES HOSTNAME JAVA_HOME \
 CREDENTIALS_DIRECTORY NOTIFY_SOCKET INVOCATION_ID JOURNAL_STREAM \
 PALYRA_STATE PALYRA_WORKSPACES PALYRA_HOME PALYRA_HTTP_PORT PALYRA_READY_FILE PALYRA_EXEC_MILLIS PALYRA_TTY \
 PALYRA_CGROUP PALYRA_START_SEED ${PALYRA_KEEP_ENV:-} "

# Takes everything that is not named out of the environment, when root's rights are about to go.
named_environment() {
    is_root || return 0
    local name
    while read -r name; do
        case "$name" in
        LC_*) ;;
        *) [[ $KEPT_VARIABLES == *" $name "* ]] || unset -v "$name" 2>/dev/null || export -n "${name?}" ;;
        esac
    done < <(compgen -e)
    while read -r _ _ name; do
        export -nf "${name?}" # functions that a caller exported
    done < <(declare -Fx)
    export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
}

# Which standard streams are terminals, for the JVM that cannot find out cheaply.
export_terminals() {
    PALYRA_TTY=
    [ -t 0 ] && PALYRA_TTY=in
    [ -t 1 ] && PALYRA_TTY=$PALYRA_TTY,out
    [ -t 2 ] && PALYRA_TTY=$PALYRA_TTY,err
    export PALYRA_TTY
    # A serial line or a bare pseudo-terminal has no size; nothing could be edited in 0 columns.
    if [ -t 0 ] && [ "$(stty size 2>/dev/null)" = "0 0" ]; then
        stty rows 24 cols 80 || true
    fi
}
