/* Formatted input (C11 7.21.6.2): from a text, exactly, and from files, whose text may be any. */
/* A conversion: its letter, how many bytes the target has, the width (0: none is given), whether the result is dropped, the number of
   its argument (0: the next one), and whether its text is allocated (both of POSIX). */
struct __craig_conversion { const char *next; int size; int width; int drops; int letter; int number; int allocates; } __craig_conversion_at(const char *f)
{
  struct __craig_conversion c;
  c.size = 4;
  c.width = 0;
  c.drops = 0;
  c.allocates = 0;
  f = __craig_argument_number(f, &c.number);
  if (*f == '*') { c.drops = 1; f++; }
  for (; *f >= '0' && *f <= '9'; f++) c.width = c.width * 10 + (*f - '0');
  if (*f == 'm') { c.allocates = 1; f++; }
  if (*f == 'h') { c.size = 2; f++; if (*f == 'h') { c.size = 1; f++; } }
  else if (*f == 'l') { c.size = sizeof(long); f++; if (*f == 'l') { c.size = 8; f++; } else if (*f != 'd' && *f != 'i' && *f != 'u' && *f != 'x' && *f != 'X' && *f != 'o' && *f != 'n') c.size = 8; }
  else if (*f == 'L') { c.size = 16; f++; }
  else if (*f == 'j') { c.size = 8; f++; }
  else if (*f == 'z' || *f == 't') { c.size = sizeof(SIZE); f++; }
  c.letter = *f;
  c.next = *f ? f + 1 : f;
  if (c.size != 4 && (c.letter == 's' || c.letter == 'c' || c.letter == '[')) __craig_unsupported("input of wide characters");
  if (c.allocates && c.letter != 's' && c.letter != 'c' && c.letter != '[') __craig_unsupported("an unknown conversion in a format of input");
  return c;
}
/* New memory for a text that is read. */
char *__craig_scanned_text(char **to, SIZE n)
{
  char *text = (char *)malloc(n);
  if (!text) __craig_unsupported("an allocation for input that fails");
  *to = text;
  return text;
}
/* The end of the set of `%[`, behind its bracket; the set starts at f. */
const char *__craig_set_end(const char *f)
{
  if (*f == '^') f++;
  if (*f == ']') f++;
  while (*f && *f != ']') f++;
  if (!*f) __craig_unsupported("a set in a format without its end");
  return f + 1;
}
/* Whether a character is in a set that ends before `end`; ranges as glibc has them. */
int __craig_in_set(const char *f, const char *end, char c)
{
  int negated = *f == '^', found = 0;
  if (negated) f++;
  for (const char *p = f; p < end - 1; p++) {
    if (p + 2 < end - 1 && p[1] == '-') {
      if ((unsigned char)c >= (unsigned char)p[0] && (unsigned char)c <= (unsigned char)p[2]) found = 1;
      p += 2;
    } else if (*p == c) found = 1;
  }
  return found != negated;
}
void __craig_store_scanned(void *to, int size, unsigned long long v)
{
  if (size == 8) *(unsigned long long *)to = v;
  else if (size == 2) *(unsigned short *)to = (unsigned short)v;
  else if (size == 1) *(unsigned char *)to = (unsigned char)v;
  else *(unsigned *)to = (unsigned)v;
}
/* The largest number of that many digits; 0 if there is no such bound in 64 bits. */
unsigned long long __craig_most_of_digits(unsigned base, int digits)
{
  unsigned long long most = 1;
  for (int i = 0; i < digits; i++) {
    if (most > 0x7fffffffffffffffull / base) return 0;
    most *= base;
  }
  return most - 1;
}
/* Any number that `width` characters spell: with a sign, one digit less. */
unsigned long long __craig_any_scanned(unsigned base, int width)
{
  unsigned long long v, most;
  int negative;
  if (width == 0) return v;
  most = __craig_most_of_digits(base, width);
  if (most == 0) return v;
  if (width > 1 && (negative & 1)) {
    __builtin_assume(v <= __craig_most_of_digits(base, width - 1));
    return 0 - v;
  }
  __builtin_assume(v <= most);
  return v;
}
/* Input that does not match, or ends: EOF only before the first conversion. */
int __craig_scan_stops(const void *stream, int n)
{
  if (n > 0) return n;
  if (!__craig_open("the input ends")) return 0;
  __craig_input_stops(stream);
  return -1;
}
int __craig_scan(const void *stream, const char *f, __builtin_va_list arguments)
{
  int n = 0;
  struct __craig_conversion c;
  __builtin_va_list first;
  __builtin_va_copy(first, arguments);
  while (*f) {
    if (__craig_exact_isspace((unsigned char)*f)) { f++; continue; }
    if (*f != '%' || f[1] == '%') {
      if (__craig_open("the input does not match")) return __craig_scan_stops(stream, n);
      f += *f == '%' ? 2 : 1;
      continue;
    }
    c = __craig_conversion_at(f + 1);
    f = c.next;
    const char *set = f;
    if (c.letter == '[') f = __craig_set_end(f);
    if (c.number) {
      __builtin_va_copy(arguments, first);
      for (; c.number > 1; c.number--) (void)__builtin_va_arg(arguments, void *);
    }
    if (c.letter == 'n') {
      int length = __craig_open("the number of characters read");
      __builtin_assume(length >= n);
      if (!c.drops) __craig_store_scanned(__builtin_va_arg(arguments, void *), c.size, (unsigned long long)length);
      continue;
    }
    if (__craig_open("the input does not match")) return __craig_scan_stops(stream, n);
    if (c.drops) continue;
    void *to = __builtin_va_arg(arguments, void *);
    switch (c.letter) {
      case 'd': case 'u': __craig_store_scanned(to, c.size, __craig_any_scanned(10, c.width)); break;
      case 'i': __craig_store_scanned(to, c.size, __craig_any_scanned(10, c.width)); break;
      case 'o': __craig_store_scanned(to, c.size, __craig_any_scanned(8, c.width)); break;
      case 'x': case 'X': __craig_store_scanned(to, c.size, __craig_any_scanned(16, c.width)); break;
      case 'p': { void *any; *(void **)to = any; break; }
      case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        if (c.size == 16) { long double any; *(long double *)to = any; }
        else if (c.size == 8) { double any; *(double *)to = any; }
        else { float any; *(float *)to = any; }
        break;
      case 'c':
        if (c.allocates) to = __craig_scanned_text((char **)to, c.width ? (SIZE)c.width : 1);
        for (int i = 0; i < (c.width ? c.width : 1); i++) { char any; ((char *)to)[i] = any; }
        break;
      case 's': case '[': {
        /* What would go beyond the object is not stored, so that the loop ends with it. */
        SIZE i = 0, most;
        if (c.allocates) {
          __builtin_assume(most > 0 && (c.width ? most <= (SIZE)c.width : most < (SIZE)-1 / 4));
          to = __craig_scanned_text((char **)to, most + 1);
        } else most = __craig_object_size(to);
        if (c.width && (SIZE)c.width < most) most = (SIZE)c.width;
        for (; i < most; i++) {
          char any;
          if (i > 0 && !c.allocates && __craig_open("the input's word ends")) break;
          __builtin_assume(any != 0);
          if (c.letter == 's') __builtin_assume(!__craig_exact_isspace((unsigned char)any));
          else __builtin_assume(__craig_in_set(set, f, any));
          ((char *)to)[i] = any;
        }
        ((char *)to)[i] = 0;
        break;
      }
      default:
        __craig_unsupported("an unknown conversion in a format of input");
    }
    n++;
  }
  return n;
}
/* A number in a text, of at most `width` characters. Returns its end, or null where there is none. */
const char *__craig_scan_number(const char *s, int base, int width, unsigned long long *value)
{
  int negative = 0, any = 0, left = width ? width : 2147483647;
  unsigned long long v = 0;
  if (*s == '-' || *s == '+') { negative = *s == '-'; s++; left--; }
  if ((base == 0 || base == 16) && left > 1 && *s == '0' && (s[1] == 'x' || s[1] == 'X')) {
    base = 16;
    if (left < 3 || !__craig_exact_isxdigit((unsigned char)s[2])) __craig_unsupported("input of a number that ends in `0x`");
    s += 2;
    left -= 2;
  }
  if (base == 0) base = *s == '0' ? 8 : 10;
  for (; left > 0; s++, left--) {
    unsigned d;
    if (*s >= '0' && *s <= '9') d = (unsigned)(*s - '0');
    else if (__craig_exact_isalpha((unsigned char)*s)) d = (unsigned)((*s | 32) - 'a' + 10);
    else break;
    if (d >= (unsigned)base) break;
    any = 1;
    if (v > (0xffffffffffffffffull - d) / (unsigned)base) __craig_unsupported("input of a number that is too large");
    v = v * (unsigned)base + d;
  }
  *value = negative ? 0 - v : v;
  return any ? s : (const char *)0;
}
int __craig_scan_text(const char *s, const char *f, __builtin_va_list arguments)
{
  const char *start = s;
  SIZE text = __craig_checks_overlap() ? strlen(s) + 1 : 0;
  /* Where the input ends and nothing was stored, the result is EOF, after conversions that are dropped, too, as glibc and musl have it. */
  int n = 0;
  struct __craig_conversion c;
  __builtin_va_list first;
  __builtin_va_copy(first, arguments);
  while (*f) {
    if (__craig_exact_isspace((unsigned char)*f)) {
      while (__craig_exact_isspace((unsigned char)*s)) s++;
      f++;
      continue;
    }
    if (*f != '%' || f[1] == '%') {
      if (*f == '%') while (__craig_exact_isspace((unsigned char)*s)) s++;
      if (*s != *f) return *s || n ? n : -1;
      s++;
      f += *f == '%' ? 2 : 1;
      continue;
    }
    c = __craig_conversion_at(f + 1);
    f = c.next;
    const char *set = f;
    if (c.letter == '[') f = __craig_set_end(f);
    if (c.number) {
      __builtin_va_copy(arguments, first);
      for (; c.number > 1; c.number--) (void)__builtin_va_arg(arguments, void *);
    }
    if (c.letter == 'n') {
      if (!c.drops) __craig_store_scanned(__builtin_va_arg(arguments, void *), c.size, (unsigned long long)(s - start));
      continue;
    }
    if (c.letter != 'c' && c.letter != '[') while (__craig_exact_isspace((unsigned char)*s)) s++;
    if (!*s) return n ? n : -1;
    void *to = (void *)0;
    if (!c.drops) to = __builtin_va_arg(arguments, void *);
    switch (c.letter) {
      case 'd': case 'u': case 'i': case 'o': case 'x': case 'X': {
        unsigned long long v = 0;
        const char *end = __craig_scan_number(s, c.letter == 'i' ? 0 : c.letter == 'o' ? 8 : c.letter == 'd' || c.letter == 'u' ? 10 : 16, c.width, &v);
        if (!end) return n;
        s = end;
        if (!c.drops) __craig_check_overlap(to, (SIZE)c.size, start, text);
        if (!c.drops) __craig_store_scanned(to, c.size, v);
        break;
      }
      case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': {
        char *end;
        if (c.width || c.size == 16 || !__craig_rounds_to_nearest()) __craig_unsupported("input of a float with a width, or of a `long double`");
        char begin = *s == '-' || *s == '+' ? s[1] : *s;
        if (begin == 'i' || begin == 'I' || begin == 'n' || begin == 'N') __craig_unsupported("input of a float that is no decimal number");
        double x = strtod(s, &end);
        if (end == s) return n;
        if (*end == 'e' || *end == 'E') __craig_unsupported("input of a float without its exponent");
        s = end;
        if (c.drops) break;
        if (c.size == 8) *(double *)to = x;
        else {
          /* The decimal number is rounded once: its double must be a float. */
          if ((double)(float)x != x) __craig_unsupported("input of a float that is no exact one");
          *(float *)to = (float)x;
        }
        break;
      }
      case 'c': {
        int i = 0;
        if (c.allocates && !c.drops) to = __craig_scanned_text((char **)to, c.width ? (SIZE)c.width : 1);
        for (; i < (c.width ? c.width : 1) && *s; i++, s++) if (!c.drops) ((char *)to)[i] = *s;
        if (!c.drops) __craig_check_overlap(to, (SIZE)i, start, text);
        if (i < (c.width ? c.width : 1)) __craig_unsupported("input of characters that ends before the width");
        break;
      }
      case 's': case '[': {
        int i = 0;
        if (c.allocates && !c.drops) {
          SIZE own = 0;
          while ((c.width == 0 || own < (SIZE)c.width) && s[own] && (c.letter == 's' ? !__craig_exact_isspace((unsigned char)s[own]) : __craig_in_set(set, f, s[own]))) own++;
          if (own == 0) return n;
          to = __craig_scanned_text((char **)to, own + 1);
        }
        for (; (c.width == 0 || i < c.width) && *s && (c.letter == 's' ? !__craig_exact_isspace((unsigned char)*s) : __craig_in_set(set, f, *s)); i++, s++)
          if (!c.drops) ((char *)to)[i] = *s;
        if (i == 0) return n;
        if (!c.drops) __craig_check_overlap(to, (SIZE)i + 1, start, text);
        if (!c.drops) ((char *)to)[i] = 0;
        break;
      }
      default:
        __craig_unsupported("an unknown conversion in a format of input");
    }
    if (!c.drops) n++;
  }
  return n;
}
int vscanf(const char *f, __builtin_va_list arguments) { return __craig_scan(__craig_standard_input(), f, arguments); }
int vfscanf(void *stream, const char *f, __builtin_va_list arguments) { __craig_use_stream(stream); return __craig_scan(stream, f, arguments); }
int vsscanf(const char *s, const char *f, __builtin_va_list arguments) { return __craig_scan_text(s, f, arguments); }
int scanf(const char *f, ...)
{
  __builtin_va_list arguments;
  __builtin_va_start(arguments, f);
  return __craig_scan(__craig_standard_input(), f, arguments);
}
int fscanf(void *stream, const char *f, ...)
{
  __builtin_va_list arguments;
  __craig_use_stream(stream);
  __builtin_va_start(arguments, f);
  return __craig_scan(stream, f, arguments);
}
int sscanf(const char *s, const char *f, ...)
{
  __builtin_va_list arguments;
  __builtin_va_start(arguments, f);
  return __craig_scan_text(s, f, arguments);
}
int __isoc99_scanf(const char *f, ...)
{
  __builtin_va_list arguments;
  __builtin_va_start(arguments, f);
  return __craig_scan(__craig_standard_input(), f, arguments);
}
int __isoc99_fscanf(void *stream, const char *f, ...)
{
  __builtin_va_list arguments;
  __craig_use_stream(stream);
  __builtin_va_start(arguments, f);
  return __craig_scan(stream, f, arguments);
}
int __isoc99_sscanf(const char *s, const char *f, ...)
{
  __builtin_va_list arguments;
  __builtin_va_start(arguments, f);
  return __craig_scan_text(s, f, arguments);
}
int __isoc99_vscanf(const char *f, __builtin_va_list arguments) { return __craig_scan(__craig_standard_input(), f, arguments); }
int __isoc99_vfscanf(void *stream, const char *f, __builtin_va_list arguments) { __craig_use_stream(stream); return __craig_scan(stream, f, arguments); }
int __isoc99_vsscanf(const char *s, const char *f, __builtin_va_list arguments) { return __craig_scan_text(s, f, arguments); }
int __isoc23_scanf(const char *f, ...)
{
  __builtin_va_list arguments;
  __builtin_va_start(arguments, f);
  return __craig_scan(__craig_standard_input(), f, arguments);
}
int __isoc23_fscanf(void *stream, const char *f, ...)
{
  __builtin_va_list arguments;
  __craig_use_stream(stream);
  __builtin_va_start(arguments, f);
  return __craig_scan(stream, f, arguments);
}
int __isoc23_sscanf(const char *s, const char *f, ...)
{
  __builtin_va_list arguments;
  __builtin_va_start(arguments, f);
  return __craig_scan_text(s, f, arguments);
}
int __isoc23_vscanf(const char *f, __builtin_va_list arguments) { return __craig_scan(__craig_standard_input(), f, arguments); }
int __isoc23_vfscanf(void *stream, const char *f, __builtin_va_list arguments) { __craig_use_stream(stream); return __craig_scan(stream, f, arguments); }
int __isoc23_vsscanf(const char *s, const char *f, __builtin_va_list arguments) { return __craig_scan_text(s, f, arguments); }
/* A line of any length. */
char *gets(char *s)
{
  SIZE i = 0, most = __craig_object_size(s);
  if (__craig_open("the input ends")) { __craig_input_stops(__craig_standard_input()); return (char *)0; }
  for (; i < most; i++) {
    char any;
    if (__craig_open("the input's line ends")) break;
    __builtin_assume(any != 10);
    s[i] = any;
  }
  s[i] = 0;
  return s;
}
/* A line of any length; a larger place for it is a new object. */
long getdelim(char **line, SIZE *n, int delimiter, void *stream)
{
  long length;
  SIZE room;
  __craig_use_stream(stream);
  if (!line || !n) return -1;
  __builtin_assume(length >= -1 && length != 0);
  if (length < 0) {
    __craig_input_stops(stream);
    if (!*line && (*line = (char *)malloc(120))) *n = 120;
    return -1;
  }
  if (!*line || *n < (SIZE)length + 1) {
    char *larger;
    __builtin_assume(room > (SIZE)length && room < 2 * (SIZE)length + 120);
    larger = (char *)malloc(room);
    if (!larger) return -1;
    free(*line);
    __craig_moved(larger);
    *line = larger;
    *n = room;
  }
  for (long i = 0; i < length; i++) {
    char c;
    __builtin_assume(i == length - 1 || c != (char)delimiter);
    (*line)[i] = c;
  }
  if (__craig_asks_streams() && (*line)[length - 1] != (char)delimiter) __craig_input_ends(stream);
  (*line)[length] = 0;
  return length;
}
long getline(char **line, SIZE *n, void *stream) { return getdelim(line, n, '\n', stream); }
