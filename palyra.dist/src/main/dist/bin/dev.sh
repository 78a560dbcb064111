# shellcheck shell=bash
# palyra dev: a project for a bundle of one's own, and its inner loop. Sourced by palyra, never run.

dev_help() {
    cat <<'HELP'
palyra dev: a bundle of your own, from nothing to a running gateway

  palyra dev init tool|command|model NAME [FOLDER]
                      makes a Maven project in FOLDER (default: NAME); NAME is the bundle's symbolic
                      name and base package, such as org.example.hello
  palyra dev build    compiles, tests and packs the project in this folder
  palyra dev deploy   the same, then puts the bundle into the running gateway
  palyra dev watch    deploys again on every save, without the tests; Ctrl-C ends it

The last three run in the project's folder and find a JDK by themselves. A gateway that runs as another user
is reached as palyra's other commands are.
HELP
}

dev() {
    local verb=${1:-}
    [ $# -eq 0 ] || shift
    case $verb in
    '' | -h | --help | help) dev_help ;;
    init) dev_init "$@" ;;
    build) dev_project "$@" && dev_maven package ;;
    deploy) dev_project "$@" && dev_maven package && dev_put ;;
    watch) dev_project "$@" && dev_watch ;;
    *) die 64 "dev does not know '$verb'; it takes init, build, deploy and watch: palyra dev --help" ;;
    esac
}

# --- a new project ---------------------------------------------------------------------------

dev_init() {
    local kind=${1:-} name=${2:-} folder=${3:-${2:-}} word class package
    { [ $# -eq 2 ] || [ $# -eq 3 ]; } || die 64 "dev init takes a kind, a name and perhaps a folder, for example: palyra dev init tool org.example.hello"
    [[ $kind =~ ^(tool|command|model)$ ]] || die 64 "dev init makes a tool, a command or a model; found '$kind'"
    [[ $name =~ ^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)+$ ]] ||
        die 64 "the name '$name' cannot be a package: use lower-case words with dots, such as org.example.hello"
    [[ $name != palyra.* ]] || die 64 "the name '$name' begins with palyra., as the product's own bundles do; choose one of your own"
    [ "${#name}" -le 64 ] || die 64 "the name '$name' has ${#name} characters; use at most 64"
    [ ! -e "$folder" ] || [ -z "$(ls -A "$folder" 2>&1)" ] || die 64 "$folder is there already and is not an empty folder; choose another"
    word=${name##*.}
    class=${word^}
    package=$folder/src/main/java/${name//.//}/internal
    mkdir -p "$package" "${package/main/test}" "$folder/.mvn/wrapper" ||
        die 74 "the folder $folder cannot be made; choose another"
    dev_fill "$kind" "$name" "$word" "$class" "$kind/Main.java.txt" "$package/$class${kind^}.java"
    dev_fill "$kind" "$name" "$word" "$class" "$kind/MainTest.java.txt" "${package/main/test}/$class${kind^}Test.java"
    local file
    for file in pom.xml bnd.bnd README.md; do
        dev_fill "$kind" "$name" "$word" "$class" "common/$file" "$folder/$file"
    done
    cp "$PALYRA_HOME/templates/common/gitignore" "$folder/.gitignore"
    cp "$PALYRA_HOME/templates/common/mvnw" "$folder/mvnw"
    cp "$PALYRA_HOME/templates/common/maven-wrapper.properties" "$folder/.mvn/wrapper/"
    chmod u+w "$folder"/* && chmod +x "$folder/mvnw"
    say "made the project $folder; next: cd $folder && $(dev_command) dev deploy"
}

# How the user calls this script.
dev_command() {
    command -v palyra >/dev/null 2>&1 && echo palyra || readlink -f "$HERE/palyra"
}

# dev_fill KIND NAME WORD CLASS TEMPLATE FILE
dev_fill() {
    local text try jackson
    text=$(<"$PALYRA_HOME/templates/$5")
    try=$(<"$PALYRA_HOME/templates/$1/try.md")
    jackson=$(find "$PALYRA_HOME/bundles" -name 'jackson-databind-[0-9]*.jar' -print -quit)
    jackson=${jackson##*/jackson-databind-}
    text=${text//@try@/$try}
    text=${text//@name@/$2}
    text=${text//@word@/$3}
    text=${text//@Class@/$4}
    text=${text//@jackson@/${jackson%.jar}}
    text=${text//@version@/$(version | cut -d' ' -f2)}
    text=${text//@home@/$PALYRA_HOME}
    printf '%s\n' "$text" >"$6"
}

# --- the inner loop --------------------------------------------------------------------------

# Sets DEV_NAME and DEV_JAR from the project in this folder.
dev_project() {
    [ $# -eq 0 ] || die 64 "dev build, deploy and watch take no argument: found '$*'; run it in the project's folder"
    [ -f pom.xml ] && [ -f bnd.bnd ] && [ -x mvnw ] ||
        die 64 "$PWD is no project of palyra dev (pom.xml, bnd.bnd and mvnw); make one with: palyra dev init tool org.example.hello"
    DEV_NAME=$(sed -n 's/^Bundle-SymbolicName: *//p' bnd.bnd)
    [ -n "$DEV_NAME" ] || die 64 "bnd.bnd has no line Bundle-SymbolicName; put back the one that dev init wrote"
    find_jdk javac
    speak_utf8
}

# Runs Maven, without the network when all is there.
dev_maven() {
    local log=target/palyra-dev.log
    mkdir -p target
    if ! ./mvnw -B -q -ntp -o "$@" >"$log" 2>&1 </dev/null; then
        if grep -qE 'in offline mode|has not been downloaded' "$log"; then
            say "fetching what the build needs"
            ./mvnw -B -q -ntp "$@" >"$log" 2>&1 </dev/null && return 0
        fi
        grep -E '^\[ERROR\]' "$log" | grep -vE "To see the full stack|Re-run Maven|For more information|\\[Help|^\\[ERROR\\] *$|surefire-reports|dump files" | head -n 30 >&2
        say "the build failed; the whole log is $log"
        return 1
    fi
}

# Puts the jar into the running gateway: the first time as a new bundle, then in place of the old.
dev_put() {
    local jar id failed
    # The newest: jars of earlier versions stay in the folder.
    jar=$(find target -maxdepth 1 -name "$DEV_NAME-*.jar" ! -name '*-sources.jar' -printf '%T@ %p\n' | sort -rn | sed -n '1s/^[^ ]* //p')
    [ -n "$jar" ] || die 1 "the build made no target/$DEV_NAME-*.jar"
    if palyra_quietly bundles --json | grep -q "\"$DEV_NAME\""; then
        "$HERE/palyra" swap "$DEV_NAME" - <"$jar"
    else
        # The gateway's user may not see this folder.
        local place
        place=$(mktemp -d "${TMPDIR:-/tmp}/palyra-dev.XXXXXX")
        chmod 755 "$place"
        cp "$jar" "$place/bundle.jar"
        chmod 644 "$place/bundle.jar"
        id=$("$HERE/palyra" bundle install "file:$place/bundle.jar" | grep -oE '[0-9]+' | tail -n 1) || id=
        rm -rf "$place"
        [ -n "$id" ] || die 1 "the gateway did not take $jar from $place; a service with a private /tmp does not see it, then use the drop-in folder: palyra deploy --help. Otherwise see: palyra logs"
        "$HERE/palyra" bundle start "$id" || die 1 "$DEV_NAME does not start; palyra doctor says why"
        failed=$(palyra_quietly status --json | grep -o "\"[^\"]* of $DEV_NAME failed to activate: [^\"]*\"" | head -n 1) || failed=
        [ -z "$failed" ] || die 1 "$DEV_NAME is installed, and its component does not work: $failed; correct it and deploy again"
        say "$DEV_NAME is installed and active; README.md says how to try it"
    fi
}

palyra_quietly() { "$HERE/palyra" "$@" 2>/dev/null || true; }

dev_state() { find src pom.xml bnd.bnd -type f -printf '%p %s %T@\n' 2>/dev/null | LC_ALL=C sort; }

dev_watch() {
    local seen= now began
    say "watching src, pom.xml and bnd.bnd; Ctrl-C ends it"
    while true; do
        now=$(dev_state)
        if [ "$now" != "$seen" ]; then
            seen=$now
            began=$(date +%s%N)
            if dev_maven -DskipTests package && (dev_put); then # a refusal does not end the watch
                say "deployed in $((($(date +%s%N) - began) / 1000000)) ms"
            fi
        fi
        sleep 0.2
    done
}
