#!/usr/bin/env bash
# Runs the window for ten minutes with 100,000 entities and a moving target, and samples its memory:
# benches/soak.sh [FLAGS]. FLAGS replace the default ones. MINUTES sets another length. Exits with status 1 if the window
# ends early, prints an error, or has more than 1.02 times as much memory at the end as after half the time. (By then,
# the history is full.)
#
# Needs Linux, and a display or Xvfb.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${MINUTES:-10}
(($#)) || set -- --strategy distance-lod --entities 100000 --cost-us 1 --churn-per-s 1000 --target-speed 0.5

source benches/harness/window.sh
MESA_DEBUG=context "$program" "$@" 2>"$work/errors" &
lab=$!

half=0 now=0
for ((sample = 1; sample <= minutes * 6; sample++)); do
    sleep 10
    now=$(awk '/^VmRSS:/ { print $2 }' /proc/"$lab"/status) && [[ $now ]] || { echo "the window has ended" && exit 1; }
    ((sample * 2 != minutes * 6)) || half=$now
    ((sample % 6)) || echo "after $((sample / 6)) min: $((now / 1024)) MB"
done
cat "$work/errors"
[[ ! -s $work/errors ]] || { echo "the window has printed errors" && exit 1; }
((now * 100 <= half * 102)) || { echo "the memory has grown since half the time" && exit 1; }
