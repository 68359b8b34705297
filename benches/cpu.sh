#!/usr/bin/env bash
# Measures how much of a core each thread of the window takes: benches/cpu.sh [FLAGS]. Needs Linux and a display (or
# Xvfb, see screenshots/make.sh). The first thread is the program's own. Without a graphics card, Mesa's threads
# (llvmpipe) draw the frames.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --locked
target=${CARGO_TARGET_DIR:-target}
"$target/release/timeslice-lab" "$@" &
lab=$!
trap 'kill "$lab" 2>/dev/null || true' EXIT

spent() {
    local task
    for task in /proc/"$lab"/task/*; do
        echo "$(tr ' ' _ <"$task/comm") $(cut -d' ' -f1 "$task/schedstat")"
    done
}

sleep 3
before=$(spent) from=$(date +%s%N)
sleep 10
after=$(spent) to=$(date +%s%N)
paste <(echo "$before") <(echo "$after") |
    awk -v time=$((to - from)) '{ printf "%-16s %5.1f %% of a core\n", $1, ($4 - $2) / time * 100 }'
