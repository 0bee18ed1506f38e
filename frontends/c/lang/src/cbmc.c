SIZE __craig_rest(void *p) { return __craig_object_size(p) - __CPROVER_POINTER_OFFSET(p); }
void __craig_array_copy(void *d, void *s)
{
  SIZE n = __craig_rest(d), m = __craig_rest(s);
  __builtin_memcpy(d, s, n < m ? n : m);
  if (m < n) __CPROVER_havoc_slice((char *)d + m, n - m);
}
void __craig_array_replace(void *d, void *s)
{
  SIZE n = __craig_rest(d), m = __craig_rest(s);
  __builtin_memcpy(d, s, n < m ? n : m);
}
_Bool __craig_array_equal(void *a, void *b)
{
  SIZE n = __craig_rest(a);
  if (n != __craig_rest(b)) return 0;
  return __craig_exact_memcmp(a, b, n) == 0;
}
void __craig_typed(void *a, _Bool is_array, _Bool is_any)
{
  if (!is_array && (is_any || !__CPROVER_DYNAMIC_OBJECT(a))) __craig_unsupported("`__CPROVER_array_set` of an object that may be no array of such elements");
}
void __craig_array_set_1(void *a, unsigned char v, _Bool is_array)
{
  __craig_typed(a, is_array, 0);
  SIZE n = __craig_rest(a);
  unsigned char *p = (unsigned char *)a;
  for (SIZE i = 0; i < n; i++) p[i] = v;
}
void __craig_array_set_2(void *a, unsigned short v, _Bool is_array)
{
  __craig_typed(a, is_array, v != 0);
  SIZE n = __craig_rest(a) / 2;
  unsigned short *p = (unsigned short *)a;
  for (SIZE i = 0; i < n; i++) p[i] = v;
}
void __craig_array_set_4(void *a, unsigned int v, _Bool is_array)
{
  __craig_typed(a, is_array, v != 0);
  SIZE n = __craig_rest(a) / 4;
  unsigned int *p = (unsigned int *)a;
  for (SIZE i = 0; i < n; i++) p[i] = v;
}
void __craig_array_set_8(void *a, unsigned long long v, _Bool is_array)
{
  __craig_typed(a, is_array, v != 0);
  SIZE n = __craig_rest(a) / 8;
  unsigned long long *p = (unsigned long long *)a;
  for (SIZE i = 0; i < n; i++) p[i] = v;
}
