/* errno (C11 7.5), and texts of the environment. */
void __craig_may_set_errno(void)
{
  int number = __craig_open("errno is set");
  if (number > 0) *__errno_location() = number;
}
/* A function that is not known may store anything. */
void __craig_any_errno(void) { *__errno_location() = __craig_open("errno is set"); }
void __craig_errno_of_null(const void *p) { if (!p) __craig_may_set_errno(); }
/* Of a mathematical function with a result that tells of a domain or range error (C11 7.12.1). */
void __craig_errno_of_float(double r, int underflows)
{
  if (r != r || fabs(r) == __builtin_inf() || (underflows && fabs(r) < 0x1p-1022)) __craig_may_set_errno();
}
void __craig_errno_of_single(float r, int underflows)
{
  if (r != r || fabsf(r) == __builtin_inff() || (underflows && fabsf(r) < 0x1p-126f)) __craig_may_set_errno();
}
/* A name leads to the text of its first call, or to none. */
char *getenv(const char *name)
{
  static const char *names[3];
  static int known, found[3];
  for (int i = 0; i < known; i++)
    if (__craig_exact_strcmp(names[i], name) == 0) return found[i] ? __craig_environment(i) : (char *)0;
  if (known == 3) __craig_unsupported("more than three names of the environment");
  names[known] = name;
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
  if (!name) return __craig_other_locale(0) ? __craig_message() : (char *)"C";
  if (__craig_exact_strcmp(name, "C") == 0 || __craig_exact_strcmp(name, "POSIX") == 0) return (char *)"C";
  if (__craig_open("a locale is there") == 0) return (char *)0;
  __craig_other_locale(1);
  return __craig_message();
}
/* Objects start at multiples of every alignment that is a power of two; other alignments are refused as glibc does it. */
void *aligned_alloc(SIZE alignment, SIZE n)
{
  if (alignment == 0 || (alignment & (alignment - 1))) { *__errno_location() = 22; return (void *)0; }
  return malloc(n);
}
void *memalign(SIZE alignment, SIZE n) { return malloc(n); }
int posix_memalign(void **to, SIZE alignment, SIZE n)
{
  if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return 22;
  void *p = malloc(n);
  if (!p && n) return 12;
  *to = p;
  return 0;
}
