#!/usr/bin/env bash
# Makes the fonts of the interface from the complete fonts in folder $1. The results contain Latin, Greek and Cyrillic
# letters and common symbols. They lack what egui does not read (hints and OpenType layout), so they are an eighth of
# the size.
#
# Needs pyftsubset: pip install fonttools
set -euo pipefail
from=${1:?the folder of Ubuntu-Light.ttf, Hack-Regular.ttf and emoji-icon-font.ttf}
to=$(dirname "$0")

# Punctuation, arrows, mathematical symbols and shapes.
signs=U+2010-2027,U+2030-205E,U+2070-209F,U+20AC,U+2190-21FF,U+2200-22FF,U+25A0-25FF,U+FFFD
latin=U+0020-017F
greek=U+0370-03FF
cyrillic=U+0400-04FF
cross=U+1F5D9

make() {
    pyftsubset "$from/$1" --unicodes="$2" --no-hinting --layout-features='' --notdef-outline --output-file="$to/$1"
}
make Ubuntu-Light.ttf "$latin,$greek,$cyrillic,$signs"
make Hack-Regular.ttf "U+0020-00FF,U+03A3,U+03BC,$signs" # text in code that has other letters is set in Ubuntu Light
make emoji-icon-font.ttf "$signs,$cross"
