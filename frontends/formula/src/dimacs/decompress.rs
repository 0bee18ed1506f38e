//! Decompression on the fly.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use liblzma::bufread::XzDecoder;
use liblzma::stream::Stream;

/// The memory limit for an xz file. The largest preset of the xz tool needs 65 MiB.
const XZ_MEMORY_BYTES: u64 = 512 << 20;

/// The decompressed bytes of `input`, which may be plain, gzip or xz. The first bytes determine the format,
/// not the file's name, so that pipes work, too.
///
/// # Errors
/// If `input` can't be read.
pub fn decompress<'a>(input: impl Read + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let start = input.fill_buf()?;
    if start.starts_with(&[0x1f, 0x8b]) {
        Ok(Box::new(BufReader::new(MultiGzDecoder::new(input))))
    } else if start.starts_with(b"\xfd7zXZ") {
        let stream = Stream::new_stream_decoder(XZ_MEMORY_BYTES, liblzma::stream::CONCATENATED)?;
        Ok(Box::new(BufReader::new(XzDecoder::new_stream(
            input, stream,
        ))))
    } else {
        Ok(Box::new(input))
    }
}
