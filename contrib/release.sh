#!/usr/bin/env bash
# Makes what a release is of, in target/release-files: the command as one static file, its pages for `man` and completions in an
# archive, a package for Debian, the Python wheel, and their SHA-256.
#
#   contrib/release.sh [PART..]        parts: binary deb wheel crates; without any, all
#
# The command is linked with musl where that target is installed (`rustup target add x86_64-unknown-linux-musl`, and `musl-gcc`), else
# statically with the C library of this machine. `deb` needs cargo-deb, `wheel` maturin; a part whose tool is missing is left out, and
# said so. Nothing is uploaded.
set -euo pipefail
cd "$(dirname "$0")/.."
# Another profile than `release` is for trying the script.
profile=${PROFILE:-release}
output=$PWD/target/release-files
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -1)
machine=$(uname -m)
mkdir -p "$output"
parts=("$@")
[ $# -gt 0 ] || parts=(binary deb wheel crates)

missing() {
    echo "left out: $1: there is no $2" >&2
}

# The path of the static command, built if it isn't there.
static_command() {
    local target=$machine-unknown-linux-gnu
    if rustc --print target-libdir --target "$machine-unknown-linux-musl" 2>/dev/null | xargs -r test -d && command -v musl-gcc >/dev/null; then
        target=$machine-unknown-linux-musl
    fi
    RUSTFLAGS="-C target-feature=+crt-static -C strip=symbols" \
        cargo build --quiet --locked --profile "$profile" --target "$target" -p craig --bin craig
    local folder=$profile
    [ "$profile" != dev ] || folder=debug
    echo "target/$target/$folder/craig"
}

binary() {
    local craig name stage
    craig=$(static_command)
    name=craig-$version-$machine-linux
    stage=$(mktemp -d)
    mkdir -p "$stage/$name/completions"
    cp "$craig" README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$stage/$name/"
    "$craig" manual "$stage/$name/man"
    for shell in bash zsh fish; do
        "$craig" completions "$shell" >"$stage/$name/completions/craig.$shell"
    done
    tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner -czf "$output/$name.tar.gz" "$name"
    rm -r "$stage"
    ls -l "$output/$name.tar.gz"
}

deb() {
    command -v cargo-deb >/dev/null || { missing deb cargo-deb; return; }
    local craig made
    craig=$(static_command)
    made=target/deb-files
    rm -rf "$made"
    mkdir -p "$made"
    cp "$craig" "$made/craig"
    "$craig" manual "$made/man"
    for shell in bash zsh fish; do
        "$craig" completions "$shell" >"$made/craig.$shell"
    done
    # What the package has stands in frontends/Cargo.toml.
    cargo deb --no-build --no-strip -p craig --output "$output/"
}

wheel() {
    command -v maturin >/dev/null || { missing wheel maturin; return; }
    # With the command beside `python`.
    mkdir -p frontends/python/craig_mc.data/scripts
    cp "$(static_command)" frontends/python/craig_mc.data/scripts/craig
    maturin build --locked --profile "$profile" --manifest-path frontends/python/Cargo.toml --out "$output"
}

crates() {
    # All at once: each is checked with the others as they are here, and not as they were published.
    cargo publish --workspace --dry-run --locked --no-verify ${ALLOW_DIRTY:+--allow-dirty}
}

for part in "${parts[@]}"; do
    case $part in
        binary | deb | wheel | crates) "$part" ;;
        *)
            echo "error: $part: expected binary, deb, wheel or crates" >&2
            exit 2
            ;;
    esac
done
(cd "$output" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%f\n' | sort | xargs -r sha256sum >SHA256SUMS && cat SHA256SUMS)
