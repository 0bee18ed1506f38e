/* The indicators of streams (C11 7.21.1p2): what input that stopped says of `feof` and `ferror`. They are followed in programs that ask
   for them; of one stream at a time. */
/* Events: 0, all may be cleared; 1, the end was met; 4, the end was met or an error occurred; 8 and 16, the program asks for the end or
   the error. An indicator that is set stays so until it is cleared (C11 7.21.7.1p3, 7.21.10). */
int __craig_indicators(const void *stream, int event)
{
  /* The bits of `sure`: 1, the end's is set; 2, the error's is; 4, one of both is. */
  static const void *known;
  static int sure;
  int is_set, bit;
  if (event == 0) { if (!stream || stream == known) known = (const void *)0; return 0; }
  if (event < 8) {
    if (!stream) return 0;
    sure = (stream == known ? sure : 0) | event;
    known = stream;
    return 0;
  }
  is_set = __craig_open("an indicator of a stream");
  if (!stream) return is_set;
  bit = event / 8;
  if (!known && is_set) { known = stream; sure = bit; }
  if (stream != known) return is_set;
  if (sure & bit) __builtin_assume(is_set);
  else if (is_set) sure |= bit;
  else if (sure & 4) sure |= 3 - bit;
  return is_set;
}
void __craig_input_ends(const void *stream) { if (__craig_asks_streams()) __craig_indicators(stream, 1); }
void __craig_input_stops(const void *stream) { if (__craig_asks_streams()) __craig_indicators(stream, 4); }
void __craig_streams_change(const void *stream) { __craig_indicators(stream, 0); }
void __craig_character_came(const void *stream, int c) { if (c == -1) __craig_indicators(stream, 4); }
int feof(void *stream) { __craig_use_stream(stream); return __craig_indicators(stream, 8); }
int ferror(void *stream) { __craig_use_stream(stream); return __craig_indicators(stream, 16); }
int feof_unlocked(void *stream) { return feof(stream); }
int ferror_unlocked(void *stream) { return ferror(stream); }
void clearerr(void *stream) { __craig_use_stream(stream); __craig_streams_change(stream); }
void clearerr_unlocked(void *stream) { clearerr(stream); }
