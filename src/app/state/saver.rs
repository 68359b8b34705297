//! Saves screenshots, data and recordings when the user asks for them. Saving can take half a second, so it happens in
//! the background and does not freeze the game.

use super::State;
use super::compare::CompareState;
use super::grid::GridState;
use super::view::View;
use crate::app::platform::screen::{self, CapturedFrame};
use crate::app::platform::{self, IS_PAGE, SAVED_WHERE};
use lab::catalog::strategy::StrategyEntry;
use lab::cli::{Compared, settings_file};
use lab::files::costs;
use lab::files::export::{NamedFile, Snapshot};
use lab::files::output::{Failure, write_whole};
use lab::judge::Limits;
use lab::sim::machine;
use macroquad::texture::Image;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, channel, sync_channel};
use timeslicer::time::{ClockTime, Nanos, monotonic};

pub const NOTICE_TIME: Nanos = Nanos::from_secs(3);
/// How long a notice about a failure is shown. This is longer than for other notices, because it takes time to read why
/// something has failed.
const FAILURE_NOTICE_TIME: Nanos = Nanos::from_secs(8);

const KEY_RECORDING_LENGTH: Nanos = Nanos::from_secs(4);

/// The maximum length of a recording that was started with a command-line flag. Without a maximum, a forgotten
/// recording would use up the memory.
const MAX_FLAG_RECORDING_LENGTH: Nanos = Nanos::from_secs(60);

/// At least this much time passes between two recorded frames. At 60 Hz, every second frame is recorded.
const MIN_TIME_BETWEEN_FRAMES: Nanos = Nanos::from_millis(30);

/// The number of frames that may wait for the encoder. Further frames are skipped.
const MAX_WAITING_FRAMES: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveKind {
    Screenshot,
    /// A folder with an image of the screen and the measured data.
    Export,
    Recording,
}

/// A function that creates the files of an export. It is called in the background, because it may take a while.
type MakeFiles = Box<dyn FnOnce() -> Vec<NamedFile> + Send>;

/// The path of the saved file or folder, or the reason why it could not be saved.
type Outcome = Result<PathBuf, String>;

#[derive(Default)]
pub struct Saver {
    requests: Vec<SaveKind>,
    running: Vec<(SaveKind, Receiver<Outcome>)>,
    notice: Option<Notice>,
}

pub struct Notice {
    pub text: String,
    pub failed: bool,
    until: ClockTime,
}

impl Saver {
    /// Requests that the next rendered frame be saved as `kind`, for example as a screenshot.
    pub fn request(&mut self, kind: SaveKind) {
        if !self.requests.contains(&kind) {
            self.requests.push(kind);
        }
    }

    /// Removes the next request from the queue and returns it. Returns `None` if there is no request, or if another
    /// save is in progress. A recording does not count as another save, because it may take a long time.
    fn take_next_request(&mut self) -> Option<SaveKind> {
        let mut running = self.running.iter();
        let is_free = running.all(|(kind, _)| *kind == SaveKind::Recording);
        (is_free && !self.requests.is_empty()).then(|| self.requests.remove(0))
    }

    fn start(&mut self, kind: SaveKind, save: impl FnOnce() -> Outcome + Send + 'static) {
        let (sender, receiver) = channel();
        platform::in_background(move || {
            let _ = sender.send(save()); // fails only if the program has ended
        });
        self.running.push((kind, receiver));
    }

    pub fn notify(&mut self, text: String, failed: bool) {
        let visible_for = if failed {
            FAILURE_NOTICE_TIME
        } else {
            NOTICE_TIME
        };
        self.notice = Some(Notice {
            text,
            failed,
            until: monotonic() + visible_for,
        });
    }

    /// Returns the notice to show. Returns `None` while a save is requested, because the notice would appear in the
    /// screenshot.
    pub fn notice(&self) -> Option<&Notice> {
        self.notice.as_ref().filter(|_| self.requests.is_empty())
    }
}

fn lost() -> Outcome {
    Err("the file could not be saved because of an unexpected error".to_owned())
}

/// Saves a screenshot under the given name, or under a similar name if that one is taken. An export is saved as a
/// folder that contains the screenshot and the exported files.
fn save_screen(screen: &Image, export: Option<MakeFiles>, folder: &Path, stem: &str) -> Outcome {
    let png = screen::png(screen)?;
    let written = match export {
        None => platform::save_file(folder, stem, ".png", &png),
        Some(make) => {
            let mut files = make();
            files.push(NamedFile::new("picture.png", png));
            platform::save_folder(folder, stem, &files)
        }
    };
    written.map_err(|failure| failure.to_string())
}

/// A recording in progress. When it is dropped, the encoder finishes the file.
pub struct Recording {
    frames: SyncSender<CapturedFrame>,
    /// The times of the first and the latest recorded frame, or `None` if no frame has been recorded yet.
    times: Option<(ClockTime, ClockTime)>,
    max_length: Nanos,
}

impl State {
    /// Starts the next requested save, and tells the user about saves that have finished.
    pub fn save(&mut self) {
        let clock = monotonic();
        self.saver.notice.take_if(|notice| clock >= notice.until);
        let mut running = std::mem::take(&mut self.saver.running);
        running.retain(|(kind, job)| match job.try_recv() {
            Err(TryRecvError::Empty) => true,
            outcome => {
                self.report_save(*kind, &outcome.unwrap_or_else(|_| lost()));
                false
            }
        });
        self.saver.running = running;
        self.start_next_save();
    }

    /// Completes all requested saves before the program quits. If any of them fails, returns the first error.
    pub fn save_the_rest(&mut self) -> Result<(), String> {
        self.recording = None;
        let mut all = Ok(());
        loop {
            self.start_next_save();
            let Some((kind, job)) = self.saver.running.pop() else {
                return all;
            };
            let outcome = job.recv().unwrap_or_else(|_| lost());
            self.report_save(kind, &outcome);
            all = all.and(outcome.map(drop));
        }
    }

    fn start_next_save(&mut self) {
        if let Some(kind) = self.saver.take_next_request() {
            let export = (kind == SaveKind::Export).then(|| self.export());
            let (screen, stem) = (screen::read_screen(), self.screenshot_name());
            let save = move || save_screen(&screen, export, Path::new(""), &stem);
            self.saver.start(kind, save);
        }
    }

    /// Copies the data of the view on screen. Returns a function that creates the exported files, because creating them
    /// may take too long for one frame.
    fn export(&mut self) -> MakeFiles {
        match self.view {
            View::Grid => history(&self.grid, &self.compare.best_setting.limits),
            View::Compare => comparison(&mut self.compare, self.grid.lane.settings().strategy),
            View::Loops => {
                let json = format!("{:#}\n", self.loop_comparison.to_json());
                let text = settings_file::of_loops(&self.loop_comparison);
                Box::new(|| vec![NamedFile::new("loops.json", json), settings_file(text)])
            }
        }
    }

    fn report_save(&mut self, kind: SaveKind, outcome: &Outcome) {
        let done = match kind {
            SaveKind::Screenshot => "screenshot",
            SaveKind::Export => "exported",
            SaveKind::Recording => "recorded",
        };
        let text = match outcome {
            Err(reason) => {
                self.note(format_args!("not saved: {reason}"));
                reason.clone()
            }
            Ok(path) => {
                self.note(format_args!("{done} {}", path.display()));
                let is_here = path.parent() == Some(Path::new(""));
                let place = if is_here { SAVED_WHERE } else { "" };
                format!("saved {}{place}", path.display())
            }
        };
        self.saver.notify(text, outcome.is_err());
    }

    /// Starts a recording that is saved to `path` when the program quits, or earlier if it becomes too long.
    pub fn record_to(&mut self, path: PathBuf) {
        self.begin_recording(MAX_FLAG_RECORDING_LENGTH, |gif| {
            write_whole(&path, gif).map(|()| path)
        });
    }

    pub fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    /// Starts a recording with an unused file name, or stops the current recording.
    pub(super) fn toggle_recording(&mut self) {
        if self.recording.take().is_none() {
            let stem = self.screenshot_name();
            let save = move |gif: &[u8]| platform::save_file(Path::new(""), &stem, ".gif", gif);
            self.begin_recording(KEY_RECORDING_LENGTH, save);
        }
    }

    /// Starts a recording that lasts at most `max_length`. `write` saves the finished recording. Does nothing in a
    /// browser, which does not support recording.
    fn begin_recording(
        &mut self,
        max_length: Nanos,
        write: impl FnOnce(&[u8]) -> Result<PathBuf, Failure> + Send + 'static,
    ) {
        if IS_PAGE {
            return;
        }
        let (frames, recorded) = sync_channel(MAX_WAITING_FRAMES);
        self.saver.start(SaveKind::Recording, move || {
            let gif = platform::encode(&recorded)?;
            write(&gif).map_err(|failure| failure.to_string())
        });
        self.recording = Some(Recording {
            frames,
            times: None,
            max_length,
        });
        self.note("recording");
    }

    /// Adds the current frame to the recording if enough time has passed since the last recorded frame. Returns how
    /// long the recording has lasted, or `None` if there is no recording.
    pub fn record(&mut self, clock: ClockTime, read_pixels: fn() -> Image) -> Option<Nanos> {
        let recording = self.recording.as_mut()?;
        let (first, last) = recording.times.unzip();
        let time = first.map_or(Nanos::ZERO, |first| clock - first);
        if time >= recording.max_length {
            self.recording = None;
            return None;
        }
        if last.is_none_or(|last| clock - last >= MIN_TIME_BETWEEN_FRAMES) {
            let screen = read_pixels();
            if screen.width > 0 && screen.height > 0 {
                recording.times = Some((first.unwrap_or(clock), clock));
                // If the encoder is late, this frame is lost and the previous one is shown for longer.
                let _ = recording.frames.try_send((screen, time));
            }
        }
        Some(time)
    }
}

fn history(grid: &GridState, limits: &Limits) -> MakeFiles {
    let lane = &grid.lane;
    let snapshot = Snapshot::of(&grid.history, lane.settings());
    let (machine, mut settings) = (lane.machine(), lane.settings().clone());
    let is_simulated = machine.is_simulated();
    if !is_simulated {
        // No simulated machine is equivalent to this computer, so the command line gets the default machine.
        for knob in machine::KNOBS {
            settings.knobs.set(knob, knob.default);
        }
    }
    let (made, kept) = (lane.frames(), grid.history.frames().len() as u64);
    let text = settings_file::of_frames(&settings, made, kept, is_simulated, &grid.history, limits);
    Box::new(move || {
        let [csv, trace] = snapshot.files();
        let costs = settings.own_costs.as_ref().map(costs::saved);
        [csv, trace, settings_file(text)]
            .into_iter()
            .chain(costs)
            .collect()
    })
}

/// Exports what the Compare view shows. Nothing is simulated for this: the recommendation is the one on screen.
fn comparison(compare: &mut CompareState, selected: &'static StrategyEntry) -> MakeFiles {
    compare.comparison.even_out();
    let comparison = &compare.comparison;
    let (settings, reports) = (comparison.settings().clone(), comparison.final_reports());
    let best_setting = &compare.best_setting;
    let recommendation = best_setting.recommendation().cloned();
    let is_outdated = recommendation.is_some() && !best_setting.is_final();
    let objective = recommendation.as_ref().map(|it| it.objective);
    let text = settings_file::of_comparison(
        comparison,
        selected,
        &best_setting.limits,
        objective.unwrap_or_default(),
        is_outdated,
    );
    Box::new(move || {
        let compared = Compared {
            settings: &settings,
            reports: &reports,
            recommendation: recommendation.as_ref(),
            costs: None,
        };
        let table = |json| compared.text(json);
        let files = [
            NamedFile::new("compare.json", table(true)),
            NamedFile::new("compare.txt", table(false)),
            settings_file(text),
        ];
        let costs = settings.own_costs.as_ref().map(costs::saved);
        files.into_iter().chain(costs).collect()
    })
}

fn settings_file(text: String) -> NamedFile {
    NamedFile::new("settings.txt", text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::platform::dropped_files::DroppedFile;
    use crate::app::platform::event_log::Log;
    use crate::app::state::command::{Command, GridCommand};
    use crate::app::state::tests::state;
    use gif::DecodeOptions;
    use lab::catalog::knob::KnobValues;
    use lab::catalog::strategy::StrategyEntry;
    use lab::catalog::strategy::knobs::INTERVAL;
    use lab::cli::threads::run_on_threads;
    use lab::cli::{Invocation, parse};
    use lab::comparison::strategies::{compared_lane, compared_report};
    use lab::judge::{Question, Recommendation, Sweep};
    use lab::sim::settings::Settings;
    use lab::sim::world::{CHURN, COST_SPREAD, ENTITIES};
    use std::fs;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;
    fn image(colour: [u8; 4], width: u16, height: u16) -> Image {
        Image {
            bytes: colour.repeat(usize::from(width) * usize::from(height)),
            width,
            height,
        }
    }

    fn red() -> Image {
        image([255, 0, 0, 255], 2, 1)
    }

    fn files() -> MakeFiles {
        Box::new(|| vec![NamedFile::new("frames.csv", "frame\n")])
    }

    /// Saves an image and waits until that is done. Returns the outcome and the text of the notice.
    fn save(export: Option<MakeFiles>, folder: &Path) -> (Result<(), String>, String) {
        let mut state = state();
        let folder = folder.to_owned();
        let save = move || save_screen(&red(), export, &folder, "lab-7");
        state.saver.start(SaveKind::Export, save);
        let outcome = state.save_the_rest();
        let notice = state.saver.notice().expect("it tells the outcome");
        assert_eq!(notice.failed, outcome.is_err());
        (outcome, notice.text.clone())
    }

    #[test]
    fn saves_get_unused_names_and_hold_everything() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for name in ["lab-7.png", "lab-7-2.png", "lab-7-3.png"] {
            let path = folder.join(name);
            let (_, notice) = save(None, folder);
            assert!(notice.contains(&*path.to_string_lossy()), "{notice}");
            assert!(fs::read(path).unwrap().starts_with(b"\x89PNG"));
        }
        let (_, notice) = save(Some(files()), folder);
        let path = folder.join("lab-7");
        assert!(notice.contains(&*path.to_string_lossy()), "{notice}");
        assert_eq!(fs::read(path.join("frames.csv")).unwrap(), b"frame\n");
        assert!(path.join("picture.png").is_file());
    }

    #[test]
    fn failed_save_shows_its_reason() {
        for (export, name) in [(None, "lab-7.png"), (Some(files()), "lab-7")] {
            let (outcome, notice) = save(export, Path::new("/nowhere/at/all"));
            let reason = outcome.unwrap_err();
            let path = format!("/nowhere/at/all/{name}");
            assert!(reason.contains(&path) && notice == reason, "{reason}");
        }
    }

    #[test]
    fn requests_are_saved_one_after_the_other_and_beside_a_recording() {
        let mut saver = Saver::default();
        for kind in [SaveKind::Export, SaveKind::Screenshot, SaveKind::Export] {
            saver.request(kind);
        }
        let full = || Err("full".to_owned());
        saver.start(SaveKind::Recording, full);
        for kind in [SaveKind::Export, SaveKind::Screenshot] {
            assert_eq!(saver.take_next_request(), Some(kind));
            saver.start(kind, full);
            assert_eq!(saver.take_next_request(), None, "one at a time");
            saver.running.pop();
        }
        assert!(saver.take_next_request().is_none());
    }

    #[test]
    fn notice_waits_for_requests_and_disappears_after_three_seconds() {
        let mut state = state();
        state.saver.notify("copied".to_owned(), false);
        assert!(state.saver.notice().is_some());
        state.saver.request(SaveKind::Screenshot);
        let notice = state.saver.notice();
        assert!(notice.is_none(), "the screenshot would contain it");
        state.saver.requests.clear();
        state.save();
        assert!(state.saver.notice().is_some());
        let notice = state.saver.notice.as_mut().expect("a notice");
        notice.until = monotonic();
        state.save();
        assert!(state.saver.notice().is_none());
    }

    fn at_ms(millis: u64) -> ClockTime {
        ClockTime::at(Nanos::from_millis(millis))
    }

    #[test]
    fn recording_ends_after_its_time_or_by_its_key() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = state();
        assert_eq!(state.record(at_ms(0), red), None);
        let early = folder.path().join("early");
        let path = early.clone();
        state.begin_recording(KEY_RECORDING_LENGTH, |gif| {
            write_whole(&path, gif).map(|()| path)
        });
        assert_eq!(state.record(at_ms(500), red), Some(Nanos::ZERO));
        let time = state.record(at_ms(4499), red);
        assert_eq!(time, Some(Nanos::from_millis(3999)));
        assert_eq!(state.record(at_ms(4500), red), None);
        assert!(!state.is_recording());
        let late = folder.path().join("late");
        state.record_to(late.clone());
        state.record(at_ms(0), red);
        state.apply(Command::Record);
        assert!(!state.is_recording());
        assert_eq!(state.save_the_rest(), Ok(()));
        assert!(early.is_file() && late.is_file());
    }

    #[test]
    fn frames_are_30_ms_apart_and_keep_the_first_size() {
        let too_early = || panic!("no picture is due");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lab.gif");
        let mut state = state();
        state.record_to(path.clone());
        state.record(at_ms(1000), red);
        state.record(at_ms(1029), too_early);
        state.record(at_ms(1220), || image([0, 0, 255, 255], 4, 2));
        state.record(at_ms(1249), too_early);
        assert_eq!(state.save_the_rest(), Ok(()));
        let file = fs::File::open(path).unwrap();
        let mut decoder = DecodeOptions::new().read_info(file).unwrap();
        assert_eq!((decoder.width(), decoder.height()), (2, 1));
        let (mut count, mut hundredths) = (0, 0);
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            count += 1;
            hundredths += frame.delay;
        }
        assert_eq!((count, hundredths), (2, 26));
    }

    #[test]
    fn a_recording_that_cannot_be_saved_has_a_reason() {
        let nothing: fn() -> Image = || image([0; 4], 0, 7);
        for (path, read, reason) in [
            ("/nowhere/at/all.gif", red as _, "/nowhere/at/all.gif"),
            ("unused.gif", nothing, "no pixels"),
        ] {
            let mut state = state();
            state.record_to(path.into());
            state.record(monotonic(), read);
            let given = state.save_the_rest().unwrap_err();
            assert!(given.contains(reason), "{given}");
        }
    }

    fn still(frames: u64, view: View, entities: f64) -> State {
        let set = [(&ENTITIES, entities), (&CHURN, 20.0), (&COST_SPREAD, 0.7)];
        let settings = Settings {
            knobs: KnobValues::with(&set),
            seed: 7,
            ..Settings::default()
        };
        State::still(frames, settings, view, Log::default())
    }

    /// Returns a function that gives the text of an exported file by its name.
    fn exported(state: &mut State) -> impl Fn(&str) -> String + use<> {
        let files = state.export()();
        move |name: &str| {
            let file = files.iter().find(|file| file.name == name);
            let file = file.unwrap_or_else(|| panic!("no {name}"));
            String::from_utf8(file.bytes.clone()).expect("text")
        }
    }

    /// Returns the command lines without the comments.
    fn lines(settings: &str) -> Vec<&str> {
        let lines = settings.lines();
        lines.filter(|line| !line.starts_with('#')).collect()
    }

    /// Returns the indented comments, which list the user's changes.
    fn listed(settings: &str) -> Vec<&str> {
        let lines = settings.lines();
        lines.filter_map(|line| line.strip_prefix("#   ")).collect()
    }

    #[test]
    fn the_last_frames_are_exported_whatever_is_shown() {
        let mut state = still(5000, View::Grid, 5.0);
        state.apply(Command::SetKnob(&INTERVAL, 0.2));
        let file = exported(&mut state);
        let csv = file("frames.csv");
        let mut rows = csv.lines().skip(1);
        assert!(rows.next().is_some_and(|row| row.starts_with("904,")));
        assert_eq!(rows.count(), 4095);
        let text = file("settings.txt");
        for metric in ["4,096", "5,000 frames", "a simulated machine"] {
            assert!(text.contains(metric), "{text}");
        }
        let [change] = listed(&text)[..] else {
            panic!("{text}");
        };
        assert!(change.ends_with("5000: Interval 0.2 s"), "{change}");
        assert!(lines(&text)[0].contains("--interval-s 0.2"), "{text}");
        state.apply(Command::Grid(GridCommand::Walk(-20)));
        assert!(state.grid.past().is_some());
        let of_the_past = exported(&mut state);
        for name in ["frames.csv", "trace.json", "settings.txt"] {
            assert_eq!(of_the_past(name), file(name));
        }
    }

    #[test]
    fn commands_repeat_an_exported_comparison() {
        let mut state = still(200, View::Compare, 60.0);
        state.update(); // waits for the recommendation
        let file = exported(&mut state);
        let text = file("settings.txt");
        let [compare, sweep, window] = lines(&text)[..] else {
            panic!("{text}");
        };
        let Ok((settings, Invocation::Compare(options))) = parse(compare.split(' ')) else {
            panic!("{compare}");
        };
        let length = options.length.length();
        let report = |&strategy: &&'static StrategyEntry| {
            let mut lane = compared_lane(&settings, strategy);
            while lane.is_within(length) {
                lane.frame();
            }
            compared_report(&lane)
        };
        let reports: Vec<_> = options.strategies.iter().map(report).collect();
        let compared = Compared {
            settings: &settings,
            reports: &reports,
            recommendation: state.compare.best_setting.recommendation(),
            costs: None,
        };
        for (name, json) in [("compare.json", true), ("compare.txt", false)] {
            assert_eq!(file(name), compared.text(json));
        }

        let Ok((settings, Invocation::Sweep(options))) = parse(sweep.split(' ')) else {
            panic!("{sweep}");
        };
        let question = Question {
            steps: 0,
            ..options.question(&settings)
        };
        let answer = Mutex::new(Sweep::new(question));
        run_on_threads(&answer, 2, &AtomicBool::new(false), |_, _| {});
        let answer = answer.into_inner().unwrap().findings().recommendation;
        let shown = compared.recommendation.map(Recommendation::full_text);
        assert_eq!(answer.as_ref().map(Recommendation::full_text), shown);

        let Ok((settings, Invocation::Window(options))) = parse(window.split(' ')) else {
            panic!("{window}");
        };
        let limits = &state.compare.best_setting.limits;
        assert_eq!(options.limits(&settings), **limits);
    }

    #[test]
    fn each_view_exports_its_files_and_the_own_costs() {
        let mut state = still(30, View::Grid, 60.0);
        state.open_dropped(&[DroppedFile {
            name: "zombies.txt".to_owned(),
            bytes: b"12.5\n700\n0.001\n".to_vec(),
        }]);
        for (view, expected) in [
            (
                View::Grid,
                &["frames.csv", "trace.json", "settings.txt", "costs.txt"][..],
            ),
            (
                View::Compare,
                &["compare.json", "compare.txt", "settings.txt", "costs.txt"],
            ),
            (View::Loops, &["loops.json", "settings.txt"]),
        ] {
            state.apply(Command::View(view));
            let files = state.export()();
            let names: Vec<&str> = files.iter().map(|file| &*file.name).collect();
            assert_eq!(names, expected);
        }
    }
}
