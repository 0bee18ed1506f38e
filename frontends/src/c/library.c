/* Models of library functions. SIZE stands for the machine's size_t. */
SIZE strlen(const char *s) { SIZE n = 0; while (s[n]) n++; return n; }
SIZE __builtin_strlen(const char *s) { return strlen(s); }
SIZE strnlen(const char *s, SIZE m) { SIZE n = 0; while (n < m && s[n]) n++; return n; }
int strcmp(const char *a, const char *b)
{
  SIZE i = 0;
  while (a[i] && a[i] == b[i]) i++;
  return (int)(unsigned char)a[i] - (int)(unsigned char)b[i];
}
int __builtin_strcmp(const char *a, const char *b) { return strcmp(a, b); }
int strncmp(const char *a, const char *b, SIZE n)
{
  SIZE i = 0;
  if (n == 0) return 0;
  while (i < n - 1 && a[i] && a[i] == b[i]) i++;
  return (int)(unsigned char)a[i] - (int)(unsigned char)b[i];
}
char *strcpy(char *d, const char *s) { SIZE i = 0; while ((d[i] = s[i])) i++; return d; }
char *__builtin_strcpy(char *d, const char *s) { return strcpy(d, s); }
char *stpcpy(char *d, const char *s) { SIZE i = 0; while ((d[i] = s[i])) i++; return d + i; }
char *strncpy(char *d, const char *s, SIZE n)
{
  SIZE i = 0;
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
char *strrchr(const char *s, int c)
{
  char *found = (char *)0;
  for (;; s++) {
    if (*s == (char)c) found = (char *)s;
    if (!*s) return found;
  }
}
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
char *strtok(char *s, const char *set)
{
  static char *rest;
  if (s) rest = s;
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
  char *d = (char *)malloc(strlen(s) + 1);
  return strcpy(d, s);
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
int memcmp(const void *a, const void *b, SIZE n)
{
  for (SIZE i = 0; i < n; i++) {
    unsigned char x = ((const unsigned char *)a)[i], y = ((const unsigned char *)b)[i];
    if (x != y) return (int)x - (int)y;
  }
  return 0;
}
int __builtin_memcmp(const void *a, const void *b, SIZE n) { return memcmp(a, b, n); }
void *memchr(const void *s, int c, SIZE n)
{
  for (SIZE i = 0; i < n; i++)
    if (((const unsigned char *)s)[i] == (unsigned char)c) return (char *)s + i;
  return (void *)0;
}
void *realloc(void *p, SIZE n)
{
  unsigned char *d = (unsigned char *)malloc(n);
  if (p) {
    SIZE m = __craig_object_size(p);
    for (SIZE i = 0; i < n && i < m; i++) d[i] = ((unsigned char *)p)[i];
    free(p);
  }
  return d;
}
int isdigit(int c) { return c >= '0' && c <= '9'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isalpha(int c) { return isupper(c) || islower(c); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isspace(int c) { return c == ' ' || (c >= 9 && c <= 13); }
int isblank(int c) { return c == ' ' || c == 9; }
int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int isprint(int c) { return c >= 32 && c < 127; }
int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }
int isgraph(int c) { return c > 32 && c < 127; }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int toupper(int c) { return islower(c) ? c - 32 : c; }
int tolower(int c) { return isupper(c) ? c + 32 : c; }
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
