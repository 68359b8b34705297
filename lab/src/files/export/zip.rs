//! Creates ZIP archives, which are needed because a browser cannot download a folder.

use super::NamedFile;

/// Returns an uncompressed ZIP archive that contains these files in a folder.
///
/// The format is the minimum that PKWARE's APPNOTE.TXT requires. Names are UTF-8, and every file is dated 1 January
/// 1980. An archive can hold up to 65,535 files and 4 GiB.
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
        // No extra field, no comment, first disk, no attributes.
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
    archive.extend([0; 2]); // no comment
    archive
}

/// Version 2.0 of the ZIP format, the first version with folders.
const VERSION: u16 = 20;
const UTF_8_NAMES: u16 = 1 << 11;
const JANUARY_1_1980: u16 = (1 << 5) | 1;

/// Returns the fields that a file's header has in common with the file's entry in the archive's directory.
fn common_header(name: &str, bytes: &[u8]) -> Vec<u8> {
    let length = (bytes.len() as u32).to_le_bytes();
    let stored = 0_u16; // not compressed
    let time = 0_u16;
    let mut header = Vec::new();
    for field in [VERSION, UTF_8_NAMES, stored, time, JANUARY_1_1980] {
        header.extend(field.to_le_bytes());
    }
    header.extend(crc32fast::hash(bytes).to_le_bytes());
    header.extend(length);
    header.extend(length);
    header.extend((name.len() as u16).to_le_bytes());
    header.extend([0; 2]); // no extra field
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_lists_every_file() {
        let files = [
            // The standard gives the CRC-32 of this text.
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
