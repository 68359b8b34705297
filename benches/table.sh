#!/usr/bin/env bash
# Runs the benches and writes their tables between the `speed` comments of docs/performance.md: benches/table.sh. Takes
# some minutes. Run it on an idle computer, because it also writes the load below the tables. Exits with status 1 if a
# target is missed.
set -euo pipefail
cd "$(dirname "$0")/.."

benches=(strategies churn idle headless)
target=${CARGO_TARGET_DIR:-target}
load() { cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo unknown; }

args=()
for bench in "${benches[@]}"; do args+=(--bench "$bench"); done
cargo bench --locked --package timeslice-benches "${args[@]}" --no-run

missed=0
before=$(load)
for bench in "${benches[@]}"; do
    cargo bench --locked --package timeslice-benches --bench "$bench" || missed=1
done
after=$(load)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Measures a release build from scratch, and the start of the window if there is a display.
program() {
    local start try best= build
    start=$(date +%s%N)
    cargo build --locked --release --target-dir "$work/target" >&2
    build=$((($(date +%s%N) - start) / 1000000000))
    local lab=$work/target/release/timeslice-lab
    echo "| release build from scratch: $(nproc) cores at a load of $(load) | $build s |"
    echo "| size of the program, a single file | $(($(wc -c <"$lab") / 100000 * 100)) kB |"
    [[ -n ${DISPLAY:-} ]] || return 0
    for try in 1 2 3 4 5; do
        start=$(date +%s%N)
        "$lab" --frames 1 >&2
        local took=$((($(date +%s%N) - start) / 1000000))
        ((try > 1 && best <= took)) || best=$took
    done
    echo "| from start to the end of the window's first frame, best of 5 | $best ms |"
}

{
    for bench in "${benches[@]}"; do
        echo
        cat "$target/tmp/$bench.md"
    done
    echo
    echo "| program | |"
    echo "|---|---|"
    program
    echo
    echo "Measured by \`benches/table.sh\` on $(nproc) cores; the load average was $before at the start and $after at the end."
    echo
} >"$work/table.md"

awk -v table="$work/table.md" '
    /<!-- speed: begin -->/ { print; while ((getline line < table) > 0) print line; skipping = 1 }
    /<!-- speed: end -->/ { skipping = 0 }
    !skipping { print }
' docs/performance.md >"$work/performance.md"
cp "$work/performance.md" docs/performance.md
exit "$missed"
