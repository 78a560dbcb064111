#!/usr/bin/env bash
# Shows the whole story of an approval on a gateway that is running, with the deterministic model:
# a sensitive command is proposed and waits; it is approved for the session; it runs in Tier C with
# strict egress; it is attested, and the attestation is verified here and from an exported file; the
# same call runs again without a question; a changed argument is asked about again, and refused.
#
# Usage: scripts/demo-approvals.sh        (start the gateway first: palyra up)
# PALYRA names the command, that of this clone or installation unless set; PALYRA_STATE as for palyra.
# Ends with 0 and "The demonstration passed." or with 1 and what was not as expected.
set -euo pipefail

ROOT=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
PALYRA=${PALYRA:-$ROOT/palyra}
[ -x "$PALYRA" ] || PALYRA=$ROOT/bin/palyra # in an installation
AGENT=demo-approvals
SESSION="demo-$(date +%s)-$$"
WAIT_SECONDS=60
PLACE=$(mktemp -d "${TMPDIR:-/tmp}/palyra-demo.XXXXXX")
trap 'rm -rf "$PLACE"' EXIT

say() { printf '\n== %s\n' "$*"; }

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# Shows a command and runs it; one that fails ends the demonstration.
show() {
    printf '$ palyra %s\n' "$*"
    "$PALYRA" "$@" || fail "palyra $* ended with exit code $?"
}

# The message that makes the deterministic model propose one command and then repeat its outcome.
proposes() {
    cat <<SCRIPT
#!palyra-script
{"turns": [
  [ {"say": "I want to run it. "},
    {"call": {"tool": "palyra.process.run",
              "input": {"command": "echo", "args": ["deploy", "$1"]}}} ],
  [ {"say": "The tool said: "}, {"lastToolOutput": true} ]
]}
SCRIPT
}

# Starts a run in the background and prints its id.
ask() { proposes "$1" | "$PALYRA" ask --background --agent "$AGENT" --session "$SESSION" -; }

state() { "$PALYRA" run show "$1" --json | sed -n 's/.*"state":"\([A-Z_]*\)".*/\1/p'; }

# Prints the oldest open question of a run; empty when there is none.
question() {
    "$PALYRA" approvals list --run "$1" --json 2>/dev/null |
        sed -n 's/^\[{"approval":"\([0-9A-Z]*\)".*/\1/p'
}

await_state() {
    local deadline=$((SECONDS + WAIT_SECONDS)) now
    while now=$(state "$1"); do
        [ "$now" = "$2" ] && return 0
        case $now in
        SUCCEEDED | FAILED | CANCELLED) break ;;
        esac
        [ "$SECONDS" -lt "$deadline" ] || break
        sleep 0.2
    done
    fail "run $1 is ${now:-unknown}, expected $2; see: palyra tape show $1"
}

outcome() { "$PALYRA" why "$1.1.0" --json | sed -n 's/.*"status":"\([^"]*\)".*/\1/p'; }

# ---- An agent whose model takes scripts ----

"$PALYRA" status >/dev/null || fail "the gateway is not ready; start it with palyra up"
if ! "$PALYRA" agents show "$AGENT" >/dev/null 2>&1; then
    "$PALYRA" agents create "$AGENT" --test true --tool palyra.process.run >/dev/null
fi

say "A sensitive command is proposed. Nothing runs: policy wants a person's word."
first=$(ask 1.0)
await_state "$first" AWAITING_APPROVAL
approval=$(question "$first")
[ -n "$approval" ] || fail "run $first waits, and no question is open"
show approvals list --run "$first"
show approvals show "$approval"

say "A person allows it for this session. The run goes on within a second."
show approvals decide "$approval" --allow --scope session --reason "the demonstration"
await_state "$first" SUCCEEDED
show tape show "$first"

say "It ran in Tier C with strict egress, and is attested."
"$PALYRA" attestation show "$first.1.0" --json >"$PLACE/attestation.json"
grep -q '"sandboxEnforcement":"strict tier=c ' "$PLACE/attestation.json" ||
    fail "the command did not run in Tier C strict: $(cat "$PLACE/attestation.json")"
show why "$first.1.0"

say "The attestation is recomputed from the tape; elsewhere, from an exported file."
show attestation verify "$first"
"$PALYRA" attestation export "$first" >"$PLACE/evidence.jsonl"
"$PALYRA" attestation verify --file - <"$PLACE/evidence.jsonl"

say "One changed byte is found."
sed '5s/"timeMillis":1/"timeMillis":2/' "$PLACE/evidence.jsonl" >"$PLACE/forged.jsonl"
cmp -s "$PLACE/evidence.jsonl" "$PLACE/forged.jsonl" && fail "nothing was changed"
if "$PALYRA" attestation verify --file - <"$PLACE/forged.jsonl"; then
    fail "a changed export was taken for intact"
fi

say "The same call again, in the same session: the grant covers it, without a question."
again=$(ask 1.0)
await_state "$again" SUCCEEDED
show approvals grants
[ "$(outcome "$again")" = "It ran and succeeded." ] || fail "the same call did not run"

say "Another argument is another call: a person is asked again, and says no."
other=$(ask 2.0)
await_state "$other" AWAITING_APPROVAL
approval=$(question "$other")
[ -n "$approval" ] || fail "run $other waits, and no question is open"
show approvals decide "$approval" --deny --reason "version 2.0 is not released"
await_state "$other" SUCCEEDED
show why "$other.1.0"
case $(outcome "$other") in
"It did not run: "*) ;;
*) fail "what was refused did run" ;;
esac
show attestation verify "$other"

printf '\nThe demonstration passed.\n'
