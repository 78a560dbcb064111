# shellcheck shell=bash
# palyra dev: a project for a bundle of one's own, and its inner loop. Sourced by palyra, never run.

# The bnd that builds projects of bnd workspaces: the one that packs the Maven projects.
readonly DEV_BND_VERSION=7.1.0

# For JVMs that end soon: the optimising compiler would take half of their processor time.
readonly DEV_QUICK="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

# The first words of Palyra's own commands, which a command of one's own does not take.
readonly DEV_TAKEN=" access agents approvals ask attestation backup budgets bundle bundles channels completion config console \
costs deploy dev doctor event gogo help identity lb logs metrics models optimize pairing palyra policy \
restore retention router run runs sandbox scr secrets sessions shell skills state status stop swap tape test \
tools up upgrade vault why "

dev_help() {
    cat <<'HELP'
palyra dev: a bundle of your own, from nothing to a running gateway

  palyra dev init tool|command|model|connector NAME [FOLDER]
                      makes a Maven project in FOLDER (default: NAME); NAME is the bundle's symbolic
                      name and base package, such as org.example.hello
  palyra dev init --layout bnd tool|command|model|connector NAME [WORKSPACE]
                      adds the project NAME to a bnd workspace (default: the one around this folder);
                      where there is no cnf/ yet, it makes the workspace
  palyra dev fragment FOLDER
                      writes the same as template fragments for bnd and Bndtools, with index.bnd
  palyra dev build    compiles, tests and packs the project in this folder
  palyra dev deploy   the same, then puts the bundle into the running gateway
  palyra dev watch [--jars]
                      deploys again on every save, without the tests; Ctrl-C ends it. With --jars it
                      builds nothing: it deploys what Bndtools writes to generated/

The last three run in the project's folder and find a JDK by themselves. A gateway that runs as another user
is reached as palyra's other commands are.

Environment, for projects of a bnd workspace
  PALYRA_BND       the jar biz.aQute.bnd to build with; fetched from Maven Central otherwise
  PALYRA_BND_OPTS  options for its JVM, such as -Dmaven.repo.local=FOLDER
HELP
}

dev() {
    local verb=${1:-}
    [ $# -eq 0 ] || shift
    case $verb in
    '' | -h | --help | help) dev_help ;;
    init) dev_init "$@" ;;
    fragment) dev_fragment "$@" ;;
    build) dev_project "$@" && dev_build ;;
    deploy) dev_project "$@" && dev_build && dev_put_all ;;
    watch)
        if [ "${1:-}" = --jars ]; then
            shift
            dev_project "$@" && dev_watch_jars
        else
            dev_project "$@" && dev_watch
        fi
        ;;
    *) die 64 "dev does not know '$verb'; it takes init, fragment, build, deploy and watch: palyra dev --help" ;;
    esac
}

# --- a new project ---------------------------------------------------------------------------

dev_init() {
    local layout=maven words=()
    while [ $# -gt 0 ]; do
        if [ "$1" = --layout ]; then
            layout=${2:-}
            shift
        else
            words+=("$1")
        fi
        [ $# -eq 0 ] || shift
    done
    [[ $layout =~ ^(maven|bnd)$ ]] || die 64 "dev init makes a project of the layout maven or bnd; found '$layout'"
    set -- ${words[@]+"${words[@]}"}
    { [ $# -eq 2 ] || [ $# -eq 3 ]; } || die 64 "dev init takes a kind, a name and perhaps a folder, for example: palyra dev init tool org.example.hello"
    local kind=$1 name=$2
    [[ $kind =~ ^(tool|command|model|connector)$ ]] || die 64 "dev init makes a tool, a command, a model or a connector; found '$kind'"
    [[ $name =~ ^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)+$ ]] ||
        die 64 "the name '$name' cannot be a package: use lower-case words with dots, such as org.example.hello"
    [[ ! .$name. =~ \.(abstract|assert|boolean|break|byte|case|catch|char|class|const|continue|default|do|double|else|enum|extends|false|final|finally|float|for|goto|if|implements|import|instanceof|int|interface|long|native|new|null|package|private|protected|public|return|short|static|strictfp|super|switch|synchronized|this|throw|throws|transient|true|try|void|volatile|while)\. ]] ||
        die 64 "the name '$name' has the word '${BASH_REMATCH[1]}', which Java keeps for itself; choose another"
    [[ $name != palyra.* ]] || die 64 "the name '$name' begins with palyra., as the product's own bundles do; choose one of your own"
    [ "${#name}" -le 64 ] || die 64 "the name '$name' has ${#name} characters; use at most 64"
    [ "$kind" != command ] || [[ $DEV_TAKEN != *" ${name##*.} "* ]] ||
        die 64 "the command of '$name' would be '${name##*.} greet', and ${name##*.} is a word of Palyra's own; let the name end with another, such as $name.hello"
    [ "$kind" != connector ] || [[ ${name##*.} =~ ^.{1,32}$ ]] ||
        die 64 "the connectors of '$name' would be '${name##*.}:ACCOUNT', and ${name##*.} has more than 32 characters; let the name end with a shorter word"
    if [ "$layout" = bnd ]; then
        dev_init_bnd "$kind" "$name" "${3:-$(dev_workspace)}"
    else
        dev_init_maven "$kind" "$name" "${3:-$name}"
    fi
}

# dev_free FOLDER: a project is not put over what is there, and not into a clone of Palyra, which would build it.
dev_free() {
    local clone
    if [ -f "$PALYRA_HOME/../../pom.xml" ]; then
        clone=$(readlink -f "$PALYRA_HOME/../../..")
        [[ $(readlink -m "$1")/ != "$clone"/* ]] ||
            die 64 "$1 would be in the clone $clone; go to a folder outside of it, then: $(dev_command) dev init ..."
    fi
    [ ! -e "$1" ] || [ -z "$(ls -A "$1" 2>&1)" ] || die 64 "$1 is there already and is not an empty folder; choose another"
}

# dev_sources KIND NAME FOLDER SOURCES TESTS: the class and its test, equal in both layouts.
dev_sources() {
    local kind=$1 name=$2 word=${2##*.} package=${2//.//}/internal
    mkdir -p "$3/$4/$package" "$3/$5/$package" || die 74 "the folder $3 cannot be made; choose another"
    dev_fill "$kind" "$name" "$kind/Main.java.txt" "$3/$4/$package/${word^}${kind^}.java"
    dev_fill "$kind" "$name" "$kind/MainTest.java.txt" "$3/$5/$package/${word^}${kind^}Test.java"
}

dev_init_maven() {
    local kind=$1 name=$2 folder=$3 file
    dev_free "$folder"
    dev_sources "$kind" "$name" "$folder" src/main/java src/test/java
    for file in pom.xml bnd.bnd README.md; do
        dev_fill "$kind" "$name" "common/$file" "$folder/$file"
    done
    cp "$PALYRA_HOME/templates/common/gitignore" "$folder/.gitignore"
    dev_wrapper "$folder"
    chmod u+w "$folder"/* && chmod +x "$folder/mvnw"
    say "made the project $folder; next: cd $folder && $(dev_command) dev deploy"
}

# dev_wrapper FOLDER: what fetches and runs Maven. Short builds take a third less of the processor
# without the JVM's second compiler.
dev_wrapper() {
    mkdir -p "$1/.mvn/wrapper"
    cp "$PALYRA_HOME/templates/common/jvm.config" "$1/.mvn/"
    cp "$PALYRA_HOME/templates/common/mvnw" "$1/mvnw"
    cp "$PALYRA_HOME/templates/common/maven-wrapper.properties" "$1/.mvn/wrapper/"
}

# --- bnd workspaces --------------------------------------------------------------------------

# Prints the bnd workspace that contains this folder, or this folder when none does.
dev_workspace() {
    local folder=$PWD
    while [ ! -d "$folder/cnf" ]; do
        [ "$folder" != / ] || { folder=$PWD && break; }
        folder=$(dirname "$folder")
    done
    printf '%s\n' "$folder"
}

dev_init_bnd() {
    local kind=$1 name=$2 workspace=$3
    dev_free "$workspace/$name"
    if [ ! -d "$workspace/cnf" ]; then
        mkdir -p "$workspace/cnf" || die 74 "the folder $workspace/cnf cannot be made; choose another workspace"
        cp "$PALYRA_HOME/templates/bnd/build.bnd" "$workspace/cnf/build.bnd"
        cp "$PALYRA_HOME/templates/bnd/cnf.project.xml" "$workspace/cnf/.project"
        echo cache/ >"$workspace/cnf/.gitignore"
        chmod u+w "$workspace/cnf/build.bnd" "$workspace/cnf/.project"
        say "made the bnd workspace $workspace"
    fi
    dev_bnd_workspace_once "$workspace"
    dev_bnd_project "$kind" "$name" "$workspace"
    say "made the project $workspace/$name; next: cd $workspace/$name && $(dev_command) dev deploy"
}

# dev_bnd_workspace FOLDER: the repositories and the paths that projects name.
dev_bnd_workspace() {
    mkdir -p "$1/cnf/ext" || die 74 "the folder $1/cnf/ext cannot be made; choose another"
    dev_fill tool org.example.none bnd/palyra.bnd "$1/cnf/ext/palyra.bnd"
    dev_fill tool org.example.none bnd/palyra.mvn "$1/cnf/ext/palyra.mvn"
}

# The same where they are missing; files that are there stay, as they may have been changed.
dev_bnd_workspace_once() {
    local file=$1/cnf/ext/palyra.bnd
    if [ ! -e "$file" ]; then
        dev_bnd_workspace "$1"
    elif ! grep -qxF "palyra.version: $(dev_version)" "$file"; then
        say "$file is not of this Palyra, $(dev_version), and stays as it is; delete it to let palyra dev write this one's, and palyra.mvn"
    fi
}

# dev_bnd_project KIND NAME WORKSPACE
dev_bnd_project() {
    local folder=$3/$2
    dev_sources "$1" "$2" "$folder" src test
    dev_fill "$1" "$2" bnd/bnd.bnd "$folder/bnd.bnd"
    dev_fill "$1" "$2" bnd/README.md "$folder/README.md"
    dev_fill "$1" "$2" bnd/gitignore "$folder/.gitignore"
    dev_fill "$1" "$2" bnd/project.xml "$folder/.project"
    dev_fill "$1" "$2" bnd/classpath.xml "$folder/.classpath"
}

# Writes what bnd calls template fragments: archives with one folder each, and their index.
dev_fragment() {
    local folder=${1:-} place jar
    [ $# -eq 1 ] || die 64 "dev fragment takes the folder to write to, for example: palyra dev fragment palyra-fragment"
    dev_free "$folder"
    find_jdk jar
    mkdir -p "$folder" || die 74 "the folder $folder cannot be made; choose another"
    folder=$(readlink -f "$folder")
    [[ $folder =~ ^[A-Za-z0-9/._-]+$ ]] || die 64 "bnd reads the fragments by URL, and $folder has characters that URLs write differently; choose another"
    place=$(mktemp -d "${TMPDIR:-/tmp}/palyra-dev.XXXXXX")
    dev_bnd_workspace "$place/palyra"
    dev_bnd_project tool org.example.words "$place/palyra-tool"
    dev_bnd_project command org.example.hello "$place/palyra-command"
    dev_bnd_project model org.example.shout "$place/palyra-model"
    dev_bnd_project connector org.example.desk "$place/palyra-connector"
    for jar in palyra palyra-tool palyra-command palyra-model palyra-connector; do
        "$JAVA_HOME/bin/jar" --create --no-manifest --file "$folder/$jar.zip" -C "$place" "$jar" || die 74 "$folder/$jar.zip cannot be written"
    done
    rm -rf "$place"
    sed "s|@folder@|$folder|g" "$PALYRA_HOME/templates/bnd/index.bnd" >"$folder/index.bnd"
    say "wrote five fragments and $folder/index.bnd; docs/integrator-guide.md says how to take them into a bnd workspace"
}

# --- names in templates ----------------------------------------------------------------------

# How the user calls this script.
dev_command() {
    command -v palyra >/dev/null 2>&1 && echo palyra || readlink -f "$HERE/palyra"
}

dev_version() { version | cut -d' ' -f2; }

# dev_shipped NAME: the version of a library that the gateway runs.
dev_shipped() {
    local jar
    jar=$(find "$PALYRA_HOME/bundles" -name "$1-[0-9]*.jar" -print -quit)
    jar=${jar##*/"$1"-}
    printf '%s\n' "${jar%.jar}"
}

# dev_fill KIND NAME TEMPLATE FILE
dev_fill() {
    local text try word=${2##*.}
    text=$(<"$PALYRA_HOME/templates/$3")
    try=$(<"$PALYRA_HOME/templates/$1/try.md")
    text=${text//@try@/$try}
    text=${text//@name@/$2}
    text=${text//@word@/$word}
    text=${text//@Class@/${word^}}
    text=${text//@jackson@/$(dev_shipped jackson-databind)}
    text=${text//@jackson-annotations@/$(dev_shipped jackson-annotations)}
    text=${text//@version@/$(dev_version)}
    text=${text//@home@/$PALYRA_HOME}
    printf '%s\n' "$text" >"$4"
}

# --- the inner loop --------------------------------------------------------------------------

# Sets DEV_LAYOUT and DEV_NAME from the project in this folder.
dev_project() {
    [ $# -eq 0 ] || die 64 "dev build, deploy and watch take no such argument: found '$*'; run it in the project's folder"
    if [ -f pom.xml ] && [ -f bnd.bnd ] && [ -x mvnw ]; then
        DEV_LAYOUT=maven
        DEV_NAME=$(sed -n 's/^Bundle-SymbolicName: *//p' bnd.bnd)
        [ -n "$DEV_NAME" ] || die 64 "bnd.bnd has no line Bundle-SymbolicName; put back the one that dev init wrote"
    elif [ -f bnd.bnd ] && [ -d ../cnf ]; then
        DEV_LAYOUT=bnd
        grep -qF 'palyra.buildpath' bnd.bnd || die 64 "$PWD is a bnd project, but not for Palyra: bnd.bnd has no line -buildpath: \${palyra.buildpath}"
        dev_bnd_workspace_once "$(dirname "$PWD")"
        DEV_NAME=$(basename "$PWD")
    else
        die 64 "$PWD is no project of palyra dev (bnd.bnd with pom.xml and mvnw, or with ../cnf); make one with: palyra dev init tool org.example.hello"
    fi
    find_jdk javac
    speak_utf8
}

# dev_build [--skip-tests]
dev_build() {
    if [ "$DEV_LAYOUT" = maven ]; then
        rm -rf target/classes # Maven leaves what came from files that are gone
        dev_maven ${1:+-Dmaven.test.skip=true} package
    else
        dev_bnd_build "$@"
    fi
}

# Runs Maven, without the network when all is there.
dev_maven() {
    local log=target/palyra-dev.log
    mkdir -p target
    if ! dev_mvn "$log" -o "$@"; then
        if grep -qE 'in offline mode|has not been downloaded' "$log"; then
            say "fetching what the build needs"
            dev_mvn "$log" "$@" && return 0
        fi
        grep -E '^\[ERROR\]' "$log" | grep -vE "To see the full stack|Re-run Maven|For more information|\\[Help|^\\[ERROR\\] *$|surefire-reports|dump files" | head -n 30 >&2
        say "the build failed; the whole log is $log"
        return 1
    fi
}

# dev_mvn LOG WORD...: one run of Maven, in the JVM that stays if there is one.
dev_mvn() {
    local log=$1 code=0
    shift
    dev_warm "$@" || code=$?
    [ $code -ge 70 ] || return $code
    MAVEN_OPTS="$DEV_QUICK ${MAVEN_OPTS:-}" ./mvnw "$(dev_first)" -B -q -ntp "$@" >"$log" 2>&1 </dev/null
}

# Has Maven look into the installation's repository first: the user's own may have another build of the same version.
dev_first() { printf '%s\n' "-Dmaven.repo.local.head=$PALYRA_HOME/maven"; }

# Finds the bnd of the workspace in DEV_BND; the first time Maven fetches it.
dev_find_bnd() {
    local cache=$PWD/../cnf/cache/palyra
    DEV_BND=${PALYRA_BND:-$cache/biz.aQute.bnd-$DEV_BND_VERSION.jar}
    [ -z "${PALYRA_BND:-}" ] || [ -f "$DEV_BND" ] || die 64 "PALYRA_BND names $DEV_BND, and there is no such file; name the jar biz.aQute.bnd, or unset it"
    [ ! -f "$DEV_BND" ] || return 0
    local copy=(org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy "-Dartifact=biz.aQute.bnd:biz.aQute.bnd:$DEV_BND_VERSION" "-DoutputDirectory=$cache")
    dev_wrapper "$cache"
    chmod u+w "$cache/mvnw" && chmod +x "$cache/mvnw"
    if ! (cd "$cache" && ./mvnw -B -q -ntp -o "${copy[@]}" >fetch.log 2>&1 </dev/null); then
        say "fetching bnd $DEV_BND_VERSION"
        (cd "$cache" && ./mvnw -B -q -ntp "${copy[@]}" >fetch.log 2>&1 </dev/null) ||
            die 1 "bnd $DEV_BND_VERSION was not fetched; the log is $cache/fetch.log. Or name the jar biz.aQute.bnd by PALYRA_BND"
    fi
}

# Runs bnd; the options are for the compiler that it starts too.
dev_bnd() {
    # shellcheck disable=SC2086 # several options
    JAVA_TOOL_OPTIONS="$DEV_QUICK ${JAVA_TOOL_OPTIONS:-}" PATH=$JAVA_HOME/bin:$PATH \
        "$JAVA_HOME/bin/java" ${PALYRA_BND_OPTS:-} -jar "$DEV_BND" "$@"
}

# dev_bnd_build [--skip-tests]: the jars come last, so that none is there whose tests failed.
dev_bnd_build() {
    local log=generated/palyra-dev.log path code=0
    dev_find_bnd
    mkdir -p generated
    # bnd compiles all, and leaves the classes of sources that are gone.
    find bin bin_test -name '*.class' -delete 2>/dev/null || true
    if [ $# -eq 1 ]; then
        dev_warm build || code=$?
        [ $code -ne 0 ] || return 0
        [ $code -ge 70 ] || dev_bnd_failed "$log" || return 1
    fi
    if [ $# -eq 0 ]; then
        dev_bnd compile -t >"$log" 2>&1 </dev/null || dev_bnd_failed "$log" || return 1
        if [ -n "$(find bin_test -name '*.class' -print -quit 2>/dev/null)" ]; then
            path=$(dev_bnd classpath -t 2>>"$log" </dev/null) || dev_bnd_failed "$log" || return 1
            "$JAVA_HOME/bin/java" -XX:TieredStopAtLevel=1 -cp "$path:bin_test" org.junit.platform.console.ConsoleLauncher execute \
                --scan-classpath=bin_test --details=summary --disable-banner --disable-ansi-colors >>"$log" 2>&1 </dev/null ||
                dev_bnd_failed "$log" || return 1
        fi
    else
        dev_bnd compile >"$log" 2>&1 </dev/null || dev_bnd_failed "$log" || return 1
    fi
    dev_bnd build >>"$log" 2>&1 </dev/null || dev_bnd_failed "$log"
}

dev_bnd_failed() {
    sed 's/Picked up JAVA_TOOL_OPTIONS:.*//' "$1" |
        grep -vE '^-*$|^(Warnings|Errors)$|^SLF4J|location of system modules|--release .* is recommended|^\[ .* (containers|tests) |^[0-9]+ warnings?$|^ +(\[\.\.\.\]|org\.junit|java\.base)' | head -n 30 >&2
    say "the build failed; the whole log is $1"
    return 1
}

# --- builds in a JVM that stays --------------------------------------------------------------

# dev_warm_open: starts the JVM in which dev watch builds. Its input is a pipe from this shell, and it ends with it,
# however the shell ends. Where it cannot be, the reason is told and each save starts Maven or bnd.
dev_warm_open() {
    local class=WarmMaven log=target/palyra-dev.log home words=() options=()
    if [ "$DEV_LAYOUT" = maven ]; then
        home=$(./mvnw -v 2>/dev/null </dev/null | sed -n 's/^Maven home: *//p')
        [ -n "$(find "${home:-/nonexistent}/lib" -name 'maven-embedder-3.*.jar' 2>/dev/null)" ] ||
            { dev_cold "./mvnw -v names no Maven 3 ('$home')" && return; }
        read -r -a words <<<"${MAVEN_ARGS:-}"
        read -r -a options <<<"$DEV_QUICK $(tr -s '\r\n' ' ' 2>/dev/null <.mvn/jvm.config) ${MAVEN_OPTS:-}"
        options+=("-Dmaven.home=$home" -cp "$home/conf/logging:$home/lib/ext/*:$home/lib/*:$home/boot/*")
        words+=("$(dev_first)" -B -q -ntp)
    else
        class=WarmBnd log=generated/palyra-dev.log
        dev_find_bnd
        read -r -a options <<<"$DEV_QUICK ${PALYRA_BND_OPTS:-}"
        options+=(-cp "$DEV_BND")
    fi
    mkdir -p "$(dirname "$log")"
    coproc DEV_JVM { exec "$JAVA_HOME/bin/java" -XX:-UsePerfData \
        --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow "${options[@]}" \
        "$PALYRA_HOME/lib/dev/$class.java" "$log" "${words[@]}" 2>"$log.jvm"; }
    disown "$DEV_JVM_PID" # or bash says by itself when it was killed
}

dev_warm_close() {
    local jvm=${DEV_JVM_PID:-}
    [ -n "$jvm" ] || return 0
    while kill "$jvm" 2>/dev/null; do
        sleep 0.05
    done
}

dev_cold() {
    say "note: no build stays warm, so each save takes as long as palyra dev build: $1"
    DEV_COLD=yes
}

# dev_warm WORD...: one build in that JVM. Fails with 70 or more when that JVM did not start, has ended or cannot build.
dev_warm() {
    local code='' to=${DEV_JVM[1]:-} from=${DEV_JVM[0]:-}
    [ -z "${DEV_COLD-yes}" ] || return 70
    trap '' PIPE # it may be gone
    { printf '%s\n' "$*" >&"$to" && read -r code <&"$from"; } 2>/dev/null || true
    trap - PIPE
    [ "${code:-70}" -ge 70 ] || return "$code"
    dev_warm_close
    dev_cold "the JVM with the build tool failed, see $PWD/$([ "$DEV_LAYOUT" = maven ] && echo target || echo generated)/palyra-dev.log.jvm"
    return 70
}

# --- into the gateway ------------------------------------------------------------------------

dev_put_all() {
    local jar found=''
    if [ "$DEV_LAYOUT" = bnd ]; then
        for jar in generated/*.jar; do
            [ -f "$jar" ] || continue
            found=1
            DEV_NAME=$(basename "$jar" .jar)
            dev_put "$jar" || return
        done
        [ -n "$found" ] || die 1 "the build made no generated/$DEV_NAME.jar"
    else
        # The newest: jars of earlier versions stay in the folder.
        jar=$(find target -maxdepth 1 -name "$DEV_NAME-*.jar" ! -name '*-sources.jar' -printf '%T@ %p\n' | sort -rn | sed -n '1s/^[^ ]* //p')
        [ -n "$jar" ] || die 1 "the build made no target/$DEV_NAME-*.jar"
        dev_put "$jar"
    fi
}

# dev_put JAR: puts DEV_NAME into the running gateway, in place of the earlier one if there is one.
dev_put() {
    local jar=$1 said code=0
    { said=$("$HERE/palyra" swap "$DEV_NAME" - <"$jar" 2>&1 >&3) || code=$?; } 3>&1
    if [ $code -eq 66 ] && [[ $said == *"There is no bundle '$DEV_NAME'"* ]]; then
        dev_put_first "$jar"
    else
        [ -z "$said" ] || printf '%s\n' "$said" >&2
        return $code
    fi
}

dev_put_first() {
    local jar=$1 place id
    # The gateway's user may not see this folder.
    place=$(mktemp -d "${TMPDIR:-/tmp}/palyra-dev.XXXXXX")
    chmod 755 "$place"
    cp "$jar" "$place/bundle.jar"
    chmod 644 "$place/bundle.jar"
    id=$("$HERE/palyra" bundle install "file:$place/bundle.jar" | grep -oE '[0-9]+' | tail -n 1) || id=
    rm -rf "$place"
    [ -n "$id" ] || die 1 "the gateway did not take $jar from $place; a service with a private /tmp does not see it, then use the drop-in folder: palyra deploy --help. Otherwise see: palyra logs"
    "$HERE/palyra" bundle start "$id" || die 1 "$DEV_NAME is installed and does not work, for the reason above; correct it and deploy again"
    say "$DEV_NAME is installed and active; README.md says how to try it"
}

dev_state() { find "$@" -type f -printf '%p %s %T@\n' 2>/dev/null | LC_ALL=C sort; }

dev_watch() {
    local seen='' now began set='' settings=(bnd.bnd pom.xml .mvn)
    [ "$DEV_LAYOUT" = maven ] || settings=(bnd.bnd ../cnf/build.bnd ../cnf/ext)
    say "watching src ${settings[*]}; Ctrl-C ends it"
    while true; do
        now=$(dev_state src "${settings[@]}")
        if [ "$now" != "$seen" ]; then
            seen=$now
            began=$(date +%s%N)
            # Settings may be the JVM's too: with others another JVM begins.
            if [ "$set" != "$(dev_state "${settings[@]}")" ]; then
                set=$(dev_state "${settings[@]}")
                dev_warm_close
                DEV_COLD=
                dev_warm_open
            fi
            if dev_build --skip-tests && (dev_put_all); then # a refusal does not end the watch
                say "deployed in $((($(date +%s%N) - began) / 1000000)) ms"
            fi
        fi
        sleep 0.2
    done
}

# Deploys what another program builds, when it has stopped writing.
dev_watch_jars() {
    local seen='' before='' now began line
    [ "$DEV_LAYOUT" = bnd ] || die 64 "--jars is for projects of a bnd workspace; here use: palyra dev watch"
    mkdir -p generated
    say "watching generated/*.jar; Ctrl-C ends it"
    while true; do
        now=$(dev_state generated | grep -E '^generated/[^/]*\.jar ') || now=
        if [ "$now" = "$before" ] && [ "$now" != "$seen" ]; then
            while IFS= read -r line; do
                if [ -z "$line" ] || grep -qxF "$line" <<<"$seen"; then
                    continue
                fi
                began=$(date +%s%N)
                DEV_NAME=$(basename "${line%% *}" .jar)
                if (dev_put "${line%% *}" </dev/null); then
                    say "deployed in $((($(date +%s%N) - began) / 1000000)) ms"
                fi
            done <<<"$now"
            seen=$now
        fi
        before=$now
        sleep 0.2
    done
}
