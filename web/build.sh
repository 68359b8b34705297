#!/usr/bin/env bash
# Builds the page in web/dist, ready for any web server. `web/serve.sh` serves it.
#
# Needs cargo with the target wasm32-unknown-unknown, which rustup adds. Without rustup, use Debian's packages
# rustc-web, cargo-web, rust-web-src and lld:
#
#   CARGO=/usr/bin/cargo RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_UNSTABLE_BUILD_STD=std,panic_abort \
#       CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld web/build.sh
set -euo pipefail
cd "$(dirname "$0")/.."

target=wasm32-unknown-unknown
# The maximum size of all files together, in bytes.
max=2400000 max_gzipped=1000000

fail() {
    echo "$0: $*" >&2
    exit 1
}

cargo=${CARGO:-cargo}
command -v "$cargo" >/dev/null || fail "cargo is not installed: see https://rustup.rs"
if [[ -z ${CARGO_UNSTABLE_BUILD_STD:-} ]]; then
    library=$("${RUSTC:-rustc}" --print target-libdir --target "$target" 2>/dev/null || true)
    compgen -G "$library/libstd-*" >/dev/null || fail "the target $target is not installed; add it with: rustup target add $target"
fi

"$cargo" build --locked --profile web --target "$target"
about=$("$cargo" metadata --locked --format-version 1 --filter-platform "$target")

# Prints the value of field $1 that matches $2, or the first one if there are several.
field() {
    grep -o "\"$1\":\"$2\"" <<<"$about" | head -n 1 | cut -d '"' -f 4
}

dist=web/dist
rm -rf "$dist"
mkdir -p "$dist"
wasm=$dist/timeslice-lab.wasm
cp "$(field target_directory '[^"]*')/$target/web/timeslice-lab.wasm" "$wasm"
if command -v wasm-opt >/dev/null; then
    # The features are those that rustc enables for this target. Flattening and a second pass save 5 kB, gzipped.
    wasm-opt --flatten --rereloop -Oz -Oz \
        --enable-bulk-memory --enable-mutable-globals --enable-nontrapping-float-to-int --enable-sign-ext \
        --enable-multivalue --enable-reference-types "$wasm" -o "$wasm.small" &&
        mv "$wasm.small" "$wasm" ||
        echo "$0: wasm-opt failed; the program is not optimised for size" >&2
    rm -f "$wasm.small"
fi
chmod 644 "$wasm"

# Copy the loader script from the crate version in Cargo.lock, so that it matches the program.
manifest=$(field manifest_path '[^"]*/miniquad-[0-9][^"/]*/Cargo.toml')
[[ -n $manifest ]] || fail "cargo metadata lists no crate miniquad"
# Lines that are only comments are left out.
for script in "${manifest%/Cargo.toml}/js/gl.js" web/lab.js; do
    sed '/^[[:space:]]*\/\//d' "$script" >"$dist/${script##*/}"
done
sed "s/@BYTES@/$(wc -c <"$wasm")/" web/index.html >"$dist/index.html"
chmod 644 "$dist"/*

total=0 total_gzipped=0
for file in "$dist"/*; do
    bytes=$(wc -c <"$file") gzipped=$(gzip -9 -c "$file" | wc -c)
    printf '%-28s %8d bytes %8d gzipped\n' "${file#"$dist"/}" "$bytes" "$gzipped"
    total=$((total + bytes)) total_gzipped=$((total_gzipped + gzipped))
done
printf '%-28s %8d bytes %8d gzipped\n' "total" "$total" "$total_gzipped"
((total <= max)) || fail "the page is over its limit of $max bytes"
((total_gzipped <= max_gzipped)) || fail "the page is over its limit of $max_gzipped bytes gzipped"
