#!/bin/sh
# Builds modules/skill.wasm. Needs Node 20 or later and npm; package-lock.json pins the compiler.
set -eu
cd "$(dirname "$0")"
mkdir -p modules
[ -d node_modules/assemblyscript ] || npm ci
npm run build
