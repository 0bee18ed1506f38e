#!/usr/bin/env bash
#SBATCH --job-name=craig
#SBATCH --array=1-16
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@60
# An array job over many inputs: each task decides its share of them.
#
#   sbatch contrib/slurm/craig-array.sh RESULTS/ INPUT.. [-- OPTION..]
#
# RESULTS is a folder that all tasks see. INPUT is as for `craig check`: files, folders, @LIST. What was decided before is not decided
# again, so a job that was ended is submitted once more, also with another number of tasks. In the end, this prints all results:
#
#   craig check INPUT.. --json --resume RESULTS/ [OPTION..]
set -euo pipefail
if [ $# -lt 2 ]; then
    echo "usage: craig-array.sh RESULTS/ INPUT.. [-- OPTION..]" >&2
    exit 2
fi
results=${1%/}/
shift
inputs=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    inputs+=("$1")
    shift
done
[ $# -eq 0 ] || shift
shard=$((SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN + 1))/$SLURM_ARRAY_TASK_COUNT
# Slurm tells this script alone of the end of its time: it tells the command, which notes what it has.
set -- check "${inputs[@]}" --json --resume "$results" --shard "$shard" --threads "${SLURM_CPUS_PER_TASK:-1}" "$@"
code=0
"${CRAIG:-craig}" "$@" &
command=$!
trap 'kill -TERM "$command" 2>/dev/null' TERM INT
while :; do
    wait "$command" && code=0 || code=$?
    kill -0 "$command" 2>/dev/null || break
done
# Verdicts are no failures of the task.
case $code in
    10 | 20 | 30) exit 0 ;;
    *) exit "$code" ;;
esac
