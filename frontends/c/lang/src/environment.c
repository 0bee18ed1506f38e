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
/* Numbers that belong to the process and stay the same until the program changes them (POSIX): by the bits of `kinds`. */
void __craig_same_number(int kind, long number)
{
  static long numbers[8];
  static int known;
  if (kind < 0) { known &= kind; return; }
  __builtin_assume(!(known >> kind & 1) || numbers[kind] == number);
  known |= 1 << kind;
  numbers[kind] = number;
}
/* `sysconf`: a value does not change (POSIX), but with the limits of resources (here 0, 1, 4 and 34), processors and memory (83 to 86). */
void __craig_same_setting(int name, long value)
{
  static int names[8], known;
  static long values[8];
  if (name == 0 || name == 1 || name == 4 || name == 34 || (name >= 83 && name <= 86)) return;
  for (int i = 0; i < known; i++)
    if (names[i] == name) { __builtin_assume(values[i] == value); return; }
  if (known == 8) return;
  names[known] = name;
  values[known++] = value;
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
/* The days since the Monday of the first week of the year by ISO 8601, which has a Thursday of that year; negative before it. */
int __craig_iso_days(int day_of_year, int day_of_week) { return day_of_year - (day_of_year - day_of_week + 382) % 7 + 3; }
/* The week by ISO 8601; the year that it belongs to goes to `year`. */
int __craig_iso_week(const int *t, int *year)
{
  int own = t[5] + 1900, days = __craig_iso_days(t[7], t[6]);
  if (days < 0) {
    own--;
    days = __craig_iso_days(t[7] + 365 + __craig_is_leap(own), t[6]);
  } else {
    int later = __craig_iso_days(t[7] - 365 - __craig_is_leap(own), t[6]);
    if (later >= 0) { own++; days = later; }
  }
  *year = own;
  return days / 7 + 1;
}
SIZE strftime(char *s, SIZE most, const char *f, const void *time)
{
  static const char *const days[7] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday" };
  static const char *const months[12] = { "January", "February", "March", "April", "May", "June", "July", "August",
    "September", "October", "November", "December" };
  /* Seconds, minutes, hours, day of the month, month, year, day of the week, day of the year. */
  const int *t = (const int *)time;
  /* Behind a conversion that stands for others, which are read first. */
  const char *outer = (const char *)0;
  SIZE at = 0;
  int year;
  __craig_needs_c_locale();
  for (;; f++) {
    if (!*f) {
      if (!outer) break;
      f = outer;
      outer = (const char *)0;
      continue;
    }
    if (*f != '%') { at = __craig_append(s, most, at, *f); continue; }
    f++;
    /* Other forms and digits are those of a locale. */
    if ((*f == 'E' && (f[1] == 'c' || f[1] == 'C' || f[1] == 'x' || f[1] == 'X' || f[1] == 'y' || f[1] == 'Y')) ||
        (*f == 'O' && (f[1] == 'd' || f[1] == 'e' || f[1] == 'H' || f[1] == 'I' || f[1] == 'm' || f[1] == 'M' || f[1] == 'S' || f[1] == 'u' ||
                       f[1] == 'U' || f[1] == 'V' || f[1] == 'w' || f[1] == 'W' || f[1] == 'y')))
      f++;
    if (*f == 'Y' || *f == 'F' || *f == 'C' || *f == 'G' || *f == 'g') {
      if (t[5] < -899 || t[5] > 8098) __craig_unsupported("a time out of range as text");
    } else if ((*f == 'y' || *f == 'D') && t[5] < 0) __craig_unsupported("a time out of range as text");
    if ((*f == 'a' || *f == 'A' || *f == 'u' || *f == 'w' || *f == 'U' || *f == 'W' || *f == 'V' || *f == 'G' || *f == 'g') && (t[6] < 0 || t[6] > 6))
      __craig_unsupported("a time out of range as text");
    if ((*f == 'U' || *f == 'W' || *f == 'V' || *f == 'G' || *f == 'g') && (t[7] < 0 || t[7] > 365)) __craig_unsupported("a time out of range as text");
    if ((*f == 'I' || *f == 'p') && (t[2] < 0 || t[2] > 23)) __craig_unsupported("a time out of range as text");
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
      case 'e':
        if (t[3] < 0 || t[3] > 99) __craig_unsupported("a time out of range as text");
        at = __craig_append(s, most, at, t[3] > 9 ? '0' + t[3] / 10 : ' ');
        at = __craig_append(s, most, at, '0' + t[3] % 10);
        break;
      case 'I': at = __craig_append_number(s, most, at, t[2] % 12 ? t[2] % 12 : 12, 2); break;
      case 'p': at = __craig_append_text(s, most, at, t[2] > 11 ? "PM" : "AM", 2); break;
      case 'u': at = __craig_append_number(s, most, at, t[6] ? t[6] : 7, 1); break;
      case 'U': at = __craig_append_number(s, most, at, (t[7] + 7 - t[6]) / 7, 2); break;
      case 'W': at = __craig_append_number(s, most, at, (t[7] + 7 - (t[6] + 6) % 7) / 7, 2); break;
      case 'V': at = __craig_append_number(s, most, at, __craig_iso_week(t, &year), 2); break;
      case 'G':
        __craig_iso_week(t, &year);
        at = __craig_append_number(s, most, at, year, 4);
        break;
      case 'g':
        __craig_iso_week(t, &year);
        at = __craig_append_number(s, most, at, year % 100, 2);
        break;
      case 'z': {
        /* Without a known time there is no zone. */
        const char *rest = (const char *)time + (36 + sizeof(long) - 1) / sizeof(long) * sizeof(long);
        long minutes;
        if (t[8] < 0) break;
        minutes = *(const long *)rest / 60;
        at = __craig_append(s, most, at, *(const long *)rest < 0 ? '-' : '+');
        if (minutes < 0) minutes = -minutes;
        if (minutes >= 6000) __craig_unsupported("a time out of range as text");
        at = __craig_append_number(s, most, at, (int)(minutes / 60 * 100 + minutes % 60), 4);
        break;
      }
      case 'Z': {
        const char *zone = *(const char *const *)((const char *)time + (36 + sizeof(long) - 1) / sizeof(long) * sizeof(long) + sizeof(long));
        if (t[8] < 0) break;
        if (!zone || !*zone) __craig_unsupported("the name of the time zone as text");
        for (; *zone; zone++) at = __craig_append(s, most, at, *zone);
        break;
      }
      case 'F': case 'D': case 'R': case 'T': case 'c': case 'x': case 'X': case 'r':
        outer = f;
        f = *f == 'F' ? " %Y-%m-%d" : *f == 'D' || *f == 'x' ? " %m/%d/%y" : *f == 'R' ? " %H:%M" : *f == 'c' ? " %a %b %e %H:%M:%S %Y" :
            *f == 'r' ? " %I:%M:%S %p" : " %H:%M:%S";
        break;
      default: __craig_unsupported("an unknown conversion in a format of a time");
    }
  }
  if (at < most) { s[at] = 0; return at; }
  /* The contents are indeterminate then. */
  for (SIZE i = 0; i < most; i++) { char any; s[i] = any; }
  return 0;
}
/* A command may give any status. Without one the result says whether there is a command processor (C11 7.22.4.8), which stays so. */
int system(const char *command)
{
  int status = __craig_open("the result of `system`");
  if (command) { if (__craig_checks_memory()) __craig_read_text(command, (SIZE)-1); }
  else __craig_same_number(7, status != 0);
  return status;
}
