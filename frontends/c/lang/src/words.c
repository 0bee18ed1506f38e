/* Short functions of <arpa/inet.h>, <inttypes.h>, <stdlib.h>, <string.h>, <strings.h> and <ctype.h>. */
unsigned htonl(unsigned x) { return __builtin_bswap32(x); }
unsigned ntohl(unsigned x) { return __builtin_bswap32(x); }
unsigned short htons(unsigned short x) { return __builtin_bswap16(x); }
unsigned short ntohs(unsigned short x) { return __builtin_bswap16(x); }
int ffs(int x) { return __builtin_ffs(x); }
int ffsl(long x) { return __builtin_ffsl(x); }
int ffsll(long long x) { return __builtin_ffsll(x); }
long long strtoimax(const char *s, char **end, int base) { return strtoll(s, end, base); }
unsigned long long strtoumax(const char *s, char **end, int base) { return strtoull(s, end, base); }
long long wcstoimax(const int *s, int **end, int base) { return wcstoll(s, end, base); }
unsigned long long wcstoumax(const int *s, int **end, int base) { return wcstoull(s, end, base); }
char *index(const char *s, int c) { return strchr(s, c); }
char *rindex(const char *s, int c) { return strrchr(s, c); }
char *__builtin_index(const char *s, int c) { return strchr(s, c); }
char *__builtin_rindex(const char *s, int c) { return strrchr(s, c); }
void explicit_bzero(void *d, SIZE n) { memset(d, 0, n); }
void *memset_explicit(void *d, int c, SIZE n) { return memset(d, c, n); }
int isascii(int c) { return __craig_truth((c & ~127) == 0); }
int toascii(int c) { return c & 127; }
int _tolower(int c) { return c + 32; }
int _toupper(int c) { return c - 32; }
/* In the C locale a text is its own transformation (C11 7.24.4.5). */
SIZE strxfrm(char *d, const char *s, SIZE n)
{
  __craig_needs_c_locale();
  SIZE m = strlen(s);
  __craig_check_overlap(d, m < n ? m + 1 : n, s, m + 1);
  for (SIZE i = 0; i < n && i <= m; i++) d[i] = s[i];
  return m;
}
SIZE strlcpy(char *d, const char *s, SIZE n)
{
  SIZE m = strlen(s);
  __craig_check_overlap(d, m < n ? m + 1 : n, s, m + 1);
  for (SIZE i = 0; i < n; i++) {
    d[i] = i + 1 < n ? s[i] : 0;
    if (!d[i]) break;
  }
  return m;
}
SIZE strlcat(char *d, const char *s, SIZE n)
{
  SIZE k = strnlen(d, n);
  return k + (k == n ? strlen(s) : strlcpy(d + k, s, n - k));
}
char *strcasestr(const char *s, const char *t)
{
  SIZE n = strlen(t);
  for (;; s++) {
    if (__craig_exact_strncasecmp(s, t, n) == 0) return (char *)s;
    if (!*s) return (char *)0;
  }
}
void swab(const void *from, void *to, long n)
{
  for (long i = 0; i + 1 < n; i += 2) {
    char a = ((const char *)from)[i], b = ((const char *)from)[i + 1];
    ((char *)to)[i] = b;
    ((char *)to)[i + 1] = a;
  }
}
void *memfrob(void *s, SIZE n) { for (SIZE i = 0; i < n; i++) ((char *)s)[i] ^= 42; return s; }
void *reallocarray(void *p, SIZE n, SIZE size)
{
  if (size != 0 && n > (SIZE)-1 / size) { *__errno_location() = 12; return (void *)0; }
  return realloc(p, n * size);
}
/* Numbers of which only the range is known. */
double drand48(void)
{
  double x;
  __builtin_assume(x >= 0.0 && x < 1.0);
  return x;
}
double erand48(unsigned short *seed)
{
  for (int i = 0; i < 3; i++) { unsigned short any; seed[i] = any; }
  return drand48();
}
long nrand48(unsigned short *seed)
{
  long x;
  for (int i = 0; i < 3; i++) { unsigned short any; seed[i] = any; }
  __builtin_assume(x >= 0 && x <= 2147483647);
  return x;
}
long mrand48(void)
{
  long x;
  __builtin_assume(x >= -2147483647 - 1 && x <= 2147483647);
  return x;
}
long jrand48(unsigned short *seed)
{
  for (int i = 0; i < 3; i++) { unsigned short any; seed[i] = any; }
  return mrand48();
}
unsigned arc4random_uniform(unsigned limit)
{
  unsigned x;
  __builtin_assume(limit < 2 ? x == 0 : x < limit);
  return x;
}
void arc4random_buf(void *to, SIZE n) { for (SIZE i = 0; i < n; i++) { char any; ((char *)to)[i] = any; } }
/* Memory of the program that gets any values: the conventions of SV-COMP. */
void __VERIFIER_nondet_memory(void *to, SIZE n) { for (SIZE i = 0; i < n; i++) { char any; ((char *)to)[i] = any; } }
double nexttoward(double x, long double y)
{
  if (x != x || y != y) return __builtin_nan("");
  if ((long double)x == y) return (double)y;
  return nextafter(x, (long double)x < y ? __builtin_inf() : -__builtin_inf());
}
float nexttowardf(float x, long double y)
{
  if (x != x || y != y) return __builtin_nanf("");
  if ((long double)x == y) return (float)y;
  return nextafterf(x, (long double)x < y ? __builtin_inff() : -__builtin_inff());
}
double nextup(double x) { return x != x ? x : nextafter(x, __builtin_inf()); }
double nextdown(double x) { return x != x ? x : nextafter(x, -__builtin_inf()); }
float scalblnf(float x, long n) { return ldexpf(x, n > 3000 ? 3000 : n < -3000 ? -3000 : (int)n); }
/* The quotient's lowest three bits with its sign, as glibc gives them. */
double remquo(double x, double y, int *quotient)
{
  double a = fabs(x), b = fabs(y);
  int n = 0, negative = (__builtin_signbit(x) != 0) != (__builtin_signbit(y) != 0);
  *quotient = 0;
  if (x != x || y != y || a == __builtin_inf() || b == 0.0) return __builtin_nan("");
  if (b == __builtin_inf()) return x;
  if (b < 0x1p1020) a = fmod(a, b * 8.0);
  if (b < 0x1p1021 && a >= b * 4.0) { a = a - b * 4.0; n += 4; }
  if (b < 0x1p1022 && a >= b * 2.0) { a = a - b * 2.0; n += 2; }
  if (a >= b) { a = a - b; n += 1; }
  /* b - a is exact from b / 2 on. */
  if (a > b - a || (a == b - a && (n & 1))) { a = a - b; n += 1; }
  n &= 7;
  *quotient = negative ? -n : n;
  if (a == 0.0) return copysign(0.0, x);
  return __builtin_signbit(x) ? -a : a;
}
float remquof(float x, float y, int *quotient) { return (float)remquo((double)x, (double)y, quotient); }
/* The number of bits that repeat the sign. */
int __builtin_clrsb(int x) { return x < 0 ? (~x == 0 ? 31 : __builtin_clz((unsigned)~x) - 1) : x == 0 ? 31 : __builtin_clz((unsigned)x) - 1; }
int __builtin_clrsbll(long long x)
{
  unsigned long long u = x < 0 ? ~(unsigned long long)x : (unsigned long long)x;
  return u == 0 ? 63 : __builtin_clzll(u) - 1;
}
int __builtin_clrsbl(long x) { return sizeof(long) == 4 ? __builtin_clrsb((int)x) : __builtin_clrsbll((long long)x); }
