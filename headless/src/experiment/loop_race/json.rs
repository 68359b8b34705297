//! JSON export of the race.

use super::{FlightEnds, LoopRow, LoopStats, Race, Side, shared_knobs};
use crate::sim::machine;
use serde_json::{Map, Value, json};
use timeslicer::knob::Knob;

impl Race {
    /// Returns every figure of every loop on both machines, the sentences about them, and the machines' knobs. Figures
    /// that are not measured yet are null.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let loops: Vec<Value> = self.rows().iter().map(LoopRow::to_json).collect();
        let machine = |side| self.knobs_of(side, machine::KNOBS.iter());
        json!({
            "time_s": self.time().as_secs_f64(),
            "verdict": self.verdict().to_string(),
            "fast": machine(Side::Fast),
            "slow": machine(Side::Slow),
            "both": self.knobs_of(Side::Fast, shared_knobs()),
            "loops": loops,
        })
    }

    fn knobs_of<'a>(
        &self,
        side: Side,
        knobs: impl Iterator<Item = &'a Knob>,
    ) -> Map<String, Value> {
        let value = |knob: &Knob| (knob.key.to_owned(), json!(self.knob(side, knob)));
        knobs.map(value).collect()
    }
}

impl LoopRow {
    fn to_json(&self) -> Value {
        let [fast, slow] = Side::BOTH.map(|side| self.contestant(side).stats());
        json!({
            "loop": self.entry.key,
            "lesson": self.summary().to_string(),
            "fast": fast.map(LoopStats::to_json),
            "slow": slow.map(LoopStats::to_json),
            "ends": self.flight_ends().map(FlightEnds::to_json),
        })
    }
}

impl LoopStats {
    fn to_json(self) -> Value {
        json!({
            "error_ms": self.error_nanos as f64 / 1e6,
            "step_ms": self.step.as_millis_f64(),
            "updates_per_frame": self.updates,
            "fps": self.fps,
            "speed": self.speed,
            "busy_share": self.busy,
            "dropped_share": self.dropped,
        })
    }
}

impl FlightEnds {
    fn to_json(self) -> Value {
        json!({
            "flight": self.flight,
            "identical": self.identical,
            "apart_m": self.apart,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use timeslicer::frame_loop::FRAME_LOOPS;
    use timeslicer::time::Nanos;

    #[test]
    fn json_has_every_loops_figures_on_both_machines() {
        let mut race = Race::default();
        let before = race.to_json();
        assert!(before["loops"][0]["fast"].is_null());
        for _ in 0..300 {
            race.advance(Nanos::from_millis(20));
        }
        let json = race.to_json();
        assert_eq!(json["time_s"], 6.0);
        assert_eq!(json["slow"]["render-ms"], 50.0);
        assert_eq!(json["both"]["cost-us"], 1000.0);
        let loops = json["loops"].as_array().unwrap();
        assert_eq!(loops.len(), FRAME_LOOPS.len());
        for (json, row) in loops.iter().zip(race.rows()) {
            assert_eq!(json["loop"], row.entry.key);
            let [fast, slow] = row.stats().unwrap();
            assert_eq!(json["fast"]["speed"].as_f64(), Some(fast.speed));
            assert_eq!(json["slow"]["fps"].as_f64(), Some(slow.fps));
            let identical = row.flight_ends().map(|ends| ends.identical);
            assert_eq!(json["ends"]["identical"].as_bool(), identical);
        }
    }
}
