#!/bin/sh
# Builds one skill per language that calls everything its SDK offers, runs them with harness.mjs, and
# compares what they say. Needs clang, rustc (RUSTC) and Node 20 with npm. The modules stay in modules/:
# this folder is a skill itself (skill.toml), for a try on a gateway.
set -eu
cd "$(dirname "$0")"
OUT=$(pwd)/modules
LOG=$(mktemp)
trap 'rm -f "$LOG"' EXIT
mkdir -p "$OUT"

clang --target=wasm32 -ffreestanding -nostdlib -Oz -Wall -Wextra -Werror \
    -mcpu=mvp -mbulk-memory -msign-ext -mnontrapping-fptoint -mmutable-globals \
    -Wl,--no-entry -Wl,--strip-all -Wl,-z,stack-size=16384 -o "$OUT/c.wasm" capabilities.c
"${RUSTC:-rustc}" --edition 2021 --crate-type cdylib --target wasm32-unknown-unknown \
    -C opt-level=z -C lto=fat -C panic=abort -C codegen-units=1 -C strip=symbols \
    -C link-arg=-zstack-size=65536 -o "$OUT/rust.wasm" capabilities.rs
(cd ../../echo-http && { [ -d node_modules ] || npm ci >/dev/null 2>&1; } &&
    npx --no-install asc ../sdk/tests/capabilities.ts --runtime stub --exportStart _initialize -O \
        -o "$OUT/assemblyscript.wasm")
chmod 644 "$OUT"/*.wasm

call() {
    module=$1
    shift
    node ../harness.mjs "$OUT/$module.wasm" "$@" 2>"$LOG" || :
}

failed=0
same() {
    if [ "$2" = "$3" ]; then
        echo "ok      $1"
    else
        echo "FAILED  $1"
        echo "  wanted $2"
        echo "  found  $3"
        cat "$LOG"
        failed=1
    fi
}

for language in c rust assemblyscript; do
    found=$(call "$language" --input '{"text":"t\u00ebxt \" \\ \u0001 \ud83d\ude00"}' \
        --http http.json --secret api_token=s3cret --values)
    same "$language calls every capability" "$(cat expected.json)" "$found"
    call "$language" --input '{"text":"x"}' --deny secret --http http.json >/dev/null
    same "$language survives a denial" 1 "$(grep -c '^result [01],' "$LOG")"
done

# The readers take strict JSON and nothing else; refused JSON comes back as null.
for language in rust assemblyscript; do
    for text in '[1,2.5,-0,1e3,"\u00e9\n"]' '{"a":{"b":[]},"c":true}' 'null' '  [ ]  '; do
        input=$(node -e 'console.log(JSON.stringify({text: process.argv[1]}))' "$text")
        wanted=$(node -e 'console.log(JSON.stringify(JSON.parse(process.argv[1])))' "$text")
        found=$(call "$language" --entry reread --input "$input" |
            node -e 'console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(0, "utf8"))))')
        same "$language reads $text" "$wanted" "$found"
    done
    deep=$(node -e 'console.log("[".repeat(65) + "]".repeat(65))')
    for text in '[1,]' '{"a":1,}' '01' '+1' '1.' '.5' '1e' '"\x"' '"\u12"' "'a'" '{a:1}' '[1 2]' \
        'nul' 'NaN' '[' '"' '' '1 1' '{"a"}' "$deep" "$(printf '"a\tb"')"; do
        input=$(node -e 'console.log(JSON.stringify({text: process.argv[1]}))' "$text")
        same "$language refuses $(printf %s "$text" | cut -c 1-20)" null \
            "$(call "$language" --entry reread --input "$input")"
    done
done

found=$(call rust --entry panics)
same "rust logs a panic" 1 "$(grep -c 'on purpose' "$LOG")"
exit $failed
