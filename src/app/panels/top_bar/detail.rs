//! Level of detail of the top bar, depending on its width.

/// The items of a group that show their names or keys.
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

/// What the buttons show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Words and keys.
    WordsAndKeys,
    /// Words.
    Words,
    /// Keys; the buttons that pause and advance time also show icons.
    Icons,
    /// Keys.
    Keys,
}

/// Importance of a button. A narrow bar omits the least important ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// Shown in any bar.
    Essential,
    /// Shows or hides panels.
    Panel,
    /// Controls time, or copies a link.
    Usual,
    /// Saves something.
    Saving,
    /// Repeats what the window's frame has.
    Optional,
}

/// A level of detail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detail {
    /// Logo at the left end.
    pub logo: Logo,
    /// Views that show their names.
    pub views: Named,
    /// Views that show their keys. A view without its name always shows its key.
    pub view_keys: Named,
    /// What the buttons show.
    pub face: Face,
    /// Rank of the least important buttons shown.
    pub rank: Rank,
    /// Margin at both ends of all buttons.
    pub padding: f32,
}

/// Everything.
const FULL: Detail = Detail {
    logo: Logo::Named,
    views: Named::All,
    view_keys: Named::All,
    face: Face::WordsAndKeys,
    rank: Rank::Optional,
    padding: 9.0,
};
/// No keys on buttons.
const WORDS: Detail = Detail {
    face: Face::Words,
    rank: Rank::Saving,
    ..FULL
};
/// No words on buttons.
const ICONS: Detail = Detail {
    logo: Logo::Sign,
    view_keys: Named::Chosen,
    face: Face::Icons,
    rank: Rank::Usual,
    padding: 8.0,
    ..FULL
};
/// Only keys, and the name of the chosen view.
const KEYS: Detail = Detail {
    logo: Logo::None,
    views: Named::Chosen,
    face: Face::Keys,
    padding: 5.0,
    ..ICONS
};
/// Only keys, and narrow margins.
const TINY: Detail = Detail {
    views: Named::None,
    padding: 2.0,
    ..KEYS
};

/// All levels, from the most detail to the least. The bar takes the first that fits.
pub const DETAILS: [Detail; 14] = [
    FULL,
    Detail {
        rank: Rank::Saving,
        ..FULL
    },
    WORDS,
    Detail {
        logo: Logo::Sign,
        ..WORDS
    },
    Detail {
        logo: Logo::Sign,
        view_keys: Named::Chosen,
        ..WORDS
    },
    Detail {
        rank: Rank::Usual,
        face: Face::Words,
        ..ICONS
    },
    Detail {
        rank: Rank::Saving,
        ..ICONS
    },
    ICONS,
    Detail {
        views: Named::Chosen,
        ..ICONS
    },
    KEYS,
    Detail {
        views: Named::None,
        ..KEYS
    },
    TINY,
    Detail {
        rank: Rank::Panel,
        ..TINY
    },
    Detail {
        rank: Rank::Essential,
        ..TINY
    },
];
