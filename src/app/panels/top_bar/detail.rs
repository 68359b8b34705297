//! Level of detail of the top bar, depending on its width.

/// The items of a group that show their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// All of them.
    All,
    /// Only the chosen item.
    Chosen,
    /// No item.
    None,
}

/// The logo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logo {
    /// The sign with the program's name.
    Named,
    /// Only the sign.
    Sign,
    /// Nothing.
    None,
}

/// A level of detail.
#[derive(Clone, Copy, Debug)]
pub struct Detail {
    /// Logo at the left end.
    pub logo: Logo,
    /// Buttons that show icons. `Chosen` means the buttons that pause and advance time.
    pub icons: Named,
    /// Shows a button to quit, although the window's frame has one.
    pub quit: bool,
    /// Views that show their names.
    pub views: Named,
    /// Views that show their keys. A view without its name always shows its key.
    pub view_keys: Named,
    /// Strategies that show their names.
    pub tabs: Named,
    /// Shows the buttons for the previous and the next strategy.
    pub neighbours: bool,
    /// Size of the strategies' names, in points.
    pub points: f32,
    /// Margin at both ends of a strategy's tab.
    pub padding: f32,
    /// Margin at both ends of all other buttons.
    pub button_padding: f32,
}

/// Everything.
pub const FULL: Detail = Detail {
    logo: Logo::Named,
    icons: Named::All,
    quit: true,
    views: Named::All,
    view_keys: Named::All,
    tabs: Named::All,
    neighbours: true,
    points: 13.5,
    padding: 10.0,
    button_padding: 8.0,
};
/// Leaves out the program's name, the button to quit and most icons.
const TERSE: Detail = Detail {
    logo: Logo::Sign,
    icons: Named::Chosen,
    quit: false,
    padding: 6.0,
    ..FULL
};
/// Of the strategies, only the chosen one shows its name.
const KEYS: Detail = Detail {
    quit: true,
    view_keys: Named::Chosen,
    tabs: Named::Chosen,
    ..TERSE
};

/// Only keys, and the name of the chosen strategy.
const NARROW: Detail = Detail {
    views: Named::None,
    icons: Named::None,
    padding: 3.0,
    button_padding: 5.0,
    logo: Logo::None,
    ..KEYS
};

/// Narrow margins, and no button to quit.
const TINY: Detail = Detail {
    quit: false,
    button_padding: 2.0,
    ..NARROW
};

/// Levels of the tabs in a row of their own, from the most detail to the least.
pub const TABS: [Detail; 5] = [
    Detail {
        points: 12.5,
        padding: 5.0,
        ..FULL
    },
    KEYS,
    Detail {
        points: 12.5,
        padding: 3.0,
        ..KEYS
    },
    Detail {
        points: 12.5,
        padding: 3.0,
        neighbours: false,
        ..KEYS
    },
    Detail {
        padding: 3.0,
        tabs: Named::None,
        neighbours: false,
        ..KEYS
    },
];

/// All levels, from the most detail to the least. The bar takes the first that fits.
pub const DETAILS: [Detail; 14] = [
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
    TINY,
    Detail {
        neighbours: false,
        ..TINY
    },
    Detail {
        neighbours: false,
        tabs: Named::None,
        ..TINY
    },
];
