use super::TaskId;
use crate::time::Nanos;
use std::collections::VecDeque;

/// The state of a strategy, as numbers that a game can save: the order of the tasks, their estimated costs, and so on.
/// The settings of the strategy, such as its interval, are not included.
///
/// [`Strategy::save`](crate::strategy::Strategy::save) creates it. Only the strategy that has created a state, or one
/// with the same name, can read it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SavedState {
    name: String,
    numbers: Vec<u64>,
}

impl SavedState {
    /// Creates a state. The `name` identifies the meaning of the numbers. If the meaning changes, so must the name.
    pub fn new(name: &str, numbers: Vec<u64>) -> Self {
        Self {
            name: name.to_owned(),
            numbers,
        }
    }

    /// Returns the numbers, or `None` if the name of the state is not `name`.
    pub fn numbers(&self, name: &str) -> Option<&[u64]> {
        (self.name == name).then_some(&self.numbers)
    }

    /// Returns a number that depends on the whole state. It changes if someone edits the state.
    pub(crate) fn checksum(&self) -> u64 {
        let bytes = self.name.bytes().map(u64::from);
        let numbers = bytes.chain(self.numbers.iter().copied());
        // FNV-1a, with a number in place of a byte.
        numbers.fold(0xCBF2_9CE4_8422_2325, |hash, number| {
            (hash ^ number).wrapping_mul(0x0100_0000_01B3)
        })
    }

    pub(crate) fn of(name: &str, saved: &impl Saved) -> Self {
        let mut numbers = Vec::new();
        saved.save_to(&mut numbers);
        Self::new(name, numbers)
    }

    pub(crate) fn load_into(&self, name: &str, saved: &mut impl Saved) -> bool {
        let Some(mut numbers) = self.numbers(name) else {
            return false;
        };
        saved.load_from(&mut numbers).is_some() && numbers.is_empty()
    }
}

/// Something that is saved as numbers.
pub(crate) trait Saved {
    /// Adds the numbers of this value to `numbers`.
    fn save_to(&self, numbers: &mut Vec<u64>);

    /// Takes the numbers of this value from the front of `numbers`. Returns `None` if they are not valid.
    fn load_from(&mut self, numbers: &mut &[u64]) -> Option<()>;
}

/// Implements [`Saved`] for a type by saving its fields, except for settings. A field that is in neither list is a
/// compile error, so no field is forgotten.
macro_rules! saved_fields {
    ($($Type:ident { $($field:ident),* $(,)? $(; except $($setting:ident),*)? })*) => {
        $(impl $crate::scheduler::Saved for $Type {
            fn save_to(&self, numbers: &mut Vec<u64>) {
                let Self { $($field,)* $($($setting: _,)*)? } = self;
                $($crate::scheduler::Saved::save_to($field, numbers);)*
            }

            fn load_from(&mut self, numbers: &mut &[u64]) -> Option<()> {
                let Self { $($field,)* $($($setting: _,)*)? } = self;
                $($crate::scheduler::Saved::load_from($field, numbers)?;)*
                Some(())
            }
        })*
    };
}
pub(crate) use saved_fields;

/// Defines the methods of [`Strategy`](crate::strategy::Strategy) that save and restore its state. If the saved fields
/// change, change the name, too. An old saved game can then still be loaded, because its state is ignored.
///
/// Settings on which the state depends are saved with it. After loading, `own` is set back to its own `settings`.
macro_rules! saved_as {
    ($name:literal) => {
        saved_as!($name, |own| (), |()| ());
    };
    ($name:literal, |$own:ident| $get:expr, |$settings:pat_param| $set:expr) => {
        fn save(&self) -> Option<$crate::scheduler::SavedState> {
            Some($crate::scheduler::SavedState::of($name, self))
        }

        fn restore(&mut self, state: &$crate::scheduler::SavedState) -> bool {
            let $own = &mut self.clone();
            let $settings = $get;
            let is_restored = state.load_into($name, $own);
            if is_restored {
                $set;
                self.clone_from($own);
            }
            is_restored
        }
    };
}
pub(crate) use saved_as;

/// Takes the first number.
fn next(numbers: &mut &[u64]) -> Option<u64> {
    let (&first, rest) = numbers.split_first()?;
    *numbers = rest;
    Some(first)
}

/// Implements [`Saved`] for types that are saved as one number.
macro_rules! saved_numbers {
    ($($Type:ty: |$value:ident| $to:expr, |$number:ident| $from:expr;)*) => {
        $(impl Saved for $Type {
            fn save_to(&self, numbers: &mut Vec<u64>) {
                let $value = *self;
                numbers.push($to);
            }

            fn load_from(&mut self, numbers: &mut &[u64]) -> Option<()> {
                let $number = next(numbers)?;
                *self = $from;
                Some(())
            }
        })*
    };
}

saved_numbers! {
    bool: |it| it.into(), |number| number != 0;
    u16: |it| it.into(), |number| number.try_into().ok()?;
    u32: |it| it.into(), |number| number.try_into().ok()?;
    u64: |it| it, |number| number;
    usize: |it| it as u64, |number| number.try_into().ok()?;
    f32: |it| it.to_bits().into(), |number| f32::from_bits(number.try_into().ok()?);
    f64: |it| it.to_bits(), |number| f64::from_bits(number);
    Nanos: |it| it.as_nanos(), |number| Nanos::from_nanos(number);
}

impl Saved for u128 {
    fn save_to(&self, numbers: &mut Vec<u64>) {
        numbers.extend([(self >> 64) as u64, *self as u64]);
    }

    fn load_from(&mut self, numbers: &mut &[u64]) -> Option<()> {
        let (high, low) = (next(numbers)?, next(numbers)?);
        *self = u128::from(high) << 64 | u128::from(low);
        Some(())
    }
}

saved_fields! { TaskId { index, generation } }

impl<T: Saved + Default> Saved for Option<T> {
    fn save_to(&self, numbers: &mut Vec<u64>) {
        self.is_some().save_to(numbers);
        if let Some(value) = self {
            value.save_to(numbers);
        }
    }

    fn load_from(&mut self, numbers: &mut &[u64]) -> Option<()> {
        let mut is_some = false;
        is_some.load_from(numbers)?;
        *self = if is_some {
            Some(loaded(numbers)?)
        } else {
            None
        };
        Some(())
    }
}

fn loaded<T: Saved + Default>(numbers: &mut &[u64]) -> Option<T> {
    let mut value = T::default();
    value.load_from(numbers)?;
    Some(value)
}

macro_rules! saved_collections {
    ($($Collection:ident)*) => {
        $(impl<T: Saved + Default> Saved for $Collection<T> {
            fn save_to(&self, numbers: &mut Vec<u64>) {
                self.len().save_to(numbers);
                for it in self {
                    it.save_to(numbers);
                }
            }

            fn load_from(&mut self, numbers: &mut &[u64]) -> Option<()> {
                let length = next(numbers)?;
                *self = (0..length).map(|_| loaded(numbers)).collect::<Option<_>>()?;
                Some(())
            }
        })*
    };
}
saved_collections! { Vec VecDeque }
