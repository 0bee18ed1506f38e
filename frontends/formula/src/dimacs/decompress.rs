//! Decompression on the fly.

use std::io::{self, BufRead, BufReader, Read};

#[cfg(feature = "compressed")]
use flate2::bufread::MultiGzDecoder;
#[cfg(feature = "compressed")]
use liblzma::{bufread::XzDecoder, stream};

/// The memory limit for an xz file. The largest preset of the xz tool needs 65 MiB.
#[cfg(feature = "compressed")]
const XZ_MEMORY_BYTES: u64 = 512 << 20;

/// The decompressed bytes of `input`, which may be plain, gzip or xz. The first bytes determine the format,
/// not the file's name, so that pipes work, too.
///
/// # Errors
/// If `input` can't be read, or is compressed and the crate was built without its feature `compressed`.
pub fn decompress<'a>(input: impl Read + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let start = input.fill_buf()?;
    if start.starts_with(&[0x1f, 0x8b]) {
        gunzipped(input)
    } else if start.starts_with(b"\xfd7zXZ") {
        unxzed(input)
    } else {
        Ok(Box::new(input))
    }
}

#[cfg(feature = "compressed")]
fn gunzipped<'a>(input: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    Ok(Box::new(BufReader::new(MultiGzDecoder::new(input))))
}

#[cfg(feature = "compressed")]
fn unxzed<'a>(input: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    let stream = stream::Stream::new_stream_decoder(XZ_MEMORY_BYTES, stream::CONCATENATED)?;
    let decoder = XzDecoder::new_stream(input, stream);
    Ok(Box::new(BufReader::new(decoder)))
}

#[cfg(not(feature = "compressed"))]
fn gunzipped<'a>(_: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    Err(refused("gzip"))
}

#[cfg(not(feature = "compressed"))]
fn unxzed<'a>(_: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    Err(refused("xz"))
}

#[cfg(not(feature = "compressed"))]
fn refused(format: &str) -> io::Error {
    let message =
        format!("compressed by {format}, which this build does not read: expected plain text");
    io::Error::new(io::ErrorKind::Unsupported, message)
}
