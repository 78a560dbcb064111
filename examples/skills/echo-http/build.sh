#!/bin/sh
# Builds the module. Needs Node 20 or later and npm; package-lock.json pins the compiler.
set -eu
cd "$(dirname "$0")"
npm ci
npm run build
sh ../sdk/supply-chain.sh "urn:palyra:examples:echo-http" "sh build.sh" \
    "library|assemblyscript|0.28.20|Apache-2.0|pkg:npm/assemblyscript@0.28.20"
