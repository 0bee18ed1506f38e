/* Output (C11 7.21). The text goes nowhere, but it is read where memory accesses are checked. Each result is the one of an output
   that succeeds, or says that it failed; a path to an error that needs a failure is not one of this machine. */
void __craig_read_text(const char *s, SIZE most) { for (SIZE i = 0; i < most && s[i]; i++); }
void __craig_read_wide_text(const int *s, SIZE most) { for (SIZE i = 0; i < most && s[i]; i++); }
void __craig_read_bytes(const void *p, SIZE n)
{
  for (SIZE i = 0; i < n; i++) { char c = ((const char *)p)[i]; if (c) continue; }
}
/* A stream is an object (C11 7.21.1p2): a null pointer is an error where accesses are checked. */
void __craig_use_stream(const void *stream) { if (!stream && __craig_checks_memory()) __craig_read_bytes((const void *)0, 1); }
/* A number that is not negative; EOF only where the output fails. */
int __craig_put_result(void)
{
  int result = __craig_open("the result of an output function"), broken = __craig_output("output", 0);
  if (broken) return -1;
  __builtin_assume(result >= 0);
  return result;
}
int __craig_put_text(const char *s)
{
  if (__craig_checks_memory()) __craig_read_text(s, (SIZE)-1);
  return __craig_put_result();
}
int __craig_put_character(int c)
{
  int result = __craig_output("output", (int)(unsigned char)c);
  __builtin_assume(result == (int)(unsigned char)c || result == -1);
  return result;
}
int __craig_done_or_failed(void)
{
  int result = __craig_output("output", 0);
  __builtin_assume(result == 0 || result == -1);
  return result;
}
int puts(const char *s) { return __craig_put_text(s); }
int fputs(const char *s, void *stream) { __craig_use_stream(stream); return __craig_put_text(s); }
int puts_unlocked(const char *s) { return __craig_put_text(s); }
int fputs_unlocked(const char *s, void *stream) { __craig_use_stream(stream); return __craig_put_text(s); }
int __builtin_puts(const char *s) { return __craig_put_text(s); }
int __builtin_fputs(const char *s, void *stream) { __craig_use_stream(stream); return __craig_put_text(s); }
int fputws(const int *s, void *stream)
{
  __craig_use_stream(stream);
  if (__craig_checks_memory()) __craig_read_wide_text(s, (SIZE)-1);
  return __craig_put_result();
}
int putchar(int c) { return __craig_put_character(c); }
int putchar_unlocked(int c) { return __craig_put_character(c); }
int __builtin_putchar(int c) { return __craig_put_character(c); }
int putc(int c, void *stream) { __craig_use_stream(stream); return __craig_put_character(c); }
int putc_unlocked(int c, void *stream) { __craig_use_stream(stream); return __craig_put_character(c); }
int fputc(int c, void *stream) { __craig_use_stream(stream); return __craig_put_character(c); }
int fputc_unlocked(int c, void *stream) { __craig_use_stream(stream); return __craig_put_character(c); }
int __craig_put_wide(int c)
{
  int result = __craig_output("output", c);
  __builtin_assume(result == c || result == -1);
  return result;
}
int fputwc(int c, void *stream) { __craig_use_stream(stream); return __craig_put_wide(c); }
int putwc(int c, void *stream) { __craig_use_stream(stream); return __craig_put_wide(c); }
int putwchar(int c) { return __craig_put_wide(c); }
/* A stream with a buffer of the program's writes to it in calls to come, and reads it (C11 7.21.5.6p2: its contents are indeterminate). */
int __craig_use_buffer(const void *stream, const void *buffer)
{
  __craig_use_stream(stream);
  if (buffer) __craig_unsupported("a buffer of a stream");
  return __craig_done_or_failed();
}
void setbuf(void *stream, char *buffer) { __craig_use_buffer(stream, buffer); }
void setbuffer(void *stream, char *buffer, SIZE n) { __craig_use_buffer(stream, buffer); }
int setvbuf(void *stream, char *buffer, int mode, SIZE n) { return __craig_use_buffer(stream, buffer); }
int fflush(void *stream) { return __craig_done_or_failed(); }
int fclose(void *stream)
{
  __craig_use_stream(stream);
  if (__craig_asks_streams()) __craig_streams_change(stream);
  return __craig_done_or_failed();
}
int putwc_unlocked(int c, void *stream) { __craig_use_stream(stream); return __craig_put_wide(c); }
int fputwc_unlocked(int c, void *stream) { __craig_use_stream(stream); return __craig_put_wide(c); }
int putwchar_unlocked(int c) { return __craig_put_wide(c); }
int fputws_unlocked(const int *s, void *stream) { return fputws(s, stream); }
int putw(int c, void *stream) { __craig_use_stream(stream); return __craig_done_or_failed(); }
int fflush_unlocked(void *stream) { return __craig_done_or_failed(); }
void psignal(int number, const char *s) { if (s && __craig_checks_memory()) __craig_read_text(s, (SIZE)-1); }
void herror(const char *s) { if (s && __craig_checks_memory()) __craig_read_text(s, (SIZE)-1); }
void perror(const char *s) { if (s && __craig_checks_memory()) __craig_read_text(s, (SIZE)-1); }
SIZE fwrite(const void *p, SIZE size, SIZE n, void *stream)
{
  SIZE result;
  __craig_use_stream(stream);
  if (size == 0 || n == 0) return 0;
  if (__craig_checks_memory()) __craig_read_bytes(p, size * n);
  result = __craig_printed("output", n);
  __builtin_assume(result <= n);
  return result;
}
SIZE fwrite_unlocked(const void *p, SIZE size, SIZE n, void *stream) { return fwrite(p, size, n, stream); }
long write(int file, const void *p, SIZE n)
{
  SIZE result;
  if (__craig_checks_memory()) __craig_read_bytes(p, n);
  result = __craig_printed("output", n);
  __builtin_assume(result == (SIZE)-1 || result <= n);
  return (long)result;
}
/* End of file is not put back (C11 7.21.7.10p4). */
int ungetc(int c, void *stream)
{
  __craig_use_stream(stream);
  if (c == -1) return -1;
  __craig_unsupported("a character that is put back to the input");
}
/* Reads what a format of printf asks for, and stores lengths. With `to`, what has been written there must not overlap what
   the format reads (C11 7.21.6.6p2). */
void __craig_walk_format(const char *to, SIZE written, const char *f, __builtin_va_list arguments)
{
  __builtin_va_list first;
  __builtin_va_copy(first, arguments);
  if (to) __craig_check_overlap(to, written, f, strlen(f) + 1);
  for (; *f; f++) {
    int size = 4, precision = -1, number, is_numbered;
    if (*f != '%') continue;
    f = __craig_argument_number(f + 1, &number);
    is_numbered = number != 0;
    if (number) {
      __builtin_va_copy(arguments, first);
      for (; number > 1; number--) (void)__builtin_va_arg(arguments, long long);
    }
    for (; *f == '-' || *f == '0' || *f == '+' || *f == ' ' || *f == '#' || *f == '\''; f++);
    if (*f == '*') {
      f = __craig_argument_number(f + 1, &number);
      if (!number) (void)__builtin_va_arg(arguments, int);
    } else
      for (; *f >= '0' && *f <= '9'; f++);
    if (*f == '.') {
      precision = 0;
      f++;
      if (*f == '*') {
        f = __craig_argument_number(f + 1, &number);
        precision = number ? __craig_numbered_int(first, number) : __builtin_va_arg(arguments, int);
      } else
        for (; *f >= '0' && *f <= '9'; f++) precision = precision * 10 + (*f - '0');
    }
    if (*f == 'h') { size = 2; f++; if (*f == 'h') { size = 1; f++; } }
    else if (*f == 'l') { size = sizeof(long); f++; if (*f == 'l') { size = 8; f++; } }
    else if (*f == 'L') {
      if (is_numbered) __craig_unsupported("a numbered argument that is a `long double`");
      size = 16;
      f++;
    }
    else if (*f == 'j') { size = 8; f++; }
    else if (*f == 'z' || *f == 't') { size = sizeof(SIZE); f++; }
    switch (*f) {
      case '%': case 'm': break;
      case 's':
        if (to) {
          const char *s = __builtin_va_arg(arguments, const char *);
          __craig_check_overlap(to, written, s, precision < 0 ? strlen(s) + 1 : __craig_copied_length(s, (SIZE)precision));
        } else if (size == 4) __craig_read_text(__builtin_va_arg(arguments, const char *), precision < 0 ? (SIZE)-1 : (SIZE)precision);
        else __craig_read_wide_text(__builtin_va_arg(arguments, const int *), precision < 0 ? (SIZE)-1 : (SIZE)precision);
        break;
      case 'n': {
        if (to) { (void)__builtin_va_arg(arguments, void *); break; }
        int length = __craig_open("the length that `%n` stores");
        __builtin_assume(length >= 0);
        if (size == 8) *__builtin_va_arg(arguments, long long *) = length;
        else if (size == 2) *__builtin_va_arg(arguments, short *) = (short)length;
        else if (size == 1) *__builtin_va_arg(arguments, signed char *) = (signed char)length;
        else *__builtin_va_arg(arguments, int *) = length;
        break;
      }
      case 'c': case 'd': case 'i': case 'u': case 'x': case 'X': case 'o':
        if (size == 8) (void)__builtin_va_arg(arguments, long long);
        else (void)__builtin_va_arg(arguments, int);
        break;
      case 'p': (void)__builtin_va_arg(arguments, void *); break;
      case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
        if (size == 16) (void)__builtin_va_arg(arguments, long double);
        else (void)__builtin_va_arg(arguments, double);
        break;
      default:
        __craig_unsupported("an unknown conversion in a format");
    }
  }
}
void __craig_read_format(const char *f, __builtin_va_list arguments) { __craig_walk_format((const char *)0, 0, f, arguments); }
/* The number of characters that a format prints. */
int __craig_printed_length(const char *format, __builtin_va_list arguments) { return vsnprintf((char *)0, 0, format, arguments); }
