//! Runs the inputs that a fuzzer found in ten minutes. `corpus.txt` has only the inputs that are needed to cover all
//! code paths, one escaped input per line. It was made with `cargo +nightly fuzz cmin -s none command_line`.

use crate::command_line::any_line::check;

#[test]
fn inputs_of_the_fuzzer_are_parsed_or_rejected() {
    let mut count = 0;
    for line in include_str!("corpus.txt").lines() {
        check(&unescaped(line));
        count += 1;
    }
    assert!(count > 100, "{count} lines");
}

/// Reverses `escape_ascii`.
fn unescaped(line: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut letters = line.bytes();
    while let Some(letter) = letters.next() {
        bytes.push(match letter {
            b'\\' => match letters.next().expect("an escaped letter") {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'x' => {
                    let mut digit = || char::from(letters.next().expect("two digits"));
                    let digits: String = [digit(), digit()].iter().collect();
                    u8::from_str_radix(&digits, 16).expect("hexadecimal")
                }
                itself => itself,
            },
            other => other,
        });
    }
    bytes
}
