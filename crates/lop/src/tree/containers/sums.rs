//! Check sums.

/// The CRC-32 of PNG, ZIP and gzip.
pub(super) fn crc32<'p>(pieces: impl Iterator<Item = &'p [u8]>) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut index = 0;
        while index < 256 {
            let (mut sum, mut bit) = (index as u32, 0);
            while bit < 8 {
                sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
                bit += 1;
            }
            table[index] = sum;
            index += 1;
        }
        table
    };
    let step = |sum: u32, byte: &u8| TABLE[(sum as u8 ^ byte) as usize] ^ sum >> 8;
    !pieces.fold(!0, |sum, piece| piece.iter().fold(sum, step))
}

/// The sum of zlib streams.
pub(super) fn adler32<'p>(pieces: impl Iterator<Item = &'p [u8]>) -> u32 {
    // The most bytes after which neither sum overflows.
    const MOST: usize = 5552;
    let (mut low, mut high) = (1, 0);
    for part in pieces.flat_map(|piece| piece.chunks(MOST)) {
        for byte in part {
            low += u32::from(*byte);
            high += low;
        }
        (low, high) = (low % 65521, high % 65521);
    }
    high << 16 | low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_standards() {
        let pieces = || [&b"1234"[..], b"56789"].into_iter();
        assert_eq!(crc32(pieces()), 0xcbf4_3926);
        assert_eq!(adler32(pieces()), 0x091e_01de);
    }
}
