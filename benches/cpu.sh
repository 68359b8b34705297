#!/usr/bin/env bash
# Measures how much of a core the window takes: benches/cpu.sh [FLAGS]. It prints the time of each thread. The first
# thread is the program's own. Without a graphics card, Mesa's threads (llvmpipe) draw the frames. It also prints the
# time that the first thread takes to simulate and to lay out the interface, without drawing, which the log of the window
# reports. Without FLAGS, it measures Compare with 2,000 entities, and exits with status 1 if that time misses its target.
#
# Needs Linux, and a display or Xvfb.
set -euo pipefail
cd "$(dirname "$0")/.."
# Target for simulating and laying out, in percent of a core at 60 frames per second.
max=
(($#)) || { max=25 && set -- --view compare --entities 2000; }

source benches/harness/window.sh
"$program" "$@" --log "$work/log" &
lab=$!

# Prints the number and the name of each thread, and the nanoseconds that it has run.
spent() {
    local task
    for task in /proc/"$lab"/task/*; do
        echo "${task##*/} $(tr ' ' _ <"$task/comm") $(cut -d' ' -f1 "$task/schedstat")"
    done
}

sleep 15 # Compare has found the best setting by then
spent >"$work/before"
lines=$(wc -l <"$work/log") from=$(date +%s%N)
sleep 10
spent >"$work/after"
time=$(($(date +%s%N) - from))
awk -v time="$time" '
    NR == FNR { before[$1] = $3; next }
    $1 in before { printf "%-30s %5.1f %% of a core\n", $2, ($3 - before[$1]) / time * 100 }
' "$work/before" "$work/after"
tail -n +"$((lines + 1))" "$work/log" | awk -v time="$time" -v max="$max" '
    / updated and laid out in / { frames++; sum += $(NF - 1) }
    END {
        if (!frames) { print "the window showed no frame"; exit 1 }
        percent = sum / frames * 60 / 10
        printf "%-30s %5.1f %% of a core at 60 frames per second (%.1f were shown)\n", \
            "simulating and laying out", percent, frames / time * 1e9
        if (max && percent > max) { printf "The target of at most %d %% is missed.\n", max; exit 1 }
    }'
