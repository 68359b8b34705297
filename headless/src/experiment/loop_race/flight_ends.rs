//! Comparison of the ends of flights on two machines, even if one machine is far ahead of the other.

use crate::sim::projectile::Flight;
use serde_json::{Value, json};
use std::collections::VecDeque;

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

/// Flights of one machine that the other one has not completed yet, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Flights {
    flights: VecDeque<Flight>,
    /// Number of the first flight that was not added yet.
    next: u64,
}

impl Flights {
    /// Adds the last completed flight, unless it was added before.
    pub(super) fn note(&mut self, flight: &Flight) {
        if flight.number < self.next {
            return;
        }
        self.next = flight.number + 1;
        if self.flights.len() < LIMIT {
            self.flights.push_back(*flight);
        }
    }

    /// Compares and removes the flights that both machines have completed. Returns the last comparison; `None` if there
    /// was no flight to compare.
    pub(super) fn compare(fast: &mut Self, slow: &mut Self) -> Option<FlightEnds> {
        let mut ends = None;
        while let (Some(&one), Some(&other)) = (fast.flights.front(), slow.flights.front()) {
            if one.number == other.number {
                ends = Some(FlightEnds {
                    flight: one.number,
                    identical: one.end.is_identical(&other.end),
                    apart: one.end.distance(&other.end),
                });
            }
            // A frame that completes several flights adds only the last of them.
            if one.number <= other.number {
                fast.flights.pop_front();
            }
            if other.number <= one.number {
                slow.flights.pop_front();
            }
        }
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::projectile::Body;
    use timeslicer::time::Nanos;

    #[test]
    fn the_last_common_flight_is_compared_once() {
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
            (&[], &[(0, 10)], None),
            (&[], &[(1, 10), (2, 50)], Some((2, false))),
            (&[], &[(3, 50), (4, 10)], None),
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
        assert_eq!(fast.flights.len(), LIMIT);
        slow.note(&Flight { number: 0, end });
        assert!(Flights::compare(&mut fast, &mut slow).unwrap().identical);
    }
}
