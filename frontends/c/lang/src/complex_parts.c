/* Products of complex numbers, and quotients of which both parts are NaN when they are computed as of finite numbers: the
   result is then determined from the infinities among the operands (C11 G.5.1). PART stands for the type of the parts, MODE
   for gcc's letter of it in the names of its functions, SUFFIX for that of the library. */
PART __craig_boxedSUFFIX(PART x) { return copysignSUFFIX(fabsSUFFIX(x) == __builtin_infSUFFIX() ? 1 : 0, x); }
PART __craig_not_nanSUFFIX(PART x) { return x != x ? copysignSUFFIX(0, x) : x; }
_Complex PART __mulMODEc3(PART a, PART b, PART c, PART d)
{
  PART ac = a * c, bd = b * d, ad = a * d, bc = b * c, inf = __builtin_infSUFFIX();
  PART x = ac - bd, y = ad + bc;
  int left = fabsSUFFIX(a) == inf || fabsSUFFIX(b) == inf, right = fabsSUFFIX(c) == inf || fabsSUFFIX(d) == inf;
  int overflow = fabsSUFFIX(ac) == inf || fabsSUFFIX(bd) == inf || fabsSUFFIX(ad) == inf || fabsSUFFIX(bc) == inf;
  if (x == x || y == y) return __builtin_complex(x, y);
  if (!left && !right && !overflow) return __builtin_complex(x, y);
  if (left) a = __craig_boxedSUFFIX(a), b = __craig_boxedSUFFIX(b);
  else a = __craig_not_nanSUFFIX(a), b = __craig_not_nanSUFFIX(b);
  if (right) c = __craig_boxedSUFFIX(c), d = __craig_boxedSUFFIX(d);
  else c = __craig_not_nanSUFFIX(c), d = __craig_not_nanSUFFIX(d);
  return __builtin_complex(inf * (a * c - b * d), inf * (a * d + b * c));
}
_Complex PART __craig_quotientSUFFIX(PART a, PART b, PART c, PART d)
{
  PART inf = __builtin_infSUFFIX();
  int left = fabsSUFFIX(a) == inf || fabsSUFFIX(b) == inf, right = fabsSUFFIX(c) == inf || fabsSUFFIX(d) == inf;
  if (c == 0 && d == 0 && (a == a || b == b))
    return __builtin_complex(copysignSUFFIX(inf, c) * a, copysignSUFFIX(inf, c) * b);
  if (left && fabsSUFFIX(c) < inf && fabsSUFFIX(d) < inf)
  {
    a = __craig_boxedSUFFIX(a), b = __craig_boxedSUFFIX(b);
    return __builtin_complex(inf * (a * c + b * d), inf * (b * c - a * d));
  }
  if (right && fabsSUFFIX(a) < inf && fabsSUFFIX(b) < inf)
  {
    c = __craig_boxedSUFFIX(c), d = __craig_boxedSUFFIX(d);
    return __builtin_complex(0 * (a * c + b * d), 0 * (b * c - a * d));
  }
  return __builtin_complex((PART)__builtin_nan(""), (PART)__builtin_nan(""));
}
