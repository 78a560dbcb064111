#!/bin/sh
# Builds the modules of the templates of `palyra skills init` again, with this SDK. Run it after each change of the SDK; it needs clang, rustc (RUSTC) and Node, see ../README.md.
set -eu
cd "$(dirname "$0")"
TEMPLATES=$(pwd)/../../../palyra.skills/src/main/resources/palyra/skills/templates
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

for name in c rust assemblyscript; do
    cp -r "$TEMPLATES/$name" "$WORK/$name"
    case $name in assemblyscript) cp $name/* "$WORK/$name/assembly/" ;; *) cp $name/* "$WORK/$name/src/" ;; esac
    sh "$WORK/$name/build.sh"
    cp "$WORK/$name/modules/skill.wasm" "$TEMPLATES/$name/modules/skill.wasm"
    ls -l "$TEMPLATES/$name/modules/skill.wasm"
done
