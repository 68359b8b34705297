//! Comparison of the ends of flights on two machines, even if one machine is far ahead of the other.

use crate::sim::projectile::{Flight, Motion};
use std::collections::VecDeque;

/// Maximum number of stored streaks. Later flights are not compared. The limit is reached only if one machine is far
/// ahead and its flights keep ending in different places.
const LIMIT: usize = 4096;

/// Comparison of the last flight that both machines have completed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlightEnds {
    /// Number of the flight, from 0.
    pub flight: u64,
    /// Whether both ends are bit-identical.
    pub identical: bool,
    /// Distance between both ends, in metres.
    pub apart: f64,
}

/// Flights of one machine that the other one has not completed yet, oldest first.
///
/// Consecutive flights with bit-identical ends are one streak, so a loop with fixed steps needs only one streak,
/// however far ahead its machine is.
#[derive(Clone, Debug, Default)]
pub(super) struct Flights {
    streaks: VecDeque<Streak>,
    next: u64,
}

#[derive(Clone, Debug)]
struct Streak {
    first: u64,
    last: u64,
    end: Motion,
}

impl Flights {
    /// Adds the last completed flight, unless it was added before.
    pub(super) fn note(&mut self, flight: &Flight) {
        if flight.number < self.next {
            return;
        }
        let follows = flight.number == self.next;
        self.next = flight.number + 1;
        let last = self.streaks.back_mut().filter(|_| follows);
        if let Some(last) = last.filter(|last| last.end.is_identical(&flight.end)) {
            last.last = flight.number;
        } else if self.streaks.len() < LIMIT {
            self.streaks.push_back(Streak {
                first: flight.number,
                last: flight.number,
                end: flight.end,
            });
        }
    }

    /// Compares and removes the flights that both machines have completed. Returns the last comparison; `None` if there
    /// was no flight to compare.
    pub(super) fn compare(fast: &mut Self, slow: &mut Self) -> Option<FlightEnds> {
        let mut ends = None;
        while let (Some(one), Some(other)) = (fast.streaks.front(), slow.streaks.front()) {
            let both = one.last.min(other.last);
            if both >= one.first.max(other.first) {
                ends = Some(FlightEnds {
                    flight: both,
                    identical: one.end.is_identical(&other.end),
                    apart: one.end.distance(&other.end),
                });
            }
            for flights in [&mut *fast, &mut *slow] {
                if flights
                    .streaks
                    .front()
                    .is_some_and(|front| front.last == both)
                {
                    flights.streaks.pop_front();
                }
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

    fn flight(number: u64, step_ms: u64) -> Flight {
        let mut body = Body::default();
        while body.last_flight().is_none() {
            body.update(Nanos::from_millis(step_ms));
        }
        let end = body.last_flight().unwrap().end;
        Flight { number, end }
    }

    #[test]
    fn last_common_flight_is_compared_once() {
        let (mut fast, mut slow) = (Flights::default(), Flights::default());
        let compare = Flights::compare;
        assert_eq!(compare(&mut fast, &mut slow), None);
        for number in 0..3 {
            fast.note(&flight(number, 10));
        }
        assert_eq!(compare(&mut fast, &mut slow), None);
        slow.note(&flight(0, 10));
        let ends = compare(&mut fast, &mut slow).unwrap();
        assert_eq!((ends.flight, ends.identical, ends.apart), (0, true, 0.0));
        slow.note(&flight(0, 10));
        assert_eq!(compare(&mut fast, &mut slow), None);
        slow.note(&flight(1, 10));
        slow.note(&flight(2, 50));
        let ends = compare(&mut fast, &mut slow).unwrap();
        assert_eq!((ends.flight, ends.identical), (2, false));
        assert!(ends.apart > 0.1);
        // Now the other machine is ahead.
        slow.note(&flight(3, 50));
        slow.note(&flight(4, 10));
        fast.note(&flight(3, 50));
        let ends = compare(&mut fast, &mut slow).unwrap();
        assert_eq!((ends.flight, ends.identical), (3, true));
    }

    #[test]
    fn equal_flights_take_one_streak() {
        let (mut fast, mut slow) = (Flights::default(), Flights::default());
        let end = flight(0, 20).end;
        for number in 0..1_000_000 {
            fast.note(&Flight { number, end });
        }
        assert_eq!(fast.streaks.len(), 1);
        for number in 0..10_000 {
            slow.note(&Flight { number, end });
            let ends = Flights::compare(&mut fast, &mut slow).unwrap();
            assert_eq!((ends.flight, ends.identical), (number, true));
        }
        assert!(fast.streaks.len() + slow.streaks.len() <= 1);
    }

    #[test]
    fn number_of_streaks_is_limited() {
        let mut fast = Flights::default();
        let ends = [flight(0, 10).end, flight(0, 50).end];
        for number in 0..20_000 {
            let end = ends[number as usize % 2];
            fast.note(&Flight { number, end });
        }
        assert_eq!(fast.streaks.len(), LIMIT);
        // Flights of a machine that is far behind are still compared with the stored ones.
        let mut slow = Flights::default();
        slow.note(&Flight {
            number: 0,
            end: ends[0],
        });
        let ends = Flights::compare(&mut fast, &mut slow).unwrap();
        assert!(ends.identical);
    }

    #[test]
    fn skipped_flights_do_not_extend_a_streak() {
        let (mut fast, mut slow) = (Flights::default(), Flights::default());
        for number in [1, 3] {
            fast.note(&flight(number, 10));
        }
        slow.note(&flight(2, 50));
        assert_eq!(Flights::compare(&mut fast, &mut slow), None);
        slow.note(&flight(3, 10));
        assert_eq!(
            Flights::compare(&mut fast, &mut slow).map(|ends| ends.flight),
            Some(3)
        );
    }
}
