#!/bin/sh
# Copies the SDK into the templates of `palyra skills init` and builds their modules again. To be run
# after each change of the SDK; needs clang, rustc (RUSTC) and Node, see ../README.md.
set -eu
cd "$(dirname "$0")"
SDK=$(pwd)
TEMPLATES=$SDK/../../../palyra.skills/src/main/resources/palyra/skills/templates
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

cp c/palyra_skill.h "$TEMPLATES/c/src/"
cp rust/palyra_skill.rs "$TEMPLATES/rust/src/"
cp assemblyscript/palyra.ts "$TEMPLATES/assemblyscript/assembly/"
for name in c rust assemblyscript; do
    cp -r "$TEMPLATES/$name" "$WORK/$name"
    sh "$WORK/$name/build.sh"
    cp "$WORK/$name/modules/skill.wasm" "$TEMPLATES/$name/modules/skill.wasm"
    ls -l "$TEMPLATES/$name/modules/skill.wasm"
done
