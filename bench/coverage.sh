#!/usr/bin/env bash
# Line coverage of packages by their own unit tests, without files and modules of tests.
# Usage: bench/coverage.sh PACKAGE.., for example `bench/coverage.sh craig-word craig-itp craig-certify`.
# LLVM_PROFDATA and LLVM_COV are the tools of the compiler's version of LLVM (`llvm-profdata-22`, `llvm-cov-22`); OUT is the folder
# of builds and profiles (`target/coverage`).
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "${OUT:-target/coverage}")
version=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
profdata=${LLVM_PROFDATA:-llvm-profdata-$version}
cov=${LLVM_COV:-llvm-cov-$version}
mkdir -p "$out/profiles"
rm -f "$out"/profiles/*
# The dependencies are as always.
printf '#!/bin/sh\nexec "$@" -C instrument-coverage\n' > "$out/rustc"
chmod +x "$out/rustc"
export RUSTC_WORKSPACE_WRAPPER=$out/rustc CARGO_TARGET_DIR=$out CARGO_INCREMENTAL=0 LLVM_PROFILE_FILE=$out/profiles/%p-%4m.profraw
packages=()
for package in "$@"; do
  packages+=(-p "$package")
done
cargo test --lib "${packages[@]}"
objects=()
while read -r object; do
  objects+=(-object "$object")
done < <(cargo test --lib --no-run --message-format=json "${packages[@]}" | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p')
"$profdata" merge -sparse "$out"/profiles/*.profraw -o "$out/all.profdata"
"$cov" export --format=lcov -instr-profile="$out/all.profdata" "${objects[@]}" > "$out/lcov.txt"
# By file: the lines before its module of tests that were not reached; then the sums by package.
awk -v root="$PWD/" '
  function is_test(file) { return file ~ /tests?(_by_hand)?\.rs$|_tests\.rs$|\/enumeration\/|\/fixtures\.rs$|\/thousand\.rs$|\/study\/|\/tests\// }
  function begin(file,   line, last, number) {
    limit = 1000000; number = 0; last = ""
    while ((getline line < file) > 0) {
      number++
      if (last ~ /^#\[cfg\(test\)\]/ && line ~ /^mod [a-z_]+ \{/) { limit = number - 1; break }
      last = line
    }
    close(file)
  }
  /^SF:/ { file = substr($0, 4); skip = index(file, root) != 1 || file !~ /\/src\// || is_test(file); if (!skip) begin(file); next }
  /^DA:/ && !skip {
    split(substr($0, 4), part, ",")
    if (part[1] >= limit) next
    key = substr(file, length(root) + 1) SUBSEP part[1]
    if (!(key in hits) || part[2] > hits[key]) hits[key] = part[2]
  }
  END {
    for (key in hits) {
      split(key, part, SUBSEP)
      package = part[1]; sub(/\/src\/.*/, "", package)
      total[package]++
      if (hits[key] > 0) reached[package]++
      else print part[1] ":" part[2] ": not reached" | "sort -t: -k1,1 -k2,2n"
    }
    close("sort -t: -k1,1 -k2,2n")
    for (package in total) printf "%s: %d of %d lines (%.1f %%)\n", package, reached[package], total[package], 100 * reached[package] / total[package]
  }' "$out/lcov.txt"
