//! The smallest files of each format that import symbols.

/// Bytes with little-endian numbers.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn u16(&mut self, value: u16) -> &mut Bytes {
        self.0.extend(value.to_le_bytes());
        self
    }

    fn u32s(&mut self, values: &[u32]) -> &mut Bytes {
        values.iter().for_each(|value| self.0.extend(value.to_le_bytes()));
        self
    }

    fn u64(&mut self, value: u64) -> &mut Bytes {
        self.0.extend(value.to_le_bytes());
        self
    }

    fn text(&mut self, text: &str) -> &mut Bytes {
        self.0.extend(text.as_bytes());
        self.0.push(0);
        self
    }

    fn fill(&mut self, to: usize) -> &mut Bytes {
        self.0.resize(to.max(self.0.len()), 0);
        self
    }
}

/// A Mach-O library for arm64 that takes the symbols from one library.
pub(super) fn macho(library: &str, symbols: &[&str]) -> Vec<u8> {
    let dylib_size = (24 + library.len() + 1).next_multiple_of(8);
    let start = 32 + dylib_size + 24;
    let mut names = Bytes(vec![0]);
    let mut table = Bytes::default();
    for symbol in symbols {
        // External and undefined, from the first library.
        table.u32s(&[names.0.len() as u32]).u16(0x01).u16(0x0100).u64(0);
        names.text(symbol);
    }
    let mut file = Bytes::default();
    // A dynamic library with two-level names.
    file.u32s(&[0xfeed_facf, 0x0100_000c, 0, 6, 2, (dylib_size + 24) as u32, 0x80, 0]);
    file.u32s(&[0xc, dylib_size as u32, 24, 0, 0, 0]).text(library).fill(32 + dylib_size);
    let strings = start + table.0.len();
    file.u32s(&[2, 24, start as u32, symbols.len() as u32, strings as u32, names.0.len() as u32]);
    file.0.extend(table.0);
    file.0.extend(names.0);
    file.0
}

/// A universal file with one architecture.
pub(super) fn universal(file: &[u8]) -> Vec<u8> {
    let mut fat = Vec::new();
    for value in [0xcafe_babe_u32, 1, 0x0100_000c, 0, 64, file.len() as u32, 6] {
        fat.extend(value.to_be_bytes());
    }
    fat.resize(64, 0);
    fat.extend(file);
    fat
}

/// A PE library for x86-64 that takes the symbols from one library.
pub(super) fn pe(library: &str, symbols: &[&str]) -> Vec<u8> {
    /// Where the only section is, in the file and in memory.
    const SECTION: usize = 0x200;
    const ADDRESS: u32 = 0x1000;
    // The import directory with its end, then the two equal tables of names, then texts.
    let tables = 40;
    let table_size = (symbols.len() + 1) * 8;
    let texts_at = tables + 2 * table_size;
    let mut texts = Bytes::default();
    let mut lookups = Bytes::default();
    for symbol in symbols {
        lookups.u64(u64::from(ADDRESS) + (texts_at + texts.0.len()) as u64);
        texts.u16(0).text(symbol);
    }
    lookups.u64(0);
    let library_at = ADDRESS + (texts_at + texts.0.len()) as u32;
    texts.text(library);
    let mut section = Bytes::default();
    section.u32s(&[ADDRESS + tables as u32, 0, 0, library_at, ADDRESS + (tables + table_size) as u32]);
    section.fill(tables);
    section.0.extend([lookups.0.clone(), lookups.0, texts.0].concat());
    section.fill(0x200);

    let mut file = Bytes(b"MZ".to_vec());
    file.fill(60).u32s(&[64]);
    file.0.extend(b"PE\0\0");
    // COFF: one section, a header of 240 bytes, a library.
    file.u16(0x8664).u16(1).u32s(&[0, 0, 0]).u16(240).u16(0x2022);
    let optional = file.0.len();
    file.u16(0x20b).fill(optional + 24).u64(0x1_8000_0000).u32s(&[0x1000, 0x200]);
    file.fill(optional + 56).u32s(&[0x2000, 0x200]);
    file.fill(optional + 108).u32s(&[16, 0, 0, ADDRESS, tables as u32]).fill(optional + 240);
    file.0.extend(b".idata\0\0");
    file.u32s(&[section.0.len() as u32, ADDRESS, section.0.len() as u32, SECTION as u32, 0, 0, 0, 0x4000_0040]);
    file.fill(SECTION);
    file.0.extend(section.0);
    file.0
}
