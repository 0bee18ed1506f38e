char *__craig_start(void *p) { return (char *)p - __CPROVER_POINTER_OFFSET(p); }
void __craig_array_copy(void *d, void *s)
{
  SIZE n = __craig_object_size(d);
  if (n != __craig_object_size(s)) __craig_unsupported("`__CPROVER_array_copy` of objects of different sizes");
  __builtin_memcpy(__craig_start(d), __craig_start(s), n);
}
void __craig_array_replace(void *d, void *s)
{
  SIZE n = __craig_object_size(d), m = __craig_object_size(s);
  __builtin_memcpy(__craig_start(d), __craig_start(s), n < m ? n : m);
}
_Bool __craig_array_equal(void *a, void *b)
{
  SIZE n = __craig_object_size(a);
  if (n != __craig_object_size(b)) return 0;
  return __craig_exact_memcmp(__craig_start(a), __craig_start(b), n) == 0;
}
void __craig_array_set_1(void *a, unsigned char v)
{
  SIZE n = __craig_object_size(a);
  unsigned char *p = (unsigned char *)__craig_start(a);
  for (SIZE i = 0; i < n; i++) p[i] = v;
}
void __craig_array_set_2(void *a, unsigned short v)
{
  SIZE n = __craig_object_size(a) / 2;
  unsigned short *p = (unsigned short *)__craig_start(a);
  for (SIZE i = 0; i < n; i++) p[i] = v;
}
void __craig_array_set_4(void *a, unsigned int v)
{
  SIZE n = __craig_object_size(a) / 4;
  unsigned int *p = (unsigned int *)__craig_start(a);
  for (SIZE i = 0; i < n; i++) p[i] = v;
}
void __craig_array_set_8(void *a, unsigned long long v)
{
  SIZE n = __craig_object_size(a) / 8;
  unsigned long long *p = (unsigned long long *)__craig_start(a);
  for (SIZE i = 0; i < n; i++) p[i] = v;
}
