#!/bin/sh
# Writes sbom.cdx.json (CycloneDX 1.5) and provenance.json beside skill.toml, for the modules that
# are in modules/ now. Run it in the skill's folder, after each build:
#
#   sh ../sdk/supply-chain.sh BUILDER COMMAND [TYPE|NAME|VERSION|LICENSE|PURL]...
#
# BUILDER  who or what built the modules, a URI
# COMMAND  the command that builds them
# each further argument is something whose code ended up in a module
#
# `palyra skills build` writes both files when they are missing; it refuses files that do
# not fit the modules.
set -eu

builder=$1
command=$2
shift 2

value() { sed -n "s/^$1 = \"\\(.*\\)\"\$/\\1/p" skill.toml | head -n 1; }

digest() {
    if command -v sha256sum >/dev/null; then
        sha256sum "$1" | cut -d ' ' -f 1
    else
        shasum -a 256 "$1" | cut -d ' ' -f 1
    fi
}

component() {
    printf '%s' "$1" | {
        IFS='|' read -r type name version license purl || :
        printf '    {"type": "%s", "name": "%s", "version": "%s", ' "$type" "$name" "$version"
        printf '"licenses": [{"expression": "%s"}], "purl": "%s"}' "$license" "$purl"
    }
}

# The components that are modules, then the others.
components() {
    comma=""
    for module in modules/*.wasm; do
        printf '%s    {"type": "file", "name": "%s", ' "$comma" "$module"
        printf '"hashes": [{"alg": "SHA-256", "content": "%s"}]}' "$(digest "$module")"
        comma=",
"
    done
    for part in "$@"; do
        printf '%s' "$comma"
        component "$part"
    done
    printf '\n'
}

subjects() {
    comma=""
    for module in modules/*.wasm; do
        printf '%s    {"name": "%s", "digest": {"sha256": "%s"}}' \
            "$comma" "$module" "$(digest "$module")"
        comma=",
"
    done
    printf '\n'
}

cat >sbom.cdx.json <<SBOM
{
  "bomFormat": "CycloneDX",
  "specVersion": "1.5",
  "version": 1,
  "metadata": {
    "component": {"type": "application", "name": "$(value skill_id)", "version": "$(value version)"}
  },
  "components": [
$(components "$@")
  ]
}
SBOM

cat >provenance.json <<PROVENANCE
{
  "builder": {"id": "$builder"},
  "buildType": "command",
  "invocation": {"command": "$command"},
  "subject": [
$(subjects)
  ]
}
PROVENANCE
