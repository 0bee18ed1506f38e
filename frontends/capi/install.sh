#!/bin/sh
# Installs libcraig, its header and its pkg-config file.
#
#   cargo build --release -p craig-capi
#   sh frontends/capi/install.sh target/release /usr/local
set -eu
if [ $# -ne 2 ]; then
    echo "usage: install.sh FOLDER-OF-THE-BUILD PREFIX" >&2
    exit 2
fi
build=$1
here=$(cd "$(dirname "$0")" && pwd)
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$here/../../Cargo.toml" | head -n 1)
mkdir -p "$2/lib/pkgconfig" "$2/include"
prefix=$(cd "$2" && pwd)
for file in libcraig_capi.so libcraig_capi.a; do
    if [ ! -f "$build/$file" ]; then
        echo "install.sh: $build/$file is missing: build craig-capi first" >&2
        exit 2
    fi
done
cp "$build/libcraig_capi.so" "$prefix/lib/libcraig.so.$version"
ln -sf "libcraig.so.$version" "$prefix/lib/libcraig.so.0"
ln -sf libcraig.so.0 "$prefix/lib/libcraig.so"
cp "$build/libcraig_capi.a" "$prefix/lib/libcraig.a"
cp "$here/include/craig.h" "$prefix/include/craig.h"
sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" "$here/craig.pc.in" > "$prefix/lib/pkgconfig/craig.pc"
