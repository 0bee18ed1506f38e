/* Quotients of complex numbers, by the names that gcc's code calls them, as libgcc 12 and later compute them: in double for
   float, and for double by the algorithm of Baudin and Smith ("A Robust Complex Division in Scilab", 2012) after scaling. */
_Complex float __divsc3(float a, float b, float c, float d)
{
  double denominator = (double)c * c + (double)d * d;
  float x = ((double)a * c + (double)b * d) / denominator, y = ((double)b * c - (double)a * d) / denominator;
  if (x == x || y == y) return __builtin_complex(x, y);
  return __craig_quotientf(a, b, c, d);
}
_Complex double __divdc3(double a, double b, double c, double d)
{
  double tiny = 0x1p-1022, big = 0x1.fffffffffffffp+1022, epsilon = 0x1p-52, limit = big * epsilon;
  double scale = 1.0, ratio, denominator, x, y;
  int swapped = fabs(c) < fabs(d);
  double large = swapped ? fabs(d) : fabs(c);
  if (large >= big) a /= 2, b /= 2, c /= 2, d /= 2, large /= 2;
  if (large < epsilon) scale = 0x1p+52;
  else if (fabs(a) < tiny && fabs(b) < limit && large < limit) scale = 0x1p+52;
  else if (fabs(b) < tiny && fabs(a) < limit && large < limit) scale = 0x1p+52;
  a *= scale, b *= scale, c *= scale, d *= scale;
  if (swapped)
  {
    ratio = c / d;
    denominator = c * ratio + d;
    if (fabs(ratio) > tiny) x = (a * ratio + b) / denominator, y = (b * ratio - a) / denominator;
    else x = (c * (a / d) + b) / denominator, y = (c * (b / d) - a) / denominator;
  }
  else
  {
    ratio = d / c;
    denominator = d * ratio + c;
    if (fabs(ratio) > tiny) x = (b * ratio + a) / denominator, y = (b - a * ratio) / denominator;
    else x = (a + d * (b / c)) / denominator, y = (b - d * (a / c)) / denominator;
  }
  if (x == x || y == y) return __builtin_complex(x, y);
  return __craig_quotient(a, b, c, d);
}
