/* Formatted output into memory (C11 7.21.6), and numbers from decimal text. What is not said here exactly ends the path, with
   the reason. */
SIZE __craig_put(char *to, SIZE room, SIZE length, char c)
{
  if (length < room) to[length] = c;
  return length + 1;
}
SIZE __craig_pad(char *to, SIZE room, SIZE length, char c, int n)
{
  for (; n > 0; n--) length = __craig_put(to, room, length, c);
  return length;
}
/* The digits of a number, the last first; small numbers are divided as such. */
int __craig_digits(char *d, unsigned long long u, unsigned base, char ten)
{
  int k = 0;
  while (u >> 32) {
    unsigned digit = (unsigned)(u % base);
    d[k++] = (char)(digit < 10 ? '0' + digit : ten + (digit - 10));
    u /= base;
  }
  for (unsigned small = (unsigned)u; small; small /= base) {
    unsigned digit = small % base;
    d[k++] = (char)(digit < 10 ? '0' + digit : ten + (digit - 10));
  }
  return k;
}
/* The text of a float as a conversion asks for it, padded. */
SIZE __craig_put_float(char *to, SIZE room, SIZE length, double x, long double wide, int is_wide, int letter, int precision, int width, int left, int zero, char sign)
{
  int is_finite = is_wide ? wide - wide == 0.0L : x - x == 0.0;
  if (is_wide ? wide != wide : x != x) __craig_unsupported("formatted output of what is no number");
  if (precision > 2000) __craig_unsupported("formatted output of a float with more than 2000 digits");
  __craig_needs_c_locale();
  if (!__craig_rounds_to_nearest()) __craig_unsupported("formatted output of a float in another rounding mode");
  if (is_wide ? __builtin_signbit(wide) : __builtin_signbit(x)) sign = '-';
  int own = is_wide ? __craig_text("float text", wide, letter, precision, -1) : __craig_text("float text", x, letter, precision, -1);
  __builtin_assume(own > 0 && own < 8192);
  int padding = width - own - (sign ? 1 : 0);
  if (!left && !(zero && is_finite)) length = __craig_pad(to, room, length, ' ', padding);
  if (sign) length = __craig_put(to, room, length, sign);
  if (!left && zero && is_finite) length = __craig_pad(to, room, length, '0', padding);
  for (int i = 0; i < own; i++) {
    int c = is_wide ? __craig_text("float text", wide, letter, precision, i) : __craig_text("float text", x, letter, precision, i);
    __builtin_assume(c >= '+' && c <= 'x');
    length = __craig_put(to, room, length, (char)c);
  }
  if (left) length = __craig_pad(to, room, length, ' ', padding);
  return length;
}
/* The number of an argument before `$` (POSIX), and its end; without one the number is 0 and the end the start. */
const char *__craig_argument_number(const char *f, int *number)
{
  const char *start = f;
  *number = 0;
  for (; *f >= '0' && *f <= '9' && *number < 10000; f++) *number = *number * 10 + (*f - '0');
  if (*f == '$' && *number) return f + 1;
  *number = 0;
  return start;
}
int __craig_numbered_int(__builtin_va_list arguments, int number)
{
  for (; number > 1; number--) (void)__builtin_va_arg(arguments, long long);
  return __builtin_va_arg(arguments, int);
}
int vsnprintf(char *to, SIZE n, const char *f, __builtin_va_list arguments)
{
  SIZE room = n ? n - 1 : 0, length = 0;
  const char *format = f;
  __builtin_va_list again, first;
  __builtin_va_copy(first, arguments);
  if (__craig_checks_overlap()) __builtin_va_copy(again, arguments);
  for (; *f; f++) {
    int left = 0, zero = 0, wide = 0, width = 0, precision = -1, size = 4, negative = 0, k = 0, prefix = 0;
    char sign = 0, alternative = 0;
    char digits[24];
    unsigned base = 10;
    unsigned long long u = 0;
    int number, is_numbered;
    if (*f != '%') { length = __craig_put(to, room, length, *f); continue; }
    f = __craig_argument_number(f + 1, &number);
    is_numbered = number != 0;
    if (number) {
      __builtin_va_copy(arguments, first);
      for (; number > 1; number--) (void)__builtin_va_arg(arguments, long long);
    }
    for (;; f++) {
      if (*f == '-') left = 1;
      else if (*f == '0') zero = 1;
      else if (*f == '+') sign = '+';
      else if (*f == ' ') { if (!sign) sign = ' '; }
      else if (*f == '#') alternative = 1;
      else break;
    }
    if (*f == '*') {
      f = __craig_argument_number(f + 1, &number);
      width = number ? __craig_numbered_int(first, number) : __builtin_va_arg(arguments, int);
      if (width < 0) { left = 1; width = -width; }
    } else
      for (; *f >= '0' && *f <= '9'; f++) width = width * 10 + (*f - '0');
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
      /* It has more room than other arguments, also before those that are looked for. */
      if (is_numbered) __craig_unsupported("a numbered argument that is a `long double`");
      wide = 1;
      f++;
    }
    else if (*f == 'j') { size = 8; f++; }
    else if (*f == 'z' || *f == 't') { size = sizeof(SIZE); f++; }
    switch (*f) {
      case '%':
        length = __craig_put(to, room, length, '%');
        continue;
      case 'c': {
        if (size != 4) __craig_unsupported("formatted output of wide characters");
        char c = (char)__builtin_va_arg(arguments, int);
        if (!left) length = __craig_pad(to, room, length, ' ', width - 1);
        length = __craig_put(to, room, length, c);
        if (left) length = __craig_pad(to, room, length, ' ', width - 1);
        continue;
      }
      case 's': {
        if (size != 4) __craig_unsupported("formatted output of wide characters");
        const char *s = __builtin_va_arg(arguments, const char *);
        int own = 0;
        while ((precision < 0 || own < precision) && s[own]) own++;
        if (!left) length = __craig_pad(to, room, length, ' ', width - own);
        for (int i = 0; i < own; i++) length = __craig_put(to, room, length, s[i]);
        if (left) length = __craig_pad(to, room, length, ' ', width - own);
        continue;
      }
      case 'd':
      case 'i': {
        long long v;
        if (size == 8) v = __builtin_va_arg(arguments, long long);
        else v = __builtin_va_arg(arguments, int);
        if (size == 2) v = (short)v;
        if (size == 1) v = (signed char)v;
        negative = v < 0;
        u = negative ? 0 - (unsigned long long)v : (unsigned long long)v;
        if (negative) sign = '-';
        break;
      }
      case 'u':
      case 'x':
      case 'X':
      case 'o':
        if (size == 8) u = __builtin_va_arg(arguments, unsigned long long);
        else u = __builtin_va_arg(arguments, unsigned);
        if (size == 2) u = (unsigned short)u;
        if (size == 1) u = (unsigned char)u;
        sign = 0;
        base = *f == 'u' ? 10 : *f == 'o' ? 8 : 16;
        break;
      case 'n':
        if (size == 8) *__builtin_va_arg(arguments, long long *) = (long long)length;
        else if (size == 2) *__builtin_va_arg(arguments, short *) = (short)length;
        else if (size == 1) *__builtin_va_arg(arguments, signed char *) = (signed char)length;
        else *__builtin_va_arg(arguments, int *) = (int)length;
        continue;
      case 'p': {
        /* As glibc does it. */
        SIZE address = (SIZE)__builtin_va_arg(arguments, void *);
        if (zero || precision >= 0) __craig_unsupported("formatted output of a pointer with digits that are asked for");
        if (address == 0) {
          if (!left) length = __craig_pad(to, room, length, ' ', width - 5);
          for (int i = 0; i < 5; i++) length = __craig_put(to, room, length, "(nil)"[i]);
          if (left) length = __craig_pad(to, room, length, ' ', width - 5);
          continue;
        }
        u = __craig_printed("address", address);
        __builtin_assume(u != 0);
        base = 16;
        alternative = 1;
        break;
      }
      case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': {
        double x = 0.0;
        long double y = 0.0L;
        if (wide) y = __builtin_va_arg(arguments, long double);
        else x = __builtin_va_arg(arguments, double);
        length = __craig_put_float(to, room, length, x, y, wide, *f | (alternative ? 256 : 0), precision, width, left, zero, sign);
        continue;
      }
      case 'a': case 'A':
        __craig_unsupported("formatted output of a float in hexadecimal digits");
      default:
        __craig_unsupported("an unknown conversion in a format");
    }
    k = __craig_digits(digits, u, base, *f == 'X' ? 'A' : 'a');
    if (precision < 0) {
      precision = 1;
      if (zero && !left) {
        precision = width - (sign ? 1 : 0) - (alternative && base == 16 && u ? 2 : 0);
        if (precision < 1) precision = 1;
      }
    }
    if (alternative && base == 8 && k >= precision) precision = k + 1;
    if (alternative && base == 16 && u) prefix = 2;
    width -= (k > precision ? k : precision) + (sign ? 1 : 0) + prefix;
    if (!left) length = __craig_pad(to, room, length, ' ', width);
    if (sign) length = __craig_put(to, room, length, sign);
    if (prefix) { length = __craig_put(to, room, length, '0'); length = __craig_put(to, room, length, *f == 'p' ? 'x' : *f); }
    length = __craig_pad(to, room, length, '0', precision - k);
    while (k > 0) length = __craig_put(to, room, length, digits[--k]);
    if (left) length = __craig_pad(to, room, length, ' ', width);
  }
  if (n) to[length < room ? length : room] = 0;
  if (__craig_checks_overlap()) {
    if (n) __craig_walk_format(to, (length < room ? length : room) + 1, format, again);
    __builtin_va_end(again);
  }
  return (int)length;
}
int snprintf(char *to, SIZE n, const char *f, ...)
{
  __builtin_va_list arguments;
  __builtin_va_start(arguments, f);
  int length = vsnprintf(to, n, f, arguments);
  __builtin_va_end(arguments);
  return length;
}
int sprintf(char *to, const char *f, ...)
{
  __builtin_va_list arguments;
  __builtin_va_start(arguments, f);
  int length = vsnprintf(to, (SIZE)-1 / 2, f, arguments);
  __builtin_va_end(arguments);
  return length;
}
int vsprintf(char *to, const char *f, __builtin_va_list arguments)
{
  return vsnprintf(to, (SIZE)-1 / 2, f, arguments);
}
int vasprintf(char **to, const char *f, __builtin_va_list arguments)
{
  __builtin_va_list again;
  __builtin_va_copy(again, arguments);
  int length = vsnprintf((char *)0, 0, f, again);
  __builtin_va_end(again);
  *to = (char *)__craig_allocate((SIZE)length + 1);
  if (!*to) return -1;
  return vsnprintf(*to, (SIZE)length + 1, f, arguments);
}
int asprintf(char **to, const char *f, ...)
{
  __builtin_va_list arguments;
  __builtin_va_start(arguments, f);
  int length = vasprintf(to, f, arguments);
  __builtin_va_end(arguments);
  return length;
}
/* Whether a text begins with a word, in letters of any case. */
int __craig_begins(const char *s, const char *word)
{
  for (; *word; s++, word++)
    if (tolower((unsigned char)*s) != *word) return 0;
  return 1;
}
/* Numbers whose digits and power of ten are doubles without rounding, so that one operation rounds the result as strtod does. */
double __craig_decimal(const char *s, char **end, int is_single)
{
  static const double powers[23] = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
  const char *p = s;
  unsigned long long digits = 0;
  int negative = 0, any = 0, exponent = 0;
  double x;
  __craig_needs_c_locale();
  while (isspace((unsigned char)*p)) p++;
  if (*p == '-') { negative = 1; p++; } else if (*p == '+') p++;
  if (__craig_begins(p, "inf")) {
    if (end) *end = (char *)p + (__craig_begins(p, "infinity") ? 8 : 3);
    return negative ? -__builtin_inf() : __builtin_inf();
  }
  if (__craig_begins(p, "nan") && p[3] != '(') {
    if (end) *end = (char *)p + 3;
    return __builtin_nan("");
  }
  if (__craig_begins(p, "nan") || (*p == '0' && tolower((unsigned char)p[1]) == 'x'))
    __craig_unsupported("a float from a text that is no decimal number");
  for (int fraction = 0; isdigit((unsigned char)*p) || (*p == '.' && !fraction); p++) {
    if (*p == '.') { fraction = 1; continue; }
    any = 1;
    if (digits >= 900000000000000ull) __craig_unsupported("a float from a decimal number with many digits");
    digits = digits * 10 + (unsigned)(*p - '0');
    exponent -= fraction;
  }
  if (!any) {
    if (end) *end = (char *)s;
    return 0.0;
  }
  if ((*p == 'e' || *p == 'E') && (isdigit((unsigned char)p[1]) || ((p[1] == '-' || p[1] == '+') && isdigit((unsigned char)p[2])))) {
    int less = p[1] == '-', e = 0;
    for (p += isdigit((unsigned char)p[1]) ? 1 : 2; isdigit((unsigned char)*p); p++)
      if (e < 10000) e = e * 10 + (*p - '0');
    exponent += less ? -e : e;
  }
  if (end) *end = (char *)p;
  x = (double)digits;
  if (negative) x = -x;
  if (digits == 0) return x;
  if (exponent > 22 || exponent < -22) __craig_unsupported("a float from a decimal number with a large exponent");
  if (is_single && exponent != 0) {
    if (digits > 16777216 || exponent > 10 || exponent < -10) __craig_unsupported("a `float` from a decimal number with many digits");
    return exponent < 0 ? (float)x / (float)powers[-exponent] : (float)x * (float)powers[exponent];
  }
  return exponent < 0 ? x / powers[-exponent] : x * powers[exponent];
}
double strtod(const char *s, char **end) { return __craig_decimal(s, end, 0); }
float strtof(const char *s, char **end) { return (float)__craig_decimal(s, end, 1); }
double atof(const char *s) { return strtod(s, (char **)0); }
/* x times a power of two, rounded once: what is lost on the way to a subnormal number is less than half of the smallest one. */
double ldexp(double x, int n)
{
  union { double d; unsigned long long u; } power;
  if (n > 3000) n = 3000;
  if (n < -3000) n = -3000;
  while (n > 1023) { x *= 0x1p1023; n -= 1023; }
  while (n < -1022) { x *= 0x1p-969; n += 969; }
  power.u = (unsigned long long)(n + 1023) << 52;
  return x * power.d;
}
float ldexpf(float x, int n) { return (float)ldexp((double)x, n); }
double scalbn(double x, int n) { return ldexp(x, n); }
float scalbnf(float x, int n) { return ldexpf(x, n); }
double scalbln(double x, long n) { return ldexp(x, n > 3000 ? 3000 : n < -3000 ? -3000 : (int)n); }
struct __craig_div { int quot; int rem; } div(int a, int b)
{
  struct __craig_div r;
  r.quot = a / b;
  r.rem = a % b;
  return r;
}
struct __craig_ldiv { long quot; long rem; } ldiv(long a, long b)
{
  struct __craig_ldiv r;
  r.quot = a / b;
  r.rem = a % b;
  return r;
}
struct __craig_lldiv { long long quot; long long rem; } lldiv(long long a, long long b)
{
  struct __craig_lldiv r;
  r.quot = a / b;
  r.rem = a % b;
  return r;
}
struct __craig_imaxdiv { long long quot; long long rem; } imaxdiv(long long a, long long b)
{
  struct __craig_imaxdiv r;
  r.quot = a / b;
  r.rem = a % b;
  return r;
}
/* Input from files: any bytes, so far as the function's result says. What is not initialised has any value. */
/* Where the end of the file comes first, the array is unchanged; after an error it has any contents, without an end
   (C11 7.21.7.2p3). A path to an error that needs a failure of the system is not one of this machine. */
char *fgets(char *s, int n, void *stream)
{
  int length, failed, broken = __craig_output("output", 0);
  __craig_use_stream(stream);
  if (n <= 0) return (char *)0;
  if (n > 1 && (failed & 1)) { __craig_input_stops(stream); return (char *)0; }
  if (n == 1) length = 0;
  else __builtin_assume(length > 0 && length < n);
  for (int i = 0; i < length; i++) {
    char c;
    __builtin_assume(i == length - 1 || c != '\n');
    s[i] = c;
  }
  if (n > 1 && broken) { __craig_input_stops(stream); return (char *)0; }
  if (__craig_asks_streams() && length < n - 1 && s[length - 1] != '\n') __craig_input_ends(stream);
  s[length] = 0;
  return s;
}
long read(int file, void *to, SIZE n)
{
  long length;
  __builtin_assume(length >= -1 && (length < 0 || (SIZE)length <= n));
  for (long i = 0; i < length; i++) {
    char c;
    ((char *)to)[i] = c;
  }
  return length;
}
SIZE fread(void *to, SIZE size, SIZE n, void *stream)
{
  SIZE length;
  __craig_use_stream(stream);
  if (size == 0 || n == 0) return 0;
  __builtin_assume(length <= size * n);
  for (SIZE i = 0; i < length; i++) {
    char c;
    ((char *)to)[i] = c;
  }
  if (length < size * n) __craig_input_stops(stream);
  return length / size;
}
SIZE fread_unlocked(void *to, SIZE size, SIZE n, void *stream) { return fread(to, size, n, stream); }
char *fgets_unlocked(char *s, int n, void *stream) { return fgets(s, n, stream); }
long pread(int file, void *to, SIZE n, long at) { return read(file, to, n); }
long pread64(int file, void *to, SIZE n, long long at) { return read(file, to, n); }
long recv(int socket, void *to, SIZE n, int flags) { return read(socket, to, n); }
long recvfrom(int socket, void *to, SIZE n, int flags, void *from, void *length)
{
  if (from) __craig_unsupported("the address that a message came from");
  return read(socket, to, n);
}
/* A name has no terminator (POSIX readlink). */
long readlink(const char *path, char *to, SIZE n)
{
  if (__craig_checks_memory()) __craig_read_text(path, (SIZE)-1);
  return read(0, to, n);
}
long readlinkat(int directory, const char *path, char *to, SIZE n) { return readlink(path, to, n); }
long getrandom(void *to, SIZE n, unsigned flags) { return read(0, to, n); }
char *getcwd(char *to, SIZE n)
{
  SIZE length;
  if (!to) __craig_unsupported("the name of the folder in memory that is allocated");
  if (n == 0 || __craig_open("the name of the folder does not fit")) return (char *)0;
  __builtin_assume(length > 0 && length < n);
  for (SIZE i = 0; i < length; i++) {
    char c;
    __builtin_assume(c != 0);
    to[i] = c;
  }
  to[length] = 0;
  return to;
}
