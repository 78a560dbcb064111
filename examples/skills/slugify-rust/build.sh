#!/bin/sh
# Builds the module. Needs rustc 1.63 or later with the target wasm32-unknown-unknown; RUSTC names
# another rustc than the one on the path.
set -eu
cd "$(dirname "$0")"
mkdir -p modules
# The stack is 64 KiB instead of 1 MiB: a call begins with less memory to clear.
"${RUSTC:-rustc}" --edition 2021 --crate-type cdylib --target wasm32-unknown-unknown \
    -C opt-level=z -C lto=fat -C panic=abort -C codegen-units=1 -C strip=symbols \
    -C link-arg=-zstack-size=65536 --remap-path-prefix "$(pwd)=." \
    -o modules/slugify.wasm src/lib.rs
chmod 644 modules/*.wasm
sh ../sdk/supply-chain.sh "urn:palyra:examples:slugify-rust" "sh build.sh" \
    "library|rust-std|1.63.0|MIT OR Apache-2.0|pkg:deb/debian/rustc@1.63.0+dfsg1-2"
