//! What the page's script (`web/lab.js`) offers to the program: the one place where the program calls out of itself.
//! Texts and bytes are handed over as the place where they lie in the program's memory, and are copied there and then.

#![allow(unsafe_code)]

/// Of the script that fits this program; `web/lab.js` says the same, or the page tells that it is out of date.
const VERSION: u32 = 2;

// SAFETY: the script declares each of these, with these parameters; it takes no other than numbers, and reads memory
// only where a pointer and a length tell it to, before it returns.
#[link(wasm_import_module = "env")]
unsafe extern "C" {
    safe fn lab_now() -> f64;
    safe fn lab_hold(millis: f64);
    safe fn lab_webgl() -> u32;
    safe fn lab_scale() -> f64;
    safe fn lab_query_length() -> usize;
    fn lab_query(to: *mut u8, length: usize);
    fn lab_log(text: *const u8, length: usize);
    fn lab_fail(text: *const u8, length: usize);
    fn lab_say(text: *const u8, length: usize);
    fn lab_title(text: *const u8, length: usize);
    fn lab_copy_link(query: *const u8, length: usize);
    fn lab_save(name: *const u8, length: usize, bytes: *const u8, count: usize);
    fn lab_recalls(key: *const u8, length: usize) -> bool;
    fn lab_remember(key: *const u8, length: usize);
}

// SAFETY: no other function of this program, nor of the libraries it is made of, has this name.
#[unsafe(no_mangle)]
extern "C" fn timeslice_lab_crate_version() -> u32 {
    VERSION
}

/// Milliseconds since the page was opened, by the browser's monotonic clock.
pub fn now_ms() -> f64 {
    lab_now()
}

/// The next frame is not to begin before so much time has passed.
pub fn hold(millis: f64) {
    lab_hold(millis);
}

/// Which WebGL the canvas has: 1 or 2.
pub fn webgl() -> u32 {
    lab_webgl()
}

/// How many pixels make a point of the page as it is now.
pub fn scale() -> f64 {
    lab_scale()
}

/// The part of the page's address behind the question mark.
pub fn query() -> String {
    let mut bytes = vec![0; lab_query_length()];
    // SAFETY: the bytes are ours to write, as many as are told, until the call returns.
    unsafe { lab_query(bytes.as_mut_ptr(), bytes.len()) };
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Hands a text to one of the functions above.
macro_rules! tell {
    ($(#[$doc:meta])* $name:ident, $import:ident) => {
        $(#[$doc])*
        pub fn $name(text: &str) {
            // SAFETY: the text is valid for reads of its length until the call returns.
            unsafe { $import(text.as_ptr(), text.len()) };
        }
    };
}

tell! {
    /// Writes a line to the browser's console.
    log, lab_log
}
tell! {
    /// Tells that the program is at its end, and why.
    fail, lab_fail
}
tell! {
    /// Shows a message over the page until it is closed.
    say, lab_say
}
tell! {
    /// Gives the page a title.
    title, lab_title
}
tell! {
    /// Copies the page's address with this behind its question mark.
    copy_link, lab_copy_link
}
tell! {
    /// Remembers this from one visit to the next.
    remember, lab_remember
}

/// Saves a file of this name.
pub fn save(name: &str, bytes: &[u8]) {
    // SAFETY: both are valid for reads of their length until the call returns.
    unsafe { lab_save(name.as_ptr(), name.len(), bytes.as_ptr(), bytes.len()) };
}

/// Whether this was remembered.
pub fn recalls(key: &str) -> bool {
    // SAFETY: the text is valid for reads of its length until the call returns.
    unsafe { lab_recalls(key.as_ptr(), key.len()) }
}
