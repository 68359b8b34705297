//! How much the bar at the top writes, depending on its width.

/// Which of several things have their names written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// All of them.
    All,
    /// Only the chosen ones.
    Chosen,
    /// None of them.
    None,
}

/// How much the bar writes.
#[derive(Clone, Copy, Debug)]
pub struct Detail {
    /// The logo.
    pub logo: bool,
    /// The program's name, next to the logo.
    pub name: bool,
    /// Icons on all buttons, on those that work on time, or on none.
    pub icons: Named,
    /// A button that quits: the window has one of its own.
    pub quit: bool,
    /// Names of views.
    pub views: Named,
    /// Keys of views.
    pub view_keys: Named,
    /// Names of strategies.
    pub tabs: Named,
    /// Size of a strategy's name.
    pub points: f32,
    /// Margin at both ends of a strategy's tab.
    pub padding: f32,
    /// Margin at both ends of all other buttons.
    pub button_padding: f32,
}

/// Everything.
pub const FULL: Detail = Detail {
    logo: true,
    name: true,
    icons: Named::All,
    quit: true,
    views: Named::All,
    view_keys: Named::All,
    tabs: Named::All,
    points: 13.5,
    padding: 10.0,
    button_padding: 8.0,
};
/// Without what is said elsewhere, too.
const TERSE: Detail = Detail {
    name: false,
    icons: Named::Chosen,
    quit: false,
    padding: 6.0,
    ..FULL
};
/// Only the chosen strategy has its name.
const KEYS: Detail = Detail {
    quit: true,
    view_keys: Named::Chosen,
    tabs: Named::Chosen,
    ..TERSE
};

/// Keys only, but for the chosen strategy's name.
const NARROW: Detail = Detail {
    views: Named::None,
    icons: Named::None,
    padding: 3.0,
    button_padding: 5.0,
    logo: false,
    ..KEYS
};

/// From the most detail to the least: the bar takes the first that fits.
pub const DETAILS: [Detail; 12] = [
    FULL,
    Detail {
        quit: true,
        ..TERSE
    },
    TERSE,
    Detail {
        view_keys: Named::Chosen,
        ..TERSE
    },
    Detail {
        view_keys: Named::Chosen,
        points: 12.5,
        padding: 5.0,
        ..TERSE
    },
    Detail {
        view_keys: Named::Chosen,
        points: 12.0,
        padding: 3.5,
        ..TERSE
    },
    KEYS,
    Detail {
        views: Named::Chosen,
        ..KEYS
    },
    Detail {
        views: Named::Chosen,
        icons: Named::None,
        padding: 3.0,
        ..KEYS
    },
    NARROW,
    Detail {
        quit: false,
        ..NARROW
    },
    Detail {
        tabs: Named::None,
        ..NARROW
    },
];
