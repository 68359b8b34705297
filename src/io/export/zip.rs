//! Several files in one: for a browser, which downloads one file and no folder.

use super::NamedFile;

/// The files of a folder of that name in a ZIP archive, as they are: a browser's own compression, or none, does.
///
/// The format is PKWARE's APPNOTE.TXT, of which this is the least: no compression, no time (the first of 1980 stands
/// for none), names in UTF-8. It holds up to 65,535 files and 4 GiB.
#[must_use]
pub fn zip_archive(folder: &str, files: &[NamedFile]) -> Vec<u8> {
    let mut archive = Vec::new();
    let mut directory = Vec::new();
    for file in files {
        let name = format!("{folder}/{}", file.name);
        let at = archive.len() as u32;
        let common = common_header(&name, &file.bytes);
        archive.extend(b"PK\x03\x04");
        archive.extend(&common);
        archive.extend(name.as_bytes());
        archive.extend(&file.bytes);

        directory.extend(b"PK\x01\x02");
        directory.extend(VERSION.to_le_bytes());
        directory.extend(&common);
        // No remark; on the first disk; no attributes.
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (count, at) = (files.len() as u16, archive.len() as u32);
    archive.extend(&directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend([count.to_le_bytes(); 2].concat());
    archive.extend((directory.len() as u32).to_le_bytes());
    archive.extend(at.to_le_bytes());
    archive.extend([0; 2]); // no remark
    archive
}

/// Of the format: 2.0, which has folders.
const VERSION: u16 = 20;
/// Names are in UTF-8.
const FLAGS: u16 = 1 << 11;
/// The first of January 1980.
const DATE: u16 = (1 << 5) | 1;

/// What a file's own header and its entry in the directory have in common.
fn common_header(name: &str, bytes: &[u8]) -> Vec<u8> {
    let length = (bytes.len() as u32).to_le_bytes();
    let stored = 0_u16; // not compressed
    let time = 0_u16;
    let mut header = Vec::new();
    for field in [VERSION, FLAGS, stored, time, DATE] {
        header.extend(field.to_le_bytes());
    }
    header.extend(crc32fast::hash(bytes).to_le_bytes());
    header.extend(length);
    header.extend(length);
    header.extend((name.len() as u16).to_le_bytes());
    header.extend([0; 2]); // nothing more is told
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_found_by_the_directory_at_the_end() {
        let files = [
            // Its checksum is the check value of the standard.
            NamedFile::new("check", "123456789"),
            NamedFile::new("empty", ""),
            NamedFile::new("picture.png", vec![1, 2, 3]),
        ];
        let zip = zip_archive("lab-7", &files);
        let word = |at: usize| u32::from_le_bytes(zip[at..at + 4].try_into().unwrap()) as usize;
        let half = |at: usize| usize::from(u16::from_le_bytes([zip[at], zip[at + 1]]));
        let end = zip.len() - 22;
        assert_eq!(&zip[end..end + 4], b"PK\x05\x06");
        assert_eq!((half(end + 8), half(end + 10)), (3, 3));
        let mut entry = word(end + 16);
        assert_eq!(entry + word(end + 12), end);
        assert_eq!(word(entry + 16), 0xCBF4_3926);
        for file in files {
            assert_eq!(&zip[entry..entry + 4], b"PK\x01\x02");
            let name_length = half(entry + 28);
            let name = format!("lab-7/{}", file.name);
            assert_eq!(&zip[entry + 46..entry + 46 + name_length], name.as_bytes());
            let at = word(entry + 42);
            assert_eq!(&zip[at..at + 4], b"PK\x03\x04");
            let start = at + 30 + half(at + 26);
            assert_eq!(zip[start..start + word(at + 22)], file.bytes);
            assert_eq!(word(at + 14), word(entry + 16), "the checksum");
            entry += 46 + name_length;
        }
        assert_eq!(entry, end);
    }
}
