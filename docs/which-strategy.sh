#!/usr/bin/env bash
# Runs the sweeps of docs/which-strategy.md, and regenerates the pictures in docs/which-strategy/ and the parts of the
# page between comments: docs/which-strategy.sh. Takes some minutes. Needs xvfb-run, which shows the window on a virtual
# display.
set -euo pipefail
cd "$(dirname "$0")/.."

pictures=docs/which-strategy
mkdir -p "$pictures"
cargo build --release --locked
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Runs a sweep, and writes its command and recommendation as Markdown to $work/NAME.md: sweep NAME FLAGS...
sweep() {
    local name=$1
    shift
    cargo run --release --locked --quiet -- sweep "$@" 2>"$work/advice" >/dev/null
    # Cut off everything after the first empty line: the reasons against the other strategies, and the Rust code.
    sed '/^$/,$d' "$work/advice" >"$work/first"
    printf '```sh\ncargo run --release -- sweep %s > settings.csv\n```\n\n```text\n%s\n```\n' \
        "$*" "$(cat "$work/first")" >"$work/$name.md"
    # For the table of winners, put the recommendation on a single line and remove its label.
    tr '\n' ' ' <"$work/first" | tr -s ' ' | sed 's/^advice //; s/ $//' >"$work/$name.line"
    echo "$name"
}

# Takes a picture of Compare, and adds it to $work/NAME.md: picture NAME TITLE FLAGS...
picture() {
    local name=$1 title=$2
    shift 2
    xvfb-run --auto-servernum --server-args="-screen 0 1600x1000x24" cargo run --release --locked --quiet -- \
        --view compare --still 600 --frames 40 --screenshot "$pictures/$name.png" "$@"
    printf '\n![%s: the answer, the best setting of each strategy, and the trade-off chart](which-strategy/%s.png)\n' \
        "$title" "$name" >>"$work/$name.md"
    echo "$pictures/$name.png"
}

# Prints the clause of a recommendation that begins with some words: clause FILE WORDS. Clauses are separated by dots.
clause() {
    awk -v words="$2" '{
        count = split($0, clauses, " · ")
        for (nth = 1; nth <= count; nth++)
            if (index(clauses[nth], words) == 1) print clauses[nth]
    }' "$1"
}

# Sweeps a workload for the best setting and for crossovers: workload NAME TITLE FLAGS_OF_CROSSOVERS FLAGS...
workload() {
    local name=$1 title=$2 crossovers=$3
    shift 3
    sweep "$name" "$@"
    picture "$name" "$title" "$@"
    # shellcheck disable=SC2086 # several flags
    sweep "$name-crossovers" "$@" $crossovers
    local line=$work/$name.line best fresh runner_up
    best=$(clause "$line" "use ")
    best=${best#use }
    fresh=$(clause "$line" "mean weighted staleness ")
    runner_up=$(clause "$line" "runner-up: ")
    if [ -z "$best" ] || [ -z "$fresh" ]; then
        echo "no strategy is recommended for $title" >&2
        exit 1
    fi
    runner_up=${runner_up#runner-up: }
    printf '| %s | %s | %s | %s |\n' "$title" "${best%%: *}" "$fresh" "${runner_up:-none}" >>"$work/winners.md"
}

printf '| workload | best setting | how fresh | runner-up |\n|---|---|---|---|\n' >"$work/winners.md"
workload equal "400 equal NPCs" "--over entities=50..10k" \
    --entities 400 --falloff 0 --target 0.5,0.25 --budget-ms 4 --worst-s 1
workload spread "2,000 NPCs with a cost spread of 1.5" "--over cost-us=5..500" \
    --entities 2000 --cost-us 50 --cost-spread 1.5 --target 0.5,0.25 --budget-ms 4 --worst-s 3
# With all strategies, these crossovers would take much longer.
few="--strategy max-per-frame --strategy balanced-slots --strategy distance-lod --strategy weighted-share"
workload crowd "20,000 NPCs with falloff 3" "--over budget-ms=0.5..16 $few" \
    --entities 20000 --cost-us 10 --falloff 3 --target 0.5,0.25 --budget-ms 4 --worst-s 5

awk -v folder="$work" '
    /<!-- .*: begin -->/ {
        print
        print ""
        file = folder "/" $2
        sub(/:$/, ".md", file)
        while ((getline line < file) > 0) print line
        print ""
        skipping = 1
    }
    /<!-- .*: end -->/ { skipping = 0 }
    !skipping { print }
' docs/which-strategy.md >"$work/page.md"
cp "$work/page.md" docs/which-strategy.md
