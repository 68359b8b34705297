//! What the lab offers: the [strategies](strategy) and the [frame loops](frame_loop) of the crate `timeslicer`, each with
//! its name, its texts and its [knobs](knob). Sliders, flags, documents and tests are derived from these lists. The code
//! that runs and measures the entries is in the modules that use this one.

/// Declares a module for each entry, and a list of all entries. Entries are compared by address, because each of them
/// is a static of its module.
///
/// (`cargo fmt` skips modules that a macro declares, so pass their files to `rustfmt`.)
macro_rules! registry {
    ($(#[$docs:meta])* $list:ident: $entry:ident, $($module:ident,)*) => {
        $(pub mod $module;)*

        $(#[$docs])*
        pub static $list: &[&$entry] = &[$(&$module::ENTRY,)*];

        pub fn by_key(key: &str) -> Option<&'static $entry> {
            $list.iter().copied().find(|entry| entry.key == key)
        }

        impl PartialEq for $entry {
            fn eq(&self, other: &Self) -> bool {
                std::ptr::eq(self, other)
            }
        }

        impl Eq for $entry {}
    };
}

pub mod frame_loop;
pub mod knob;
pub mod strategy;

#[cfg(test)]
mod tests {
    use super::knob::KnobValues;
    use super::strategy::STRATEGIES;
    use timeslicer::strategy::testing::{TestWorld, log_normal_costs};
    use timeslicer::strategy::{self, Strategy};
    use timeslicer::time::Nanos;

    #[test]
    fn every_strategy_of_the_crate_has_an_entry() {
        let names = strategy::STRATEGIES.iter().map(|entry| entry.name);
        assert!(names.eq(STRATEGIES.iter().map(|entry| entry.name)));
    }

    /// Returns all task runs of a test game. Its weights change, its costs differ, and some updates run out of time.
    fn runs(strategy: Box<dyn Strategy>) -> Vec<(u32, Nanos)> {
        let mut world = TestWorld::new(strategy, 200);
        world.costs = log_normal_costs(200, Nanos::from_micros(300), 1.0);
        world.weights = vec![0.0; 200];
        let mut runs = Vec::new();
        for update in 0..600 {
            for (index, weight) in world.weights.iter_mut().enumerate() {
                *weight = 1.0 / (1.0 + f64::from((update + index as u32 * 7) % 200) / 10.0);
            }
            if update % 50 == 0 {
                (0..200).for_each(|index| world.request(index));
            }
            runs.extend(world.update_elapsed(Nanos::from_millis(16)));
        }
        runs
    }

    #[test]
    fn the_defaults_of_knobs_and_constructors_are_equal() {
        for (entry, plain) in STRATEGIES.iter().zip(strategy::STRATEGIES) {
            let made = runs((plain.make)());
            assert!(!made.is_empty(), "{}", entry.key);
            assert_eq!(made, runs((entry.make)()), "{}", entry.key);
            let built = runs(entry.build(&KnobValues::default()));
            assert_eq!(made, built, "{}", entry.key);
        }
    }
}
