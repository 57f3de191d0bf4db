#!/bin/sh
# Makes the certificates in this folder anew, keys included. Needs the openssl command, nothing else.
#
# They are valid from 2020 to 2120, so that no test begins to fail on a birthday; the expired one ended in 2021.
# `openssl ca` is used throughout because `openssl x509` takes no start date before 3.4.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat > "$work/ca.cnf" <<'END'
[ca]
default_ca = authority
[authority]
database = $ENV::WORK/index.txt
new_certs_dir = $ENV::WORK
rand_serial = yes
default_md = sha256
policy = policy
unique_subject = no
[policy]
commonName = supplied
[root]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
[leaf]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature,keyEncipherment
extendedKeyUsage = serverAuth,clientAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
END
: > "$work/index.txt"
export WORK="$work"

# make NAME COMMON-NAME EXTENSIONS ALTERNATIVE-NAMES END [ca options]
make() {
  name=$1 subject=$2 section=$3 names=$4 end=$5
  shift 5
  openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt -out "$name.key"
  openssl req -new -key "$name.key" -subj "/CN=$subject" -out "$work/$name.csr"
  sed -n "/^\[$section\]/,/^\[l/p" "$work/ca.cnf" | grep '=' > "$work/$name.ext"
  [ -z "$names" ] || echo "subjectAltName = $names" >> "$work/$name.ext"
  openssl ca -batch -notext -config "$work/ca.cnf" -extfile "$work/$name.ext" \
    -startdate 20200101000000Z -enddate "$end" -in "$work/$name.csr" -out "$name.pem" "$@" 2> "$work/log" ||
    { cat "$work/log" >&2; exit 1; }
}

local='DNS:localhost,IP:127.0.0.1,IP:::1'
by_authority='-cert ca.pem -keyfile ca.key'

make ca 'Bluebonnet Fixture Authority' root '' 21200101000000Z -selfsign -keyfile ca.key
# The options are words of their own on purpose.
# shellcheck disable=SC2086
{
  make server localhost leaf "$local" 21200101000000Z $by_authority
  make expired localhost leaf "$local" 20210101000000Z $by_authority
  make wrong-host elsewhere.test leaf 'DNS:elsewhere.test' 21200101000000Z $by_authority
  make client 'Bluebonnet Fixture Client' leaf '' 21200101000000Z $by_authority
}
make self-signed localhost leaf "$local" 21200101000000Z -selfsign -keyfile self-signed.key
openssl pkcs12 -export -in client.pem -inkey client.key -certfile ca.pem -passout pass:bluebonnet \
  -out client.p12
chmod 644 ./*.key ./*.p12

openssl verify -CAfile ca.pem server.pem wrong-host.pem client.pem
