#!/usr/bin/env bash
# Runs the window with 100,000 entities and a moving target, and samples its memory: benches/soak.sh [FLAGS]. FLAGS
# replace the default ones. While the history fills, the memory grows as intended, so the ten minutes of the test begin
# when the history is full. MINUTES sets another length. Exits with status 1 if the window ends early, prints an error,
# or needs more than 1.02 times as much memory in the second half of the test as in the first, on average.
#
# Needs Linux, a display or Xvfb, and a computer that is otherwise idle: slower frames contain more runs, which the
# history records.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${MINUTES:-10}
(($#)) || set -- --strategy distance-lod --entities 100000 --cost-us 1 --churn-per-s 1000 --target-speed 0.5

cargo build --release --locked
program=${CARGO_TARGET_DIR:-target}/release/timeslice-lab
work=$(mktemp -d) lab= server=
trap 'kill $lab $server 2>/dev/null || true; rm -rf "$work"' EXIT
if [[ -z ${DISPLAY:-} ]]; then
    mkfifo "$work/display"
    Xvfb -displayfd 3 -screen 0 1600x1000x24 -noreset -nolisten tcp 3>"$work/display" 2>/dev/null &
    server=$!
    read -r number <"$work/display"
    export DISPLAY=:$number
fi
MESA_DEBUG=context "$program" "$@" --log "$work/log" 2>"$work/errors" &
lab=$!

fail() {
    cat "$work/errors"
    echo "$*"
    exit 1
}

# Waits for ten seconds, and sets `now` to the memory of the window in kB.
sample() {
    sleep 10
    now=$(awk '/^VmRSS:/ { print $2 }' /proc/"$lab"/status) && [[ $now ]] || fail "the window has ended"
}

SECONDS=0
sample
until (($(tail -n 1 "$work/log" | awk 'END { print int($1) }') > 4096)); do
    ((SECONDS < 3600)) || fail "the history is not full after an hour"
    sample
done
echo "the history is full after $((SECONDS / 60)) min: $((now / 1024)) MB"

total=(0 0)
for ((count = 0; count < minutes * 6; count++)); do
    sample
    half=$((count / (minutes * 3)))
    total[half]=$((total[half] + now))
    (((count + 1) % 6)) || echo "$(((count + 1) / 6)) min later: $((now / 1024)) MB"
done
[[ ! -s $work/errors ]] || fail "the window has printed errors"
mean=($((total[0] / (minutes * 3))) $((total[1] / (minutes * 3))))
echo "on average $((mean[0] / 1024)) MB in the first half, and $((mean[1] / 1024)) MB in the second"
((mean[1] * 100 <= mean[0] * 102)) || fail "the memory has grown"
