/* Models of library functions. SIZE stands for the machine's size_t. */
/* What is understood where it is called by name, for pointers to it. */
int abs(int x) { return abs(x); }
long labs(long x) { return labs(x); }
long long llabs(long long x) { return llabs(x); }
void *malloc(SIZE n) { return malloc(n); }
void *calloc(SIZE n, SIZE size) { return calloc(n, size); }
void free(void *p) { free(p); }
void exit(int code) { exit(code); }
void abort(void) { abort(); }
double fabs(double x) { return fabs(x); }
double sqrt(double x) { return sqrt(x); }
double floor(double x) { return floor(x); }
double ceil(double x) { return ceil(x); }
/* The standard says of a comparison's result which sign it has (C11 7.24.4), and of a classification's whether it is zero (7.4.1). The
   exact functions are called where nothing else of the result counts. */
int __craig_sign(int exact)
{
  int open = __craig_open("a result of which the sign is specified");
  if (exact == 0) return 0;
  __builtin_assume(exact < 0 ? open < 0 : open > 0);
  return open;
}
int __craig_truth(int exact)
{
  int open = __craig_open("a result that is specified to be not zero");
  if (exact == 0) return 0;
  __builtin_assume(open != 0);
  return open;
}
SIZE strlen(const char *s) { SIZE n = 0; while (s[n]) n++; return n; }
SIZE __builtin_strlen(const char *s) { return strlen(s); }
SIZE strnlen(const char *s, SIZE m) { SIZE n = 0; while (n < m && s[n]) n++; return n; }
int __craig_exact_strcmp(const char *a, const char *b)
{
  SIZE i = 0;
  while (a[i] && a[i] == b[i]) i++;
  return (int)(unsigned char)a[i] - (int)(unsigned char)b[i];
}
int strcmp(const char *a, const char *b) { return __craig_sign(__craig_exact_strcmp(a, b)); }
int __builtin_strcmp(const char *a, const char *b) { return strcmp(a, b); }
int __craig_exact_strncmp(const char *a, const char *b, SIZE n)
{
  SIZE i = 0;
  if (n == 0) return 0;
  while (i < n - 1 && a[i] && a[i] == b[i]) i++;
  return (int)(unsigned char)a[i] - (int)(unsigned char)b[i];
}
int strncmp(const char *a, const char *b, SIZE n) { return __craig_sign(__craig_exact_strncmp(a, b, n)); }
char *strcpy(char *d, const char *s)
{
  SIZE i = 0;
  if (__craig_checks_overlap()) __craig_check_overlap(d, strlen(s) + 1, s, strlen(s) + 1);
  while ((d[i] = s[i])) i++;
  return d;
}
char *__builtin_strcpy(char *d, const char *s) { return strcpy(d, s); }
char *stpcpy(char *d, const char *s) { return strcpy(d, s) + strlen(s); }
/* How many bytes of a text a copy of at most n reads: up to its end. */
SIZE __craig_copied_length(const char *s, SIZE n) { SIZE k = strnlen(s, n); return k < n ? k + 1 : n; }
char *strncpy(char *d, const char *s, SIZE n)
{
  SIZE i = 0;
  if (__craig_checks_overlap()) __craig_check_overlap(d, n, s, __craig_copied_length(s, n));
  for (; i < n && s[i]; i++) d[i] = s[i];
  for (; i < n; i++) d[i] = 0;
  return d;
}
char *__builtin_strncpy(char *d, const char *s, SIZE n) { return strncpy(d, s, n); }
char *strcat(char *d, const char *s) { strcpy(d + strlen(d), s); return d; }
char *__builtin_strcat(char *d, const char *s) { return strcat(d, s); }
char *strncat(char *d, const char *s, SIZE n)
{
  SIZE k = strlen(d), i = 0;
  if (__craig_checks_overlap()) __craig_check_overlap(d + k, strnlen(s, n) + 1, s, __craig_copied_length(s, n));
  for (; i < n && s[i]; i++) d[k + i] = s[i];
  d[k + i] = 0;
  return d;
}
char *strchr(const char *s, int c)
{
  for (;; s++) {
    if (*s == (char)c) return (char *)s;
    if (!*s) return (char *)0;
  }
}
char *__builtin_strchr(const char *s, int c) { return strchr(s, c); }
char *strrchr(const char *s, int c)
{
  char *found = (char *)0;
  for (;; s++) {
    if (*s == (char)c) found = (char *)s;
    if (!*s) return found;
  }
}
char *__builtin_strrchr(const char *s, int c) { return strrchr(s, c); }
char *strstr(const char *s, const char *t)
{
  SIZE n = strlen(t);
  for (;; s++) {
    if (strncmp(s, t, n) == 0) return (char *)s;
    if (!*s) return (char *)0;
  }
}
SIZE strspn(const char *s, const char *set)
{
  SIZE n = 0;
  while (s[n] && strchr(set, s[n])) n++;
  return n;
}
SIZE strcspn(const char *s, const char *set)
{
  SIZE n = 0;
  while (s[n] && !strchr(set, s[n])) n++;
  return n;
}
char *strpbrk(const char *s, const char *set)
{
  s += strcspn(s, set);
  return *s ? (char *)s : (char *)0;
}
void __craig_read_bytes(const void *p, SIZE n);
/* Without a text in the first call (C11 7.24.5.8p2), glibc reads through a null pointer. */
char *strtok(char *s, const char *set)
{
  static char *rest;
  static int begun;
  if (s) { rest = s; begun = 1; }
  if (!begun) __craig_read_bytes((const void *)0, 1);
  if (!rest) return (char *)0;
  rest += strspn(rest, set);
  if (!*rest) { rest = (char *)0; return (char *)0; }
  char *word = rest;
  rest += strcspn(rest, set);
  if (*rest) *rest++ = 0; else rest = (char *)0;
  return word;
}
char *strdup(const char *s)
{
  char *d = (char *)__craig_allocate(strlen(s) + 1);
  return d ? strcpy(d, s) : (char *)0;
}
void *memset(void *d, int c, SIZE n)
{
  for (SIZE i = 0; i < n; i++) ((unsigned char *)d)[i] = (unsigned char)c;
  return d;
}
void *__builtin_memset(void *d, int c, SIZE n) { return memset(d, c, n); }
void bzero(void *d, SIZE n) { memset(d, 0, n); }
void *memcpy(void *d, const void *s, SIZE n)
{
  __craig_check_overlap(d, n, s, n);
  for (SIZE i = 0; i < n; i++) ((unsigned char *)d)[i] = ((const unsigned char *)s)[i];
  return d;
}
void *__builtin_memcpy(void *d, const void *s, SIZE n) { return memcpy(d, s, n); }
void *mempcpy(void *d, const void *s, SIZE n) { return (char *)memcpy(d, s, n) + n; }
void *memmove(void *d, const void *s, SIZE n)
{
  if ((const char *)d <= (const char *)s)
    for (SIZE i = 0; i < n; i++) ((unsigned char *)d)[i] = ((const unsigned char *)s)[i];
  else
    for (SIZE i = n; i > 0; i--) ((unsigned char *)d)[i - 1] = ((const unsigned char *)s)[i - 1];
  return d;
}
void *__builtin_memmove(void *d, const void *s, SIZE n) { return memmove(d, s, n); }
int __craig_exact_memcmp(const void *a, const void *b, SIZE n)
{
  /* The objects have n bytes, whichever decide (C11 7.24.4.1). */
  if (__craig_checks_memory()) { __craig_read_bytes(a, n); __craig_read_bytes(b, n); }
  for (SIZE i = 0; i < n; i++) {
    unsigned char x = ((const unsigned char *)a)[i], y = ((const unsigned char *)b)[i];
    if (x != y) return (int)x - (int)y;
  }
  return 0;
}
int memcmp(const void *a, const void *b, SIZE n) { return __craig_sign(__craig_exact_memcmp(a, b, n)); }
int __builtin_memcmp(const void *a, const void *b, SIZE n) { return memcmp(a, b, n); }
void *memchr(const void *s, int c, SIZE n)
{
  for (SIZE i = 0; i < n; i++)
    if (((const unsigned char *)s)[i] == (unsigned char)c) return (char *)s + i;
  return (void *)0;
}
void *realloc(void *p, SIZE n)
{
  unsigned char *d;
  /* Implementation-defined (C11 7.22.3.5, DR 400): glibc frees the object and returns null. */
  if (p && n == 0 && __craig_open("realloc to no bytes frees")) {
    free(p);
    return (void *)0;
  }
  d = (unsigned char *)malloc(n);
  if (!d) return (void *)0;
  if (p) {
    SIZE m = __craig_object_size(p);
    for (SIZE i = 0; i < n && i < m; i++) d[i] = ((unsigned char *)p)[i];
    free(p);
    __craig_moved(d);
  }
  return d;
}
/* Whether the locale may be another one than "C", in which a program starts (C11 7.11.1.1). What asks is not what sets it, so that
   calls that ask are in no conflict. */
int *__craig_locale(void) { static int is_other; return &is_other; }
int __craig_other_locale(void) { return *__craig_locale(); }
void __craig_ascii(int c)
{
  if (__craig_other_locale() && (c < 0 || c > 127)) __craig_unsupported("a character that is not ASCII, in a locale other than C");
}
void __craig_needs_c_locale(void)
{
  if (__craig_other_locale()) __craig_unsupported("what depends on the locale, in one other than C");
}
int __craig_exact_isdigit(int c) { return c >= '0' && c <= '9'; }
int isdigit(int c) { return __craig_truth(__craig_exact_isdigit(c)); }
int __craig_exact_isupper(int c) { __craig_ascii(c); return c >= 'A' && c <= 'Z'; }
int isupper(int c) { return __craig_truth(__craig_exact_isupper(c)); }
int __craig_exact_islower(int c) { __craig_ascii(c); return c >= 'a' && c <= 'z'; }
int islower(int c) { return __craig_truth(__craig_exact_islower(c)); }
int __craig_exact_isalpha(int c) { __craig_ascii(c); return isupper(c) || islower(c); }
int isalpha(int c) { return __craig_truth(__craig_exact_isalpha(c)); }
int __craig_exact_isalnum(int c) { __craig_ascii(c); return isalpha(c) || isdigit(c); }
int isalnum(int c) { return __craig_truth(__craig_exact_isalnum(c)); }
int __craig_exact_isspace(int c) { __craig_ascii(c); return c == ' ' || (c >= 9 && c <= 13); }
int isspace(int c) { return __craig_truth(__craig_exact_isspace(c)); }
int __craig_exact_isblank(int c) { __craig_ascii(c); return c == ' ' || c == 9; }
int isblank(int c) { return __craig_truth(__craig_exact_isblank(c)); }
int __craig_exact_isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int isxdigit(int c) { return __craig_truth(__craig_exact_isxdigit(c)); }
int __craig_exact_isprint(int c) { __craig_ascii(c); return c >= 32 && c < 127; }
int isprint(int c) { return __craig_truth(__craig_exact_isprint(c)); }
int __craig_exact_iscntrl(int c) { __craig_ascii(c); return (c >= 0 && c < 32) || c == 127; }
int iscntrl(int c) { return __craig_truth(__craig_exact_iscntrl(c)); }
int __craig_exact_isgraph(int c) { __craig_ascii(c); return c > 32 && c < 127; }
int isgraph(int c) { return __craig_truth(__craig_exact_isgraph(c)); }
int __craig_exact_ispunct(int c) { __craig_ascii(c); return isgraph(c) && !isalnum(c); }
int ispunct(int c) { return __craig_truth(__craig_exact_ispunct(c)); }
/* Numbers that depend on nothing but the seed and how many there were since (C11 7.22.2). Some are remembered; others are any. */
int __craig_random(int starts, unsigned seed)
{
  static unsigned seeds[8], places[8], current = 1, n;
  static int values[8], used;
  int value;
  if (starts) { current = seed; n = 0; return 0; }
  n++;
  for (int i = 0; i < used; i++) if (seeds[i] == current && places[i] == n) return values[i];
  value = __craig_open("rand gives");
  __builtin_assume(value >= 0);
  if (used < 8) { seeds[used] = current; places[used] = n; values[used++] = value; }
  return value;
}
int toupper(int c) { __craig_ascii(c); return islower(c) ? c - 32 : c; }
int tolower(int c) { __craig_ascii(c); return isupper(c) ? c + 32 : c; }
/* glibc's tables of the C locale, which the macros of <ctype.h> read; characters from -128 on. */
const unsigned short **__ctype_b_loc(void)
{
  static const unsigned short kinds[384] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 8195, 8194, 8194, 8194, 8194, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    24577, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156,
    55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 49156, 49156, 49156, 49156, 49156, 49156,
    49156, 54536, 54536, 54536, 54536, 54536, 54536, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440,
    50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 49156, 49156, 49156, 49156, 49156,
    49156, 54792, 54792, 54792, 54792, 54792, 54792, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696,
    50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 49156, 49156, 49156, 49156, 2,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
  static const unsigned short *start;
  start = kinds + 128;
  return &start;
}
int atoi(const char *s)
{
  int n = 0, sign = 1;
  while (isspace((unsigned char)*s)) s++;
  if (*s == '-') { sign = -1; s++; } else if (*s == '+') s++;
  while (isdigit((unsigned char)*s)) n = n * 10 + (*s++ - '0');
  return sign * n;
}
double fmax(double a, double b) { if (a != a) return b; if (b != b) return a; return a > b ? a : b; }
double fmin(double a, double b) { if (a != a) return b; if (b != b) return a; return a < b ? a : b; }
float fmaxf(float a, float b) { if (a != a) return b; if (b != b) return a; return a > b ? a : b; }
float fminf(float a, float b) { if (a != a) return b; if (b != b) return a; return a < b ? a : b; }
double fdim(double a, double b) { if (a != a) return a; if (b != b) return b; return a > b ? a - b : 0.0; }
int *__errno_location(void)
{
  static int number;
  return &number;
}
unsigned long long __craig_number(const char *s, char **end, int base, unsigned long long most, unsigned long long least)
{
  const char *p = s;
  int negative = 0, any = 0, over = 0;
  unsigned long long v = 0, limit;
  if (base < 0 || base == 1 || base > 36) {
    /* EINVAL */
    *__errno_location() = 22;
    if (end) *end = (char *)s;
    return 0;
  }
  while (isspace((unsigned char)*p)) p++;
  if (*p == '-') { negative = 1; p++; } else if (*p == '+') p++;
  if ((base == 0 || base == 16) && *p == '0' && (p[1] == 'x' || p[1] == 'X') && isxdigit((unsigned char)p[2])) {
    base = 16;
    p += 2;
  }
  if (base == 0) base = *p == '0' ? 8 : 10;
  limit = negative ? least : most;
  for (;; p++) {
    unsigned d;
    if (isdigit((unsigned char)*p)) d = (unsigned)(*p - '0');
    else if (isalpha((unsigned char)*p)) d = (unsigned)(tolower((unsigned char)*p) - 'a' + 10);
    else break;
    if (d >= (unsigned)base) break;
    any = 1;
    if (v > (limit - d) / (unsigned)base) over = 1;
    else v = v * (unsigned)base + d;
  }
  if (end) *end = (char *)(any ? p : s);
  /* ERANGE */
  if (over) *__errno_location() = 34;
  /* Too large a negative number is the largest one, too, where there are no negative ones. */
  if (over) return negative && least != most ? 0 - least : most;
  return negative ? 0 - v : v;
}
long strtol(const char *s, char **end, int base)
{
  unsigned long most = (unsigned long)-1 >> 1;
  return (long)__craig_number(s, end, base, most, (unsigned long long)most + 1);
}
long long strtoll(const char *s, char **end, int base)
{
  unsigned long long most = (unsigned long long)-1 >> 1;
  return (long long)__craig_number(s, end, base, most, most + 1);
}
unsigned long strtoul(const char *s, char **end, int base)
{
  unsigned long most = (unsigned long)-1;
  return (unsigned long)__craig_number(s, end, base, most, most);
}
unsigned long long strtoull(const char *s, char **end, int base)
{
  unsigned long long most = (unsigned long long)-1;
  return __craig_number(s, end, base, most, most);
}
long atol(const char *s) { return strtol(s, (char **)0, 10); }
long long atoll(const char *s) { return strtoll(s, (char **)0, 10); }
/* Of elements that compare equal the order is open (C11 7.22.5.2p4), as is which of them is found. */
int __craig_is_behind(int order, const char *a, const char *b, SIZE size)
{
  if (order != 0) return order > 0;
  return __craig_exact_memcmp(a, b, size) != 0 && __craig_open("the order of equal elements");
}
void __craig_exchange(char *a, char *b, SIZE size)
{
  SIZE k = 0;
  /* Pointers are moved whole. */
  if (size % sizeof(SIZE) == 0)
    for (; k < size; k += sizeof(SIZE)) {
      SIZE w = *(SIZE *)(a + k);
      *(SIZE *)(a + k) = *(SIZE *)(b + k);
      *(SIZE *)(b + k) = w;
    }
  for (; k < size; k++) {
    char c = a[k];
    a[k] = b[k];
    b[k] = c;
  }
}
void qsort(void *base, SIZE n, SIZE size, int (*compare)(const void *, const void *))
{
  char *b = (char *)base;
  for (SIZE i = 1; i < n; i++)
    for (SIZE j = i; j > 0; j--) {
      char *one = b + (j - 1) * size, *other = b + j * size;
      if (!__craig_is_behind(compare(one, other), one, other, size)) break;
      __craig_exchange(one, other, size);
    }
}
void qsort_r(void *base, SIZE n, SIZE size, int (*compare)(const void *, const void *, void *), void *more)
{
  char *b = (char *)base;
  for (SIZE i = 1; i < n; i++)
    for (SIZE j = i; j > 0; j--) {
      char *one = b + (j - 1) * size, *other = b + j * size;
      if (!__craig_is_behind(compare(one, other, more), one, other, size)) break;
      __craig_exchange(one, other, size);
    }
}
void *bsearch(const void *key, const void *base, SIZE n, SIZE size, int (*compare)(const void *, const void *))
{
  SIZE low = 0, all = n;
  while (low < n) {
    SIZE middle = low + (n - low) / 2;
    const char *at = (const char *)base + middle * size;
    int order = compare(key, at);
    if (order == 0) {
      while (middle > 0 && compare(key, (const char *)base + (middle - 1) * size) == 0) middle--;
      while (middle + 1 < all && compare(key, (const char *)base + (middle + 1) * size) == 0 && __craig_open("which of equal elements is found"))
        middle++;
      return (char *)base + middle * size;
    }
    if (order < 0) n = middle; else low = middle + 1;
  }
  return (void *)0;
}
int __craig_handlers(void (*handler)(void))
{
  static void (*handlers[64])(void);
  static int n;
  if (handler) {
    if (n == 64) return 1;
    handlers[n++] = handler;
    return 0;
  }
  while (n > 0) handlers[--n]();
  return 0;
}
int atexit(void (*handler)(void)) { return __craig_handlers(handler); }
/* A second call of `exit` has no defined effect (C11 7.22.4.4p2). */
void __craig_ends_once(void)
{
  static int ended;
  if (ended) __craig_unsupported("`exit` in a function that runs at the end of the program");
  ended = 1;
}
int __craig_quick_handlers(void (*handler)(void))
{
  static void (*handlers[64])(void);
  static int n;
  if (handler) {
    if (n == 64) return 1;
    handlers[n++] = handler;
    return 0;
  }
  while (n > 0) handlers[--n]();
  return 0;
}
int at_quick_exit(void (*handler)(void)) { return __craig_quick_handlers(handler); }
void quick_exit(int code) { __craig_quick_handlers((void (*)(void))0); _Exit(code); }
/* As glibc does: an int that is 0 before the first call. */
int pthread_once(int *control, void (*start)(void))
{
  if (*control == 0) {
    *control = 1;
    start();
    *control = 2;
  }
  return 0;
}
void call_once(int *control, void (*start)(void)) { pthread_once(control, start); }
/* As glibc does: the exact difference, rounded once. */
double difftime(long to, long from)
{
  if (to < from) return -(double)((unsigned long)from - (unsigned long)to);
  return (double)((unsigned long)to - (unsigned long)from);
}
/* The modes of x86; craig's own object has their upper bits. */
extern int __CPROVER_rounding_mode;
int fegetround(void) { return (int)((unsigned)__CPROVER_rounding_mode << 10); }
int fesetround(int mode)
{
  if (mode & ~0xc00) return 1;
  __CPROVER_rounding_mode = mode >> 10;
  return 0;
}
/* x modulo y, both positive and finite; whether the quotient is odd. */
double __craig_modulo(double x, double y, int *odd)
{
  double t = y;
  *odd = 0;
  if (x < y) return x;
  while (x - t >= t) t = t + t;
  for (;;) {
    *odd = x >= t;
    if (x >= t) x = x - t;
    if (t == y) return x;
    t = t * 0.5;
  }
}
double fmod(double x, double y)
{
  double a = fabs(x), b = fabs(y), r;
  int odd;
  if (x != x || y != y || a == __builtin_inf() || b == 0.0) return __builtin_nan("");
  r = b == __builtin_inf() ? a : __craig_modulo(a, b, &odd);
  return copysign(r, x);
}
double remainder(double x, double y)
{
  double a = fabs(x), b = fabs(y), r;
  int odd;
  if (x != x || y != y || a == __builtin_inf() || b == 0.0) return __builtin_nan("");
  if (b == __builtin_inf()) return x;
  r = __craig_modulo(a, b, &odd);
  /* b - r is exact from b / 2 on. */
  if (r > b - r || (r == b - r && odd)) r = r - b;
  if (r == 0.0) return copysign(r, x);
  return __builtin_signbit(x) ? -r : r;
}
double drem(double x, double y) { return remainder(x, y); }
/* Exact, so that the detour changes nothing. */
float fmodf(float x, float y) { return (float)fmod((double)x, (double)y); }
float remainderf(float x, float y) { return (float)remainder((double)x, (double)y); }
double modf(double x, double *whole)
{
  *whole = trunc(x);
  if (fabs(x) == __builtin_inf()) return copysign(0.0, x);
  return copysign(x - *whole, x);
}
float modff(float x, float *whole)
{
  *whole = truncf(x);
  if (fabsf(x) == __builtin_inff()) return copysignf(0.0f, x);
  return copysignf(x - *whole, x);
}
double frexp(double x, int *exponent)
{
  union { double d; unsigned long long u; } bits;
  int e = 0;
  *exponent = 0;
  if (x == 0.0 || x != x || fabs(x) == __builtin_inf()) return x;
  bits.d = x;
  if ((bits.u >> 52 & 2047) == 0) {
    bits.d = x * 18014398509481984.0;
    e = -54;
  }
  *exponent = (int)(bits.u >> 52 & 2047) - 1022 + e;
  bits.u = (bits.u & 0x800fffffffffffffull) | 0x3fe0000000000000ull;
  return bits.d;
}
float frexpf(float x, int *exponent) { return (float)frexp((double)x, exponent); }
double logb(double x)
{
  int e;
  if (x != x) return x;
  if (x == 0.0) return -__builtin_inf();
  if (fabs(x) == __builtin_inf()) return __builtin_inf();
  frexp(x, &e);
  return (double)(e - 1);
}
float logbf(float x) { return (float)logb((double)x); }
int ilogb(double x)
{
  int e;
  if (x != x || x == 0.0) return -2147483647 - 1;
  if (fabs(x) == __builtin_inf()) return 2147483647;
  frexp(x, &e);
  return e - 1;
}
int ilogbf(float x) { return ilogb((double)x); }
double nextafter(double x, double y)
{
  union { double d; unsigned long long u; } bits;
  if (x != x || y != y) return __builtin_nan("");
  if (x == y) return y;
  bits.d = x;
  if (x == 0.0) {
    bits.u = 1;
    return copysign(bits.d, y);
  }
  if ((x < y) == (x > 0.0)) bits.u = bits.u + 1; else bits.u = bits.u - 1;
  return bits.d;
}
float nextafterf(float x, float y)
{
  union { float f; unsigned u; } bits;
  if (x != x || y != y) return __builtin_nanf("");
  if (x == y) return y;
  bits.f = x;
  if (x == 0.0f) {
    bits.u = 1;
    return copysignf(bits.f, y);
  }
  if ((x < y) == (x > 0.0f)) bits.u = bits.u + 1; else bits.u = bits.u - 1;
  return bits.f;
}
float fdimf(float a, float b) { if (a != a) return a; if (b != b) return b; return a > b ? a - b : 0.0f; }
long double fmaxl(long double a, long double b) { if (a != a) return b; if (b != b) return a; return a > b ? a : b; }
long double fminl(long double a, long double b) { if (a != a) return b; if (b != b) return a; return a < b ? a : b; }
int __craig_exact_strcasecmp(const char *a, const char *b)
{
  SIZE i = 0;
  while (a[i] && tolower((unsigned char)a[i]) == tolower((unsigned char)b[i])) i++;
  return tolower((unsigned char)a[i]) - tolower((unsigned char)b[i]);
}
int strcasecmp(const char *a, const char *b) { return __craig_sign(__craig_exact_strcasecmp(a, b)); }
int __craig_exact_strncasecmp(const char *a, const char *b, SIZE n)
{
  SIZE i = 0;
  if (n == 0) return 0;
  while (i < n - 1 && a[i] && tolower((unsigned char)a[i]) == tolower((unsigned char)b[i])) i++;
  return tolower((unsigned char)a[i]) - tolower((unsigned char)b[i]);
}
int strncasecmp(const char *a, const char *b, SIZE n) { return __craig_sign(__craig_exact_strncasecmp(a, b, n)); }
int strcoll(const char *a, const char *b) { __craig_needs_c_locale(); return strcmp(a, b); }
char *strndup(const char *s, SIZE n)
{
  SIZE m = strnlen(s, n);
  char *d = (char *)__craig_allocate(m + 1);
  if (!d) return (char *)0;
  for (SIZE i = 0; i < m; i++) d[i] = s[i];
  d[m] = 0;
  return d;
}
char *stpncpy(char *d, const char *s, SIZE n)
{
  SIZE i = 0;
  if (__craig_checks_overlap()) __craig_check_overlap(d, n, s, __craig_copied_length(s, n));
  for (; i < n && s[i]; i++) d[i] = s[i];
  char *end = d + i;
  for (; i < n; i++) d[i] = 0;
  return end;
}
char *strchrnul(const char *s, int c)
{
  while (*s && *s != (char)c) s++;
  return (char *)s;
}
char *strtok_r(char *s, const char *set, char **rest)
{
  if (!s) s = *rest;
  if (!s) { __craig_read_bytes((const void *)0, 1); return (char *)0; }
  s += strspn(s, set);
  if (!*s) { *rest = s; return (char *)0; }
  char *word = s;
  s += strcspn(s, set);
  if (*s) *s++ = 0;
  *rest = s;
  return word;
}
char *strsep(char **s, const char *set)
{
  char *word = *s, *end;
  if (!word) return (char *)0;
  end = word + strcspn(word, set);
  if (*end) { *end = 0; *s = end + 1; } else *s = (char *)0;
  return word;
}
void *memccpy(void *d, const void *s, int c, SIZE n)
{
  if (__craig_checks_overlap()) {
    SIZE k = 0;
    while (k < n && ((const unsigned char *)s)[k] != (unsigned char)c) k++;
    if (k < n) k++;
    __craig_check_overlap(d, k, s, k);
  }
  for (SIZE i = 0; i < n; i++) {
    ((unsigned char *)d)[i] = ((const unsigned char *)s)[i];
    if (((const unsigned char *)s)[i] == (unsigned char)c) return (char *)d + i + 1;
  }
  return (void *)0;
}
void *rawmemchr(const void *s, int c)
{
  const unsigned char *p = s;
  while (*p != (unsigned char)c) p++;
  return (void *)p;
}
void *memrchr(const void *s, int c, SIZE n)
{
  while (n > 0)
    if (((const unsigned char *)s)[--n] == (unsigned char)c) return (char *)s + n;
  return (void *)0;
}
void *memmem(const void *s, SIZE n, const void *t, SIZE m)
{
  for (SIZE i = 0; i + m <= n; i++)
    if (memcmp((const char *)s + i, t, m) == 0) return (char *)s + i;
  return (void *)0;
}
int bcmp(const void *a, const void *b, SIZE n) { return memcmp(a, b, n); }
void bcopy(const void *s, void *d, SIZE n) { memmove(d, s, n); }
SIZE wcslen(const int *s) { SIZE n = 0; while (s[n]) n++; return n; }
int __craig_exact_wcscmp(const int *a, const int *b)
{
  SIZE i = 0;
  while (a[i] && a[i] == b[i]) i++;
  return a[i] < b[i] ? -1 : a[i] > b[i];
}
int wcscmp(const int *a, const int *b) { return __craig_sign(__craig_exact_wcscmp(a, b)); }
int __craig_exact_wcsncmp(const int *a, const int *b, SIZE n)
{
  for (SIZE i = 0; i < n; i++) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    if (!a[i]) return 0;
  }
  return 0;
}
int wcsncmp(const int *a, const int *b, SIZE n) { return __craig_sign(__craig_exact_wcsncmp(a, b, n)); }
int *wcscpy(int *d, const int *s)
{
  SIZE i = 0;
  if (__craig_checks_overlap()) __craig_check_overlap(d, (wcslen(s) + 1) * sizeof(int), s, (wcslen(s) + 1) * sizeof(int));
  while ((d[i] = s[i])) i++;
  return d;
}
int *wcsncpy(int *d, const int *s, SIZE n)
{
  SIZE i = 0;
  if (__craig_checks_overlap()) {
    while (i < n && s[i]) i++;
    __craig_check_overlap(d, n * sizeof(int), s, (i < n ? i + 1 : n) * sizeof(int));
    i = 0;
  }
  for (; i < n && s[i]; i++) d[i] = s[i];
  for (; i < n; i++) d[i] = 0;
  return d;
}
int *wcscat(int *d, const int *s) { wcscpy(d + wcslen(d), s); return d; }
int *wcschr(const int *s, int c)
{
  for (;; s++) {
    if (*s == c) return (int *)s;
    if (!*s) return (int *)0;
  }
}
int *wcsrchr(const int *s, int c)
{
  int *found = (int *)0;
  for (;; s++) {
    if (*s == c) found = (int *)s;
    if (!*s) return found;
  }
}
int *wmemset(int *d, int c, SIZE n) { for (SIZE i = 0; i < n; i++) d[i] = c; return d; }
int *wmemcpy(int *d, const int *s, SIZE n) { __craig_check_overlap(d, n * sizeof(int), s, n * sizeof(int)); for (SIZE i = 0; i < n; i++) d[i] = s[i]; return d; }
int __craig_exact_wmemcmp(const int *a, const int *b, SIZE n)
{
  if (__craig_checks_memory()) { __craig_read_bytes(a, n * sizeof(int)); __craig_read_bytes(b, n * sizeof(int)); }
  for (SIZE i = 0; i < n; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}
int wmemcmp(const int *a, const int *b, SIZE n) { return __craig_sign(__craig_exact_wmemcmp(a, b, n)); }
