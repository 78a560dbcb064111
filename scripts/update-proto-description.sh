#!/usr/bin/env bash
# Writes cnf/api/palyra.gateway.v1.binpb again from the .proto files. Refuses what breaks clients.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
package=$PWD/palyra.itests/src/test/buf
description=$PWD/cnf/api/palyra.gateway.v1.binpb
[ -x "$package/node_modules/.bin/buf" ] || npm ci --prefix "$package" --ignore-scripts --no-audit --no-fund
cd palyra.transport.grpc
"$package/node_modules/.bin/buf" lint
[ ! -f "$description" ] || "$package/node_modules/.bin/buf" breaking --against "$description"
"$package/node_modules/.bin/buf" build --exclude-source-info --output "$description"
echo "wrote ${description#"$PWD/../"}"
