#!/usr/bin/env bash
# Makes the fonts of the interface from the complete fonts in folder $1. The results contain Latin, Greek and Cyrillic
# letters and the signs that the interface uses. They lack what egui does not read (hints and OpenType layout), so they are
# a fifteenth of the size.
#
# Needs pyftsubset: pip install fonttools
set -euo pipefail
from=${1:?the folder of Ubuntu-Light.ttf, Hack-Regular.ttf and emoji-icon-font.ttf}
to=$(dirname "$0")

# Punctuation, arrows, mathematical symbols and shapes.
signs=U+2010-2027,U+2030-205E,U+2070,U+20AC,U+2190-2193,U+21BA,U+21E7,U+2212,U+221A,U+2265,U+25A0,U+25B2,U+25BC,U+25CB,U+25CF,U+25FB,U+FFFD
latin=U+0020-017F
greek=U+0384-03CE
cyrillic=U+0400-045F,U+0490-0491
# Numbers and code. Text in code that has other letters is set in Ubuntu Light.
code=U+0020-007E,U+00A0,U+00B0-00B7,U+00D7,U+03BC,U+2013,U+2026,U+2070,U+2190-2193,U+21BA,U+21E7,U+2212,U+221A,U+2265,U+25A0,U+25B2,U+25BC,U+25CB,U+25CF,U+25FB
all_signs=U+2010-2027,U+2030-205E,U+2070-209F,U+20AC,U+2190-21FF,U+2200-22FF,U+25A0-25FF,U+FFFD
cross=U+1F5D9

make() {
    pyftsubset "$from/$1" --unicodes="$2" --no-hinting --layout-features='' --notdef-outline --output-file="$to/$1"
}
make Ubuntu-Light.ttf "$latin,$greek,$cyrillic,$signs"
make Hack-Regular.ttf "$code"
make emoji-icon-font.ttf "$all_signs,$cross"
