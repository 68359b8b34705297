//! What a fuzzer made of the command line: the fewest lines that go all the ways through its reader that the fuzzer
//! found in ten minutes. Remade with `cargo +nightly fuzz cmin -s none command_line`, one input a line, escaped.

use crate::any_line::check;

#[test]
fn whatever_the_fuzzer_says_is_followed_or_refused_in_words() {
    let mut count = 0;
    for line in include_str!("corpus.txt").lines() {
        check(&unescaped(line));
        count += 1;
    }
    assert!(count > 100, "{count} lines");
}

/// The bytes that `escape_ascii` has written so.
fn unescaped(line: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut letters = line.bytes();
    while let Some(letter) = letters.next() {
        bytes.push(match letter {
            b'\\' => match letters.next().expect("what is escaped") {
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
