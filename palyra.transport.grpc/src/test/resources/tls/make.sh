#!/usr/bin/env bash
# Makes the certificates of the tests anew, valid for a hundred years. They protect nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
from=20240101000000Z
to=21231201000000Z

request() { # name subject extension…
    local name=$1 subject=$2
    shift 2
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$work/$name.key" \
        -out "$work/$name.csr" -subj "/CN=$subject" "$@" 2>/dev/null
}

sign() { # authority name start end option…
    local authority=$1 name=$2 start=$3 end=$4
    shift 4
    openssl ca -batch -notext -config "$work/$authority.cnf" -keyfile "$work/$authority.key" \
        -startdate "$start" -enddate "$end" -in "$work/$name.csr" -out "$name.pem" "$@" 2>/dev/null
}

authority() { # name
    : >"$work/$1.index"
    cat >"$work/$1.cnf" <<END
[ca]
default_ca=d
[d]
new_certs_dir=$work
database=$work/$1.index
rand_serial=yes
default_md=sha256
policy=p
copy_extensions=copy
unique_subject=no
[p]
commonName=supplied
END
    request "$1" "Palyra test authority $1" -addext basicConstraints=critical,CA:TRUE \
        -addext keyUsage=critical,keyCertSign
    sign "$1" "$1" "$from" "$to" -selfsign
}

issue() { # authority name subject start end extension…
    local authority=$1 name=$2 subject=$3 start=$4 end=$5
    shift 5
    request "$name" "$subject" "$@"
    sign "$authority" "$name" "$start" "$end" -cert "$authority.pem"
    cp "$work/$name.key" "$name.key"
}

local=subjectAltName=DNS:localhost,IP:127.0.0.1,IP:0:0:0:0:0:0:0:1
authority ca
authority other-ca
issue ca server "Palyra test server" "$from" "$to" -addext "$local"
issue ca renewed "Palyra test server, renewed" "$from" "$to" -addext "$local"
issue ca expired "Palyra test server, expired" 20200101000000Z 20210101000000Z -addext "$local"
issue ca client "Palyra test client" "$from" "$to"
issue other-ca stranger "Palyra test stranger" "$from" "$to"

# Too weak to be taken.
openssl req -x509 -newkey rsa:1024 -nodes -keyout weak.key -out weak.pem -subj /CN=weak \
    -days 36500 -sha256 2>/dev/null
openssl req -x509 -newkey rsa:2048 -nodes -keyout sha1.key -out sha1.pem -subj /CN=sha1 \
    -days 36500 -sha1 2>/dev/null
