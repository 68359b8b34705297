//! Level of detail of the top bar, depending on its width.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    All,
    Chosen,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logo {
    Named,
    Sign,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    WordsAndKeys,
    Words,
    /// Keys; the buttons that pause and advance time also show icons.
    Icons,
    Keys,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    Essential,
    Panel,
    Usual,
    Saving,
    Optional,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detail {
    pub logo: Logo,
    pub views: Named,
    /// Views that show their keys. A view without its name always shows its key.
    pub view_keys: Named,
    pub face: Face,
    pub rank: Rank,
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
