#!/usr/bin/env bash
# Makes the page: all that a web server has to offer stands in web/dist afterwards. `web/serve.sh` serves it.
#
# The toolchain is the environment's: cargo with the target wasm32-unknown-unknown, which rustup adds. Without rustup,
# Debian's packages rustc-web, cargo-web, rust-web-src and lld do it, too:
#
#   CARGO=/usr/bin/cargo RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_UNSTABLE_BUILD_STD=std,panic_abort \
#       CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld web/build.sh
set -euo pipefail
cd "$(dirname "$0")/.."

target=wasm32-unknown-unknown
# In bytes: all files together, as they are and as a server sends them.
most=4000000 most_gzipped=1500000

fail() {
    echo "$0: $*" >&2
    exit 1
}

cargo=${CARGO:-cargo}
command -v "$cargo" >/dev/null || fail "there is no cargo: see https://rustup.rs"
if [[ -z ${CARGO_UNSTABLE_BUILD_STD:-} ]]; then
    library=$("${RUSTC:-rustc}" --print target-libdir --target "$target" 2>/dev/null || true)
    compgen -G "$library/libstd-*" >/dev/null || fail "the target is missing; add it with: rustup target add $target"
fi

"$cargo" build --locked --profile web --target "$target"
about=$("$cargo" metadata --locked --format-version 1 --filter-platform "$target")

# The value of a field that there is once, or the first of it.
field() {
    grep -o "\"$1\":\"$2\"" <<<"$about" | head -n 1 | cut -d '"' -f 4
}

dist=web/dist
rm -rf "$dist"
mkdir -p "$dist"
wasm=$dist/timeslice-lab.wasm
cp "$(field target_directory '[^"]*')/$target/web/timeslice-lab.wasm" "$wasm"
if command -v wasm-opt >/dev/null; then
    # What rustc lets this target's programs use, and no more.
    wasm-opt -Os --enable-bulk-memory --enable-mutable-globals --enable-nontrapping-float-to-int --enable-sign-ext \
        --enable-multivalue --enable-reference-types "$wasm" -o "$wasm.small" &&
        mv "$wasm.small" "$wasm" ||
        echo "$0: wasm-opt does not take it; it stays as rustc made it" >&2
    rm -f "$wasm.small"
fi
chmod 644 "$wasm"

# The scripts that load it, out of the very crates that it is made of: their versions cannot differ.
for script in miniquad:gl.js sapp-jsutils:sapp_jsutils.js quad-url:quad-url.js; do
    crate=${script%%:*} file=${script#*:}
    manifest=$(field manifest_path "[^\"]*/$crate-[0-9][^\"/]*/Cargo.toml")
    [[ -n $manifest ]] || fail "cargo tells of no crate $crate"
    cp "${manifest%/Cargo.toml}/js/$file" "$dist/$file"
done
cp web/lab.js "$dist/"
sed "s/@BYTES@/$(wc -c <"$wasm")/" web/index.html >"$dist/index.html"
chmod 644 "$dist"/*

all=0 all_gzipped=0
for file in "$dist"/*; do
    bytes=$(wc -c <"$file") gzipped=$(gzip -9 -c "$file" | wc -c)
    printf '%-28s %8d bytes %8d gzipped\n' "${file#"$dist"/}" "$bytes" "$gzipped"
    all=$((all + bytes)) all_gzipped=$((all_gzipped + gzipped))
done
printf '%-28s %8d bytes %8d gzipped\n' "in all" "$all" "$all_gzipped"
((all <= most)) || fail "more than $most bytes"
((all_gzipped <= most_gzipped)) || fail "more than $most_gzipped bytes gzipped"
