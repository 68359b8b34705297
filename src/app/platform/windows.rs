//! Calls the Windows API where the window library falls short: for files dropped onto the window, and for the console.

#![allow(unsafe_code)]

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::os::windows::ffi::OsStringExt;
use std::path::PathBuf;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicIsize, Ordering};
use std::sync::{Mutex, PoisonError};
use windows_sys::Win32::Foundation::{HWND, LPARAM, LRESULT, WPARAM};
use windows_sys::Win32::System::Console::{
    FreeConsole, GetConsoleProcessList, GetStdHandle, STD_ERROR_HANDLE, STD_INPUT_HANDLE,
    STD_OUTPUT_HANDLE, SetStdHandle,
};
use windows_sys::Win32::System::Threading::GetCurrentThreadId;
use windows_sys::Win32::UI::Shell::{DragFinish, DragQueryFileW, HDROP};
use windows_sys::Win32::UI::WindowsAndMessaging::{
    CallWindowProcW, FindWindowExW, GWLP_WNDPROC, GetWindowThreadProcessId, MB_ICONERROR,
    MessageBoxW, SetWindowLongPtrW, WM_DROPFILES, WNDPROC,
};
use windows_sys::w;

/// The paths of dropped files that [`take_dropped`] has not returned yet.
static DROPPED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The address of the window library's own window procedure.
static LIBRARY_PROCEDURE: AtomicIsize = AtomicIsize::new(0);

/// Makes [`take_dropped`] receive the files that are dropped onto the program's window, which must already be open.
///
/// Without this, the window library receives the files, and ends the program if one of them is a folder.
pub fn receive_dropped() {
    let procedure = window_procedure as unsafe extern "system" fn(_, _, _, _) -> _;
    if let Some(window) = own_window() {
        // SAFETY: the window belongs to this thread, which handles no messages before the store.
        let library = unsafe { SetWindowLongPtrW(window, GWLP_WNDPROC, procedure as usize as _) };
        LIBRARY_PROCEDURE.store(library, Ordering::Relaxed);
    }
}

/// Returns the paths of the files and folders that have been dropped since the last call.
pub fn take_dropped() -> Vec<PathBuf> {
    let mut dropped = DROPPED.lock().unwrap_or_else(PoisonError::into_inner);
    std::mem::take(&mut *dropped)
}

/// Finds the window that the window library has opened in this thread.
fn own_window() -> Option<HWND> {
    let mut window = null_mut();
    loop {
        // SAFETY: the class name ends with a zero, and all other arguments may be null.
        window = unsafe { FindWindowExW(null_mut(), window, w!("MINIQUADAPP"), null()) };
        if window.is_null() {
            return None;
        }
        // SAFETY: the process number is not asked for, and a window that is gone has no thread.
        let thread = unsafe { GetWindowThreadProcessId(window, null_mut()) };
        // SAFETY: this function has no preconditions.
        if thread == unsafe { GetCurrentThreadId() } {
            return Some(window);
        }
    }
}

/// Handles dropped files, and passes all other messages to the window library.
unsafe extern "system" fn window_procedure(
    window: HWND,
    message: u32,
    wparam: WPARAM,
    lparam: LPARAM,
) -> LRESULT {
    if message == WM_DROPFILES {
        let paths = dropped_paths(wparam as HDROP);
        let mut dropped = DROPPED.lock().unwrap_or_else(PoisonError::into_inner);
        dropped.extend(paths);
        return 0;
    }
    let library = LIBRARY_PROCEDURE.load(Ordering::Relaxed);
    // SAFETY: Windows has returned this address as the previous window procedure, and passes on its own arguments.
    unsafe {
        let library = std::mem::transmute::<isize, WNDPROC>(library);
        CallWindowProcW(library, window, message, wparam, lparam)
    }
}

/// Returns the paths in a message about dropped files, and frees the memory of the message.
fn dropped_paths(files: HDROP) -> Vec<PathBuf> {
    // SAFETY: the handle comes from the message. Without a buffer, the function returns the number of files, or the
    // number of characters of a path.
    let count = unsafe { DragQueryFileW(files, u32::MAX, null_mut(), 0) };
    let path = |index| {
        // SAFETY: as above.
        let length = unsafe { DragQueryFileW(files, index, null_mut(), 0) };
        let mut text = vec![0; length as usize + 1];
        // SAFETY: the buffer has room for the path and the zero at its end.
        let length = unsafe { DragQueryFileW(files, index, text.as_mut_ptr(), length + 1) };
        PathBuf::from(OsString::from_wide(&text[..length as usize]))
    };
    let paths = (0..count).map(path).collect();
    // SAFETY: the handle is not used again.
    unsafe { DragFinish(files) };
    paths
}

/// Closes the console if Windows opened it only for this program. Returns true if the program was started from the
/// desktop, so that its output is not visible.
pub fn close_own_console() -> bool {
    // SAFETY: this function has no preconditions.
    if unsafe { GetStdHandle(STD_ERROR_HANDLE) }.is_null() {
        return true;
    }
    let mut processes = [0; 2];
    // SAFETY: the function writes at most as many numbers as the array has room for.
    let has_own_console = unsafe { GetConsoleProcessList(processes.as_mut_ptr(), 2) } == 1;
    if !has_own_console || !io::stderr().is_terminal() {
        return false;
    }
    // SAFETY: a program may close its console and its handles, and printing without them does nothing.
    unsafe {
        FreeConsole();
        for handle in [STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE] {
            SetStdHandle(handle, null_mut());
        }
    }
    true
}

/// Shows a message in a dialog, and returns when the user has closed it.
pub fn show_error(message: &str) {
    let text: Vec<u16> = message.encode_utf16().chain([0]).collect();
    // SAFETY: both texts end with a zero, and the dialog needs no window.
    unsafe { MessageBoxW(null_mut(), text.as_ptr(), w!("Timeslice Lab"), MB_ICONERROR) };
}
