/* errno (C11 7.5), and texts of the environment. */
void __craig_may_set_errno(void)
{
  int number = __craig_open("errno is set");
  if (number > 0) *__errno_location() = number;
}
/* Sets of signals (POSIX): 1024 bits as glibc has them, of which 64 stand for signals. */
int __craig_is_signal(int n)
{
  if (n > 0 && n <= 64 && n != 32 && n != 33) return 1;
  *__errno_location() = 22;
  return 0;
}
unsigned char *__craig_signal_byte(void *set, int n) { return (unsigned char *)set + (n - 1) / 8; }
int sigemptyset(void *set) { memset(set, 0, 128); return 0; }
int sigaddset(void *set, int n)
{
  if (!__craig_is_signal(n)) return -1;
  *__craig_signal_byte(set, n) |= (unsigned char)(1 << (n - 1) % 8);
  return 0;
}
int sigdelset(void *set, int n)
{
  if (!__craig_is_signal(n)) return -1;
  *__craig_signal_byte(set, n) &= (unsigned char)~(1 << (n - 1) % 8);
  return 0;
}
int sigfillset(void *set)
{
  memset(set, 255, 128);
  *__craig_signal_byte(set, 32) &= 127;
  *__craig_signal_byte(set, 33) &= 254;
  return 0;
}
int sigismember(const void *set, int n)
{
  if (n < 1 || n > 64) { *__errno_location() = 22; return -1; }
  return *__craig_signal_byte((void *)set, n) >> (n - 1) % 8 & 1;
}
/* A function that is not known may store anything. */
void __craig_any_errno(void) { *__errno_location() = __craig_open("errno is set"); }
/* The time that the program has used does not become less (C11 7.27.2.1); -1 if it is not known. */
void __craig_time_used(long used)
{
  static long before;
  __builtin_assume(used == -1 || used >= before);
  if (used >= 0) before = used;
}
/* <stdlib.h>'s MB_CUR_MAX, of the C locale. */
SIZE __ctype_get_mb_cur_max(void) { __craig_needs_c_locale(); return 1; }
void __craig_same_process(int number)
{
  static int known;
  __builtin_assume(!known || known == number);
  known = number;
}
/* What fails as POSIX specifies it sets errno; what succeeds may change it. */
void __craig_errno_of_success(int is_success)
{
  int number = __craig_open("errno is set");
  __builtin_assume(is_success || number > 0);
  if (number > 0) *__errno_location() = number;
}
void __craig_errno_of_null(const void *p) { if (!p) __craig_may_set_errno(); }
/* Of a mathematical function with a result that tells of a domain or range error (C11 7.12.1): EDOM or ERANGE, or nothing. */
void __craig_errno_of_range(void)
{
  int number = __craig_open("errno is set");
  __builtin_assume(number == 0 || number == 33 || number == 34);
  if (number) *__errno_location() = number;
}
void __craig_errno_of_float(double r, int underflows)
{
  if (r != r || fabs(r) == __builtin_inf() || (underflows && fabs(r) < 0x1p-1022)) __craig_errno_of_range();
}
void __craig_errno_of_single(float r, int underflows)
{
  if (r != r || fabsf(r) == __builtin_inff() || (underflows && fabsf(r) < 0x1p-126f)) __craig_errno_of_range();
}
/* A name leads to the text of its first call, or to none. Names are copied, as the program may change or release them. */
char *getenv(const char *name)
{
  static char names[3][64];
  static int known, found[3];
  SIZE n = 0;
  for (int i = 0; i < known; i++)
    if (__craig_exact_strcmp(names[i], name) == 0) return found[i] ? __craig_environment(i) : (char *)0;
  if (known == 3) __craig_unsupported("more than three names of the environment");
  for (; name[n]; n++) {
    if (n == 63) __craig_unsupported("a long name of the environment");
    names[known][n] = name[n];
  }
  found[known] = __craig_open("a name is in the environment") != 0;
  known++;
  return found[known - 1] ? __craig_environment(known - 1) : (char *)0;
}
char *secure_getenv(const char *name) { return getenv(name); }
/* A text that the next call may replace: what it says is not known, and only one call is supported. */
char *__craig_message(void)
{
  static int calls;
  if (calls++) __craig_unsupported("more than one text of an error");
  return __craig_environment(3);
}
char *strerror(int number) { return __craig_message(); }
char *strsignal(int number) { return __craig_message(); }
/* Every locale but "C" and "POSIX" may be missing. What the name of another one is stays open. */
char *setlocale(int category, const char *name)
{
  if (!name) return __craig_other_locale() ? __craig_message() : (char *)"C";
  if (__craig_exact_strcmp(name, "C") == 0 || __craig_exact_strcmp(name, "POSIX") == 0) return (char *)"C";
  if (__craig_open("a locale is there") == 0) return (char *)0;
  *__craig_locale() = 1;
  return __craig_message();
}
/* Memory at a multiple of a power of two; of more than 4096 no more is promised than for 4096. */
void *__craig_aligned_bytes(SIZE alignment, SIZE n)
{
  switch (alignment) {
    case 32: return __craig_aligned(n, 32);
    case 64: return __craig_aligned(n, 64);
    case 128: return __craig_aligned(n, 128);
    case 256: return __craig_aligned(n, 256);
    case 512: return __craig_aligned(n, 512);
    case 1024: return __craig_aligned(n, 1024);
    case 2048: return __craig_aligned(n, 2048);
  }
  return alignment < 4096 ? malloc(n) : __craig_aligned(n, 4096);
}
/* Alignments that are no power of two are refused as glibc does it. */
void *aligned_alloc(SIZE alignment, SIZE n)
{
  if (alignment == 0 || (alignment & (alignment - 1))) { *__errno_location() = 22; return (void *)0; }
  return __craig_aligned_bytes(alignment, n);
}
/* glibc rounds the alignment up. */
void *memalign(SIZE alignment, SIZE n)
{
  SIZE power = 16;
  while (power < alignment && power < 4096) power *= 2;
  return __craig_aligned_bytes(power, n);
}
int posix_memalign(void **to, SIZE alignment, SIZE n)
{
  if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return 22;
  void *p = __craig_aligned_bytes(alignment, n);
  if (!p && n) return 12;
  *to = p;
  return 0;
}
/* Times as text (C11 7.27.3.5), in the C locale. */
SIZE __craig_append(char *s, SIZE most, SIZE at, int c)
{
  if (at < most) s[at] = (char)c;
  return at + 1;
}
SIZE __craig_append_number(char *s, SIZE most, SIZE at, int number, int digits)
{
  int power = 1;
  if (number < 0) __craig_unsupported("a time out of range as text");
  for (int i = 1; i < digits; i++) power *= 10;
  if (number / power > 9) __craig_unsupported("a time out of range as text");
  for (; power > 0; power /= 10) at = __craig_append(s, most, at, '0' + number / power % 10);
  return at;
}
SIZE __craig_append_text(char *s, SIZE most, SIZE at, const char *text, int n)
{
  for (int i = 0; i < n && text[i]; i++) at = __craig_append(s, most, at, text[i]);
  return at;
}
SIZE strftime(char *s, SIZE most, const char *f, const void *time)
{
  static const char *const days[7] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday" };
  static const char *const months[12] = { "January", "February", "March", "April", "May", "June", "July", "August",
    "September", "October", "November", "December" };
  /* Seconds, minutes, hours, day of the month, month, year, day of the week, day of the year. */
  const int *t = (const int *)time;
  SIZE at = 0;
  __craig_needs_c_locale();
  for (; *f; f++) {
    if (*f != '%') { at = __craig_append(s, most, at, *f); continue; }
    f++;
    if (*f == 'Y' || *f == 'F' || *f == 'C') {
      if (t[5] < -900 || t[5] > 8099) __craig_unsupported("a time out of range as text");
    } else if ((*f == 'y' || *f == 'D') && t[5] < 0) __craig_unsupported("a time out of range as text");
    if ((*f == 'a' || *f == 'A') && (t[6] < 0 || t[6] > 6)) __craig_unsupported("a time out of range as text");
    if ((*f == 'b' || *f == 'B' || *f == 'h') && (t[4] < 0 || t[4] > 11)) __craig_unsupported("a time out of range as text");
    switch (*f) {
      case '%': at = __craig_append(s, most, at, '%'); break;
      case 'n': at = __craig_append(s, most, at, '\n'); break;
      case 't': at = __craig_append(s, most, at, '\t'); break;
      case 'Y': at = __craig_append_number(s, most, at, t[5] + 1900, 4); break;
      case 'C': at = __craig_append_number(s, most, at, (t[5] + 1900) / 100, 2); break;
      case 'y': at = __craig_append_number(s, most, at, t[5] % 100, 2); break;
      case 'm': at = __craig_append_number(s, most, at, t[4] + 1, 2); break;
      case 'd': at = __craig_append_number(s, most, at, t[3], 2); break;
      case 'H': at = __craig_append_number(s, most, at, t[2], 2); break;
      case 'M': at = __craig_append_number(s, most, at, t[1], 2); break;
      case 'S': at = __craig_append_number(s, most, at, t[0], 2); break;
      case 'j': at = __craig_append_number(s, most, at, t[7] + 1, 3); break;
      case 'w': at = __craig_append_number(s, most, at, t[6], 1); break;
      case 'a': at = __craig_append_text(s, most, at, days[t[6]], 3); break;
      case 'A': at = __craig_append_text(s, most, at, days[t[6]], 9); break;
      case 'b': case 'h': at = __craig_append_text(s, most, at, months[t[4]], 3); break;
      case 'B': at = __craig_append_text(s, most, at, months[t[4]], 9); break;
      case 'F':
        at = __craig_append_number(s, most, at, t[5] + 1900, 4);
        at = __craig_append(s, most, at, '-');
        at = __craig_append_number(s, most, at, t[4] + 1, 2);
        at = __craig_append(s, most, at, '-');
        at = __craig_append_number(s, most, at, t[3], 2);
        break;
      case 'D':
        at = __craig_append_number(s, most, at, t[4] + 1, 2);
        at = __craig_append(s, most, at, '/');
        at = __craig_append_number(s, most, at, t[3], 2);
        at = __craig_append(s, most, at, '/');
        at = __craig_append_number(s, most, at, t[5] % 100, 2);
        break;
      case 'R': case 'T':
        at = __craig_append_number(s, most, at, t[2], 2);
        at = __craig_append(s, most, at, ':');
        at = __craig_append_number(s, most, at, t[1], 2);
        if (*f == 'R') break;
        at = __craig_append(s, most, at, ':');
        at = __craig_append_number(s, most, at, t[0], 2);
        break;
      default: __craig_unsupported("an unknown conversion in a format of a time");
    }
  }
  if (at < most) { s[at] = 0; return at; }
  /* The contents are indeterminate then. */
  for (SIZE i = 0; i < most; i++) { char any; s[i] = any; }
  return 0;
}
