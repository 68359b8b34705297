//! The parser of a flag that takes the key of a strategy or frame loop.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, Error};
use std::ffi::OsStr;

/// Accepts the keys of a registry. A number is rejected with the key that it may stand for: strategies have numbers in
/// the window and in `list`.
#[derive(Clone, Debug)]
pub(super) struct RegistryKey {
    flag: &'static str,
    keys: Vec<&'static str>,
}

impl RegistryKey {
    /// Creates the parser of `flag`, which takes one of `keys`.
    pub(super) fn new(flag: &'static str, keys: impl Iterator<Item = &'static str>) -> Self {
        let keys = keys.collect();
        Self { flag, keys }
    }

    /// Returns the error for a number in place of a key.
    fn not_a_number(&self, number: usize) -> String {
        let Self { flag, keys } = self;
        let all = keys.join(", ");
        let meant = number.checked_sub(1).and_then(|index| keys.get(index));
        let hint = meant.map(|key| format!("; number {number} of them is {key}"));
        let hint = hint.unwrap_or_default();
        format!("--{flag} takes one of {all}, not '{number}'{hint}")
    }
}

impl TypedValueParser for RegistryKey {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        let number = value.to_str().and_then(|text| text.parse::<usize>().ok());
        if let Some(number) = number {
            let error = self.not_a_number(number);
            let reject = move |_: &str| Err::<String, _>(error.clone());
            return reject.parse_ref(command, arg, value);
        }
        PossibleValuesParser::new(&self.keys).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.keys.iter().map(PossibleValue::new)))
    }
}
