#!/usr/bin/env bash
# Repeats the runs of docs/reliability.md with another seed: each subject of `craig-bench fuzz` for the given time, then the faults.
# Usage: bench/nightly.sh [SECONDS [SEED]], by default 600 seconds for each subject and the day as the seed.
# PROFILE is the profile of cargo (`quick`), OUT the folder of reports and of the cases that fail (`target/nightly`).
# CORPUS is a folder of C programs, of which mutants are tried; without it that subject is left out.
# The exit status is 1 if there is a finding; all subjects are run nevertheless.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
seed=${2:-$(date -u +%Y%m%d)}
profile=${PROFILE:-quick}
out=${OUT:-target/nightly}
programs=target/$profile
[ "$profile" = dev ] && programs=target/debug
cargo build --workspace --profile "$profile" --bin craig --bin craig-bench
mkdir -p "$out"
status=0

# Runs a subcommand of craig-bench, whose report goes to a file, too.
report() {
  local name=$1
  shift
  echo "== $name: seed $seed, $(git rev-parse --short HEAD), profile $profile"
  "$programs/craig-bench" "$@" 2>&1 | tee "$out/$name.txt" || status=1
}

for what in cnf itp circuits live words verify automata api readers c contracts; do
  report "$what" fuzz "$what" --seconds "$seconds" --seed "$seed" --craig "$programs/craig" --folder "$out/$what"
done
if [ -n "${CORPUS:-}" ]; then
  report mutants fuzz mutants --corpus "$CORPUS" --seconds "$seconds" --seed "$seed" --craig "$programs/craig" --folder "$out/mutants"
fi
report faults faults --craig "$programs/craig" --seed "$seed" --times 25
exit $status
