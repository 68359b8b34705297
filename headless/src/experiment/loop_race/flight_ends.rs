//! Comparison of the ends of flights on two machines, even if one machine is far ahead of the other.

use crate::sim::projectile::{Flight, Motion};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Maximum number of stored flights. While as many are stored, later ones are not compared.
const LIMIT: usize = 65_536;

/// Comparison of the last flight that both machines have completed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlightEnds {
    pub flight: u64,
    pub identical: bool,
    /// Distance between both ends, in metres.
    pub apart: f64,
}

impl FlightEnds {
    pub(super) fn to_json(self) -> Value {
        json!({
            "flight": self.flight,
            "identical": self.identical,
            "apart_m": self.apart,
        })
    }
}

/// Ends of one machine's flights, by number, from the last one that the other machine has completed, too.
#[derive(Default)]
pub(super) struct Flights(BTreeMap<u64, Motion>);

impl Flights {
    /// Adds the last completed flight.
    pub(super) fn note(&mut self, flight: &Flight) {
        if self.0.len() < LIMIT {
            self.0.insert(flight.number, flight.end);
        }
    }

    /// Compares the last flight that both machines have completed, and forgets earlier ones. Returns `None` if there is
    /// no flight to compare.
    pub(super) fn compare(fast: &mut Self, slow: &mut Self) -> Option<FlightEnds> {
        // A frame that completes several flights adds only the last of them, so numbers may be missing.
        let (last, _) = fast.0.last_key_value()?;
        let mut ends = slow.0.range(..=*last).rev();
        let (flight, on_fast, on_slow) =
            ends.find_map(|(number, end)| Some((*number, *fast.0.get(number)?, *end)))?;
        for flights in [fast, slow] {
            flights.0 = flights.0.split_off(&flight);
        }
        Some(FlightEnds {
            flight,
            identical: on_fast.is_identical(&on_slow),
            apart: on_fast.distance(&on_slow),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::projectile::Body;
    use timeslicer::time::Nanos;

    #[test]
    fn the_last_common_flight_is_compared() {
        // Flights of the fast and of the slow machine, by number and step, and the last comparison.
        type Case<'a> = (&'a [(u64, u64)], &'a [(u64, u64)], Option<(u64, bool)>);

        let flight = |number, step_ms| {
            let mut body = Body::default();
            while body.last_flight().is_none() {
                body.update(Nanos::from_millis(step_ms));
            }
            let end = body.last_flight().unwrap().end;
            Flight { number, end }
        };
        let (mut fast, mut slow) = (Flights::default(), Flights::default());
        let cases: [Case<'_>; 7] = [
            (&[(0, 10), (1, 10), (2, 10)], &[], None),
            (&[], &[(0, 10)], Some((0, true))),
            (&[], &[(0, 10)], Some((0, true))),
            (&[], &[(1, 10), (2, 50)], Some((2, false))),
            (&[], &[(3, 50), (4, 10)], Some((2, false))),
            (&[(3, 50)], &[], Some((3, true))),
            // Flights 5 and 7 of the one machine and 6 of the other ended within a longer frame.
            (
                &[(6, 10), (8, 50)],
                &[(5, 10), (7, 10), (8, 10)],
                Some((8, false)),
            ),
        ];
        for (of_fast, of_slow, expected) in cases {
            for (flights, new) in [(&mut fast, of_fast), (&mut slow, of_slow)] {
                for &(number, step_ms) in new {
                    flights.note(&flight(number, step_ms));
                }
            }
            let ends = Flights::compare(&mut fast, &mut slow);
            assert_eq!(ends.map(|ends| (ends.flight, ends.identical)), expected);
            assert!(ends.is_none_or(|ends| (ends.apart > 0.1) != ends.identical));
        }
    }

    #[test]
    fn the_number_of_stored_flights_is_limited() {
        let (mut fast, mut slow) = (Flights::default(), Flights::default());
        let mut body = Body::default();
        body.update(Nanos::from_secs(9));
        let end = body.last_flight().unwrap().end;
        for number in 0..2 * LIMIT as u64 {
            fast.note(&Flight { number, end });
        }
        assert_eq!(fast.0.len(), LIMIT);
        slow.note(&Flight { number: 0, end });
        assert!(Flights::compare(&mut fast, &mut slow).unwrap().identical);
    }
}
