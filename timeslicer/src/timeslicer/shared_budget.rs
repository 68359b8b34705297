use crate::scheduler::Admission;
use crate::time::Nanos;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A time budget per frame that several timeslicers share, such as those for sensing, decisions and paths.
///
/// Each timeslicer has a share of the budget. If it does not need its whole share, timeslicers that update later in the
/// frame can use the remaining time. Timeslicers that update earlier can use time that later ones did not need in the
/// last frame. If a frame exceeds the budget, the next frames get less time, but at least half of the budget.
///
/// Call [`begin_frame`](Self::begin_frame) in each frame. Otherwise the budget is soon used up, and each update runs only
/// one task.
///
/// A strategy without a budget of its own, such as [`FixedInterval`](crate::strategy::FixedInterval), is stopped when
/// the time is used up, and continues with the next task in the next update. In every update, each timeslicer runs at
/// least one due task (if there is one), however little time is left.
///
/// ```
/// use std::time::Duration;
/// use timeslicer::strategy::{FixedInterval, TimeBudget};
/// use timeslicer::{SharedBudget, Timeslicer};
///
/// let millis = Duration::from_millis;
/// let budget = SharedBudget::new(millis(2)); // in each frame
/// // Sensing gets a third of the budget, and paths get two thirds.
/// let mut sensing = Timeslicer::new(FixedInterval::new(millis(100))).with_shared_budget(&budget, 1.0);
/// let mut paths = Timeslicer::new(TimeBudget::new(millis(2))).with_shared_budget(&budget, 2.0);
/// # sensing.add("Ann");
/// # paths.add("Ann");
///
/// for _frame in 0..10 {
///     budget.begin_frame();
///     sensing.update(millis(16), |_guard, _elapsed| ());
///     paths.update(millis(16), |_guard, _elapsed| ());
///     println!("{:?} of {:?}", budget.spent(), budget.budget());
/// }
/// ```
///
/// All clones of a `SharedBudget` refer to the same budget.
#[derive(Clone, Debug)]
pub struct SharedBudget(Arc<Mutex<Frame>>);

#[derive(Debug)]
struct Frame {
    /// The budget of a frame, and the time that earlier frames owe because they exceeded it.
    admission: Admission,
    /// The time that this frame may spend.
    allowance: Nanos,
    spent: Nanos,
    members: BTreeMap<u64, Member>,
    next_id: u64,
}

#[derive(Debug)]
struct Member {
    share: f64,
    /// The time that this member has used in this frame, or `None` if it has not updated yet.
    spent: Option<Nanos>,
    /// The time that members which update earlier in the frame must leave for this member, up to its share.
    reserve: Nanos,
    idle_frames: u32,
}

/// A member loses its reserve if it has not updated for more than this number of frames.
const MOST_IDLE_FRAMES: u32 = 8;
const LARGEST_SHARE: f64 = 1e6;

impl SharedBudget {
    /// Creates a shared budget of `budget` per frame.
    pub fn new(budget: Duration) -> Self {
        let budget = budget.into();
        Self(Arc::new(Mutex::new(Frame {
            admission: Admission::new(budget),
            allowance: budget,
            spent: Nanos::ZERO,
            members: BTreeMap::new(),
            next_id: 0,
        })))
    }

    fn frame(&self) -> MutexGuard<'_, Frame> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a frame. Call this in each frame before the updates of the timeslicers.
    pub fn begin_frame(&self) {
        let frame = &mut *self.frame();
        if frame.members.values().all(|it| it.spent.is_none()) {
            return; // nothing has run since the last call, as in a frame without an update of the game
        }
        frame.admission.settle(std::mem::take(&mut frame.spent));
        frame.allowance = frame.admission.allowance();
        for member in frame.members.values_mut() {
            if member.spent.take().is_some() {
                continue;
            }
            member.idle_frames += 1;
            if member.idle_frames > MOST_IDLE_FRAMES {
                member.reserve = Nanos::ZERO;
            }
        }
    }

    /// Returns the budget of a frame.
    pub fn budget(&self) -> Duration {
        self.frame().admission.budget.into()
    }

    /// Changes the budget, from the next frame on.
    pub fn set_budget(&self, budget: Duration) {
        self.frame().admission.budget = budget.into();
    }

    /// Returns the time that the timeslicers have used in this frame.
    pub fn spent(&self) -> Duration {
        self.frame().spent.into()
    }

    pub(super) fn join(&self, share: f64) -> Share {
        let mut frame = self.frame();
        let id = frame.next_id;
        frame.next_id += 1;
        let reserve = frame.admission.budget;
        frame.member(id, share).reserve = reserve;
        Share {
            budget: self.clone(),
            id,
            size: share,
        }
    }
}

impl Frame {
    fn member(&mut self, id: u64, share: f64) -> &mut Member {
        self.members.entry(id).or_insert(Member {
            share: if share > 0.0 {
                share.min(LARGEST_SHARE)
            } else {
                0.0
            }, // NaN becomes 0
            spent: None,
            reserve: Nanos::ZERO,
            idle_frames: 0,
        })
    }

    /// Returns the part of the allowance that belongs to a member.
    fn part(&self, member: &Member) -> Nanos {
        let shares: f64 = self.members.values().map(|it| it.share).sum();
        let part = if shares > 0.0 {
            member.share / shares
        } else {
            1.0 / self.members.len() as f64
        };
        Nanos::from_nanos_f64(self.allowance.as_nanos() as f64 * part)
    }
}

/// The share of one timeslicer.
#[derive(Clone, Debug)]
pub(super) struct Share {
    budget: SharedBudget,
    id: u64,
    size: f64,
}

/// If a timeslicer is dropped, its share goes to the others. (If it has a clone, the clone joins in its next update.)
impl Drop for Share {
    fn drop(&mut self) {
        self.budget.frame().members.remove(&self.id);
    }
}

impl Share {
    /// Returns the time that the timeslicer may spend now.
    pub(super) fn limit(&self) -> Nanos {
        let mut frame = self.budget.frame();
        frame.member(self.id, self.size);
        let later = frame.members.iter();
        let later = later.filter(|&(&id, member)| id != self.id && member.spent.is_none());
        let reserved: Nanos = later
            .map(|(_, member)| member.reserve.min(frame.part(member)))
            .sum();
        let left = frame.allowance.saturating_sub(frame.spent);
        left.saturating_sub(reserved)
    }

    /// Reports that an update has taken `spent`. `is_waiting` is true if some due tasks have not run yet.
    pub(super) fn spend(&self, spent: Nanos, is_waiting: bool) {
        let mut frame = self.budget.frame();
        frame.spent += spent;
        let member = frame.member(self.id, self.size);
        let spent = member.spent.unwrap_or_default() + spent;
        member.spent = Some(spent);
        member.idle_frames = 0;
        member.reserve = if is_waiting {
            Nanos::MAX
        } else {
            spent + spent // there may be more to do in the next frame
        };
    }
}
