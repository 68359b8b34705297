//! The functions that the page's script, `web/lab.js`, offers to the program. Strings and byte slices are passed as
//! addresses in the program's memory, and the script copies them during the call.

#![allow(unsafe_code)]

/// The version of `web/lab.js` that this program needs. With another version, the page asks the user to reload it.
const VERSION: u32 = 8;

// SAFETY: the script declares each of these functions with these parameters. All parameters are numbers. Each function
// accesses memory only within the given addresses and lengths, and only before it returns.
#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// Returns the number of milliseconds since the page was opened, on the browser's monotonic clock.
    pub safe fn lab_now() -> f64;
    /// Delays the next frame by this many milliseconds.
    pub safe fn lab_hold(millis: f64);
    /// Returns the WebGL version of the canvas, which is 1 or 2.
    pub safe fn lab_webgl() -> u32;
    /// Returns the number of pixels per point at the page's current zoom.
    pub safe fn lab_scale() -> f64;
    safe fn lab_query_length() -> usize;
    fn lab_query(to: *mut u8, length: usize);
    fn lab_log(text: *const u8, length: usize);
    fn lab_fail(text: *const u8, length: usize);
    fn lab_say(text: *const u8, length: usize);
    fn lab_copy(text: *const u8, length: usize);
    fn lab_save(name: *const u8, length: usize, bytes: *const u8, count: usize);
}

// SAFETY: no other function of this program or its libraries has this name.
#[unsafe(no_mangle)]
extern "C" fn timeslice_lab_crate_version() -> u32 {
    VERSION
}

/// Returns the query of the page's address, without the question mark.
pub fn query() -> String {
    let mut bytes = vec![0; lab_query_length()];
    // SAFETY: `bytes` is valid for writes of its length until the call returns.
    unsafe { lab_query(bytes.as_mut_ptr(), bytes.len()) };
    String::from_utf8_lossy(&bytes).into_owned()
}

fn pass(text: &str, to: unsafe extern "C" fn(*const u8, usize)) {
    // SAFETY: the text is valid for reads of its length until the call returns.
    unsafe { to(text.as_ptr(), text.len()) };
}

pub fn log(text: &str) {
    pass(text, lab_log);
}

/// Tells the user that the program has ended, and why.
pub fn fail(reason: &str) {
    pass(reason, lab_fail);
}

/// Shows a message on top of the page until the user closes it.
pub fn show_message(message: &str) {
    pass(message, lab_say);
}

/// Copies code or a link to the clipboard. If `text` begins with a question mark, the page's script puts its address
/// before this query. A second line of `text` is shown to the user instead of copied.
pub fn copy(text: &str) {
    pass(text, lab_copy);
}

pub fn save(name: &str, bytes: &[u8]) {
    // SAFETY: both slices are valid for reads of their length until the call returns.
    unsafe { lab_save(name.as_ptr(), name.len(), bytes.as_ptr(), bytes.len()) };
}
