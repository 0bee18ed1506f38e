/* <wctype.h> and <wchar.h> in the C locale, in which a wide character is a byte below 128, as glibc has it. */
int __craig_exact_iswalpha(unsigned c) { return c < 128 && __craig_exact_isalpha((int)c); }
int iswalpha(unsigned c) { return __craig_truth(__craig_exact_iswalpha(c)); }
int __craig_exact_iswdigit(unsigned c) { return c < 128 && __craig_exact_isdigit((int)c); }
int iswdigit(unsigned c) { return __craig_truth(__craig_exact_iswdigit(c)); }
int __craig_exact_iswalnum(unsigned c) { return c < 128 && __craig_exact_isalnum((int)c); }
int iswalnum(unsigned c) { return __craig_truth(__craig_exact_iswalnum(c)); }
int __craig_exact_iswspace(unsigned c) { return c < 128 && __craig_exact_isspace((int)c); }
int iswspace(unsigned c) { return __craig_truth(__craig_exact_iswspace(c)); }
int __craig_exact_iswblank(unsigned c) { return c < 128 && __craig_exact_isblank((int)c); }
int iswblank(unsigned c) { return __craig_truth(__craig_exact_iswblank(c)); }
int __craig_exact_iswupper(unsigned c) { return c < 128 && __craig_exact_isupper((int)c); }
int iswupper(unsigned c) { return __craig_truth(__craig_exact_iswupper(c)); }
int __craig_exact_iswlower(unsigned c) { return c < 128 && __craig_exact_islower((int)c); }
int iswlower(unsigned c) { return __craig_truth(__craig_exact_iswlower(c)); }
int __craig_exact_iswxdigit(unsigned c) { return c < 128 && __craig_exact_isxdigit((int)c); }
int iswxdigit(unsigned c) { return __craig_truth(__craig_exact_iswxdigit(c)); }
int __craig_exact_iswpunct(unsigned c) { return c < 128 && __craig_exact_ispunct((int)c); }
int iswpunct(unsigned c) { return __craig_truth(__craig_exact_iswpunct(c)); }
int __craig_exact_iswprint(unsigned c) { return c < 128 && __craig_exact_isprint((int)c); }
int iswprint(unsigned c) { return __craig_truth(__craig_exact_iswprint(c)); }
int __craig_exact_iswgraph(unsigned c) { return c < 128 && __craig_exact_isgraph((int)c); }
int iswgraph(unsigned c) { return __craig_truth(__craig_exact_iswgraph(c)); }
int __craig_exact_iswcntrl(unsigned c) { return c < 128 && __craig_exact_iscntrl((int)c); }
int iswcntrl(unsigned c) { return __craig_truth(__craig_exact_iswcntrl(c)); }
unsigned towlower(unsigned c) { return c - 'A' < 26u ? c + 32 : c; }
unsigned towupper(unsigned c) { return c - 'a' < 26u ? c - 32 : c; }
SIZE wcsnlen(const int *s, SIZE m) { SIZE n = 0; while (n < m && s[n]) n++; return n; }
int *wcpcpy(int *d, const int *s) { SIZE i = 0; while ((d[i] = s[i])) i++; return d + i; }
int *wcpncpy(int *d, const int *s, SIZE n)
{
  SIZE i = 0;
  for (; i < n && s[i]; i++) d[i] = s[i];
  int *end = d + i;
  for (; i < n; i++) d[i] = 0;
  return end;
}
int *wcsncat(int *d, const int *s, SIZE n)
{
  SIZE k = wcslen(d), i = 0;
  for (; i < n && s[i]; i++) d[k + i] = s[i];
  d[k + i] = 0;
  return d;
}
int *wcsstr(const int *s, const int *t)
{
  SIZE n = wcslen(t);
  for (;; s++) {
    if (wcsncmp(s, t, n) == 0) return (int *)s;
    if (!*s) return (int *)0;
  }
}
SIZE wcsspn(const int *s, const int *set) { SIZE n = 0; while (s[n] && wcschr(set, s[n])) n++; return n; }
SIZE wcscspn(const int *s, const int *set) { SIZE n = 0; while (s[n] && !wcschr(set, s[n])) n++; return n; }
int *wcspbrk(const int *s, const int *set) { s += wcscspn(s, set); return *s ? (int *)s : (int *)0; }
int *wcstok(int *s, const int *set, int **rest)
{
  if (!s) s = *rest;
  if (!s) return (int *)0;
  s += wcsspn(s, set);
  if (!*s) { *rest = (int *)0; return (int *)0; }
  int *word = s;
  s += wcscspn(s, set);
  if (*s) { *s = 0; *rest = s + 1; } else *rest = (int *)0;
  return word;
}
int *wcschrnul(const int *s, int c) { while (*s && *s != c) s++; return (int *)s; }
int *wcsdup(const int *s)
{
  int *d = (int *)__craig_allocate((wcslen(s) + 1) * sizeof(int));
  return d ? wcscpy(d, s) : (int *)0;
}
int wcscoll(const int *a, const int *b) { __craig_needs_c_locale(); return wcscmp(a, b); }
int wcscasecmp(const int *a, const int *b)
{
  SIZE i = 0;
  while (a[i] && towlower((unsigned)a[i]) == towlower((unsigned)b[i])) i++;
  int x = (int)towlower((unsigned)a[i]), y = (int)towlower((unsigned)b[i]);
  return __craig_sign(x < y ? -1 : x > y);
}
int wcsncasecmp(const int *a, const int *b, SIZE n)
{
  for (SIZE i = 0; i < n; i++) {
    int x = (int)towlower((unsigned)a[i]), y = (int)towlower((unsigned)b[i]);
    if (x != y) return __craig_sign(x < y ? -1 : 1);
    if (!x) return 0;
  }
  return 0;
}
int *wmemchr(const int *s, int c, SIZE n)
{
  for (SIZE i = 0; i < n; i++) if (s[i] == c) return (int *)s + i;
  return (int *)0;
}
int *wmemmove(int *d, const int *s, SIZE n) { memmove(d, s, n * sizeof(int)); return d; }
int *wmempcpy(int *d, const int *s, SIZE n) { return wmemcpy(d, s, n) + n; }
/* Whether a wide text is a number is decided on its characters; what is not ASCII ends the number. */
unsigned long long __craig_wide_number(const int *s, int **end, int base, unsigned long long most, unsigned long long least)
{
  const int *p = s;
  int negative = 0, any = 0, over = 0;
  unsigned long long v = 0, limit;
  if (base < 0 || base == 1 || base > 36) {
    *__errno_location() = 22;
    if (end) *end = (int *)s;
    return 0;
  }
  while (__craig_exact_iswspace((unsigned)*p)) p++;
  if (*p == '-') { negative = 1; p++; } else if (*p == '+') p++;
  if ((base == 0 || base == 16) && *p == '0' && (p[1] == 'x' || p[1] == 'X') && __craig_exact_iswxdigit((unsigned)p[2])) {
    base = 16;
    p += 2;
  }
  if (base == 0) base = *p == '0' ? 8 : 10;
  limit = negative ? least : most;
  for (;; p++) {
    unsigned d;
    if (__craig_exact_iswdigit((unsigned)*p)) d = (unsigned)(*p - '0');
    else if (__craig_exact_iswalpha((unsigned)*p)) d = towlower((unsigned)*p) - 'a' + 10;
    else break;
    if (d >= (unsigned)base) break;
    any = 1;
    if (v > (limit - d) / (unsigned)base) over = 1;
    else v = v * (unsigned)base + d;
  }
  if (end) *end = (int *)(any ? p : s);
  if (over) *__errno_location() = 34;
  if (over) return negative && least != most ? 0 - least : most;
  return negative ? 0 - v : v;
}
long wcstol(const int *s, int **end, int base)
{
  unsigned long most = (unsigned long)-1 >> 1;
  return (long)__craig_wide_number(s, end, base, most, (unsigned long long)most + 1);
}
long long wcstoll(const int *s, int **end, int base)
{
  unsigned long long most = (unsigned long long)-1 >> 1;
  return (long long)__craig_wide_number(s, end, base, most, most + 1);
}
unsigned long wcstoul(const int *s, int **end, int base)
{
  unsigned long most = (unsigned long)-1;
  return (unsigned long)__craig_wide_number(s, end, base, most, most);
}
unsigned long long wcstoull(const int *s, int **end, int base)
{
  unsigned long long most = (unsigned long long)-1;
  return __craig_wide_number(s, end, base, most, most);
}
/* Multibyte characters: one byte each. A byte from 128 on is none; glibc's error is EILSEQ. */
int mbtowc(int *to, const char *s, SIZE n)
{
  if (!s) return 0;
  if (n == 0) return -1;
  if (*s < 0) { *__errno_location() = 84; return -1; }
  if (to) *to = *s;
  return *s != 0;
}
int mblen(const char *s, SIZE n) { return mbtowc((int *)0, s, n); }
int wctomb(char *s, int c)
{
  if (!s) return 0;
  if (c < 0 || c > 127) { *__errno_location() = 84; return -1; }
  *s = (char)c;
  return 1;
}
SIZE mbstowcs(int *to, const char *s, SIZE n)
{
  SIZE i = 0;
  for (; !to || i < n; i++) {
    if (s[i] < 0) { *__errno_location() = 84; return (SIZE)-1; }
    if (to) to[i] = s[i];
    if (!s[i]) break;
  }
  return i;
}
SIZE wcstombs(char *to, const int *s, SIZE n)
{
  SIZE i = 0;
  for (; !to || i < n; i++) {
    if (s[i] < 0 || s[i] > 127) { *__errno_location() = 84; return (SIZE)-1; }
    if (to) to[i] = (char)s[i];
    if (!s[i]) break;
  }
  return i;
}
int btowc(int c) { return c >= 0 && c < 128 ? c : -1; }
int wctob(unsigned c) { return c < 128 ? (int)c : -1; }
int mbsinit(const void *state) { return 1; }
SIZE mbrtowc(int *to, const char *s, SIZE n, void *state)
{
  if (!s) return 0;
  if (n == 0) return (SIZE)-2;
  return (SIZE)(long)mbtowc(to, s, n);
}
SIZE mbrlen(const char *s, SIZE n, void *state) { return mbrtowc((int *)0, s, n, state); }
SIZE wcrtomb(char *s, int c, void *state) { return s ? (SIZE)(long)wctomb(s, c) : 1; }
int wcwidth(int c) { return c == 0 ? 0 : c >= 32 && c < 127 ? 1 : -1; }
