/* Functions of <math.h> in the plane, roots and products that are rounded once, as transcendental.c has the others. */
double hypot(double x, double y)
{
  double a = fabs(x), b = fabs(y), r, inf = __builtin_inf();
  if (a == inf || b == inf) return inf;
  if (x != x || y != y) return __builtin_nan("");
  if (a == 0) return b;
  if (b == 0) return a;
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`hypot` in another rounding mode");
  if (a <= 67108864.0 && b <= 67108864.0 && a == trunc(a) && b == trunc(b)) {
    r = sqrt(a * a + b * b);
    if (r * r == a * a + b * b && r == trunc(r)) return r;
  }
  r = __craig_host("hypot", x, y);
  __builtin_assume(r >= (a > b ? a : b) && r <= (a + b) * 1.0000001);
  return r;
}
float hypotf(float x, float y)
{
  float a = fabs(x), b = fabs(y), r, inf = __builtin_inf();
  if (a == inf || b == inf) return inf;
  if (x != x || y != y) return __builtin_nan("");
  if (a == 0) return b;
  if (b == 0) return a;
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`hypotf` in another rounding mode");
  if (a <= 2048.0f && b <= 2048.0f && a == trunc(a) && b == trunc(b)) {
    r = sqrt((double)(a * a + b * b));
    if (r * r == a * a + b * b && r == trunc(r)) return r;
  }
  r = __craig_hostf("hypot", x, y);
  __builtin_assume(r >= (a > b ? a : b) && r <= (a + b) * 1.001f);
  return r;
}
double cbrt(double x)
{
  double r;
  if (x != x || x == 0 || fabs(x) == __builtin_inf()) return x;
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`cbrt` in another rounding mode");
  r = __craig_host("cbrt", x);
  __builtin_assume(x > 0 ? r > 0 : r < 0);
  __builtin_assume(fabs(x) >= 1 ? fabs(r) >= 1 && fabs(r) <= fabs(x) : fabs(r) <= 1 && fabs(r) >= fabs(x));
  return r;
}
float cbrtf(float x)
{
  float r;
  if (x != x || x == 0 || fabs(x) == __builtin_inf()) return x;
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`cbrtf` in another rounding mode");
  r = __craig_hostf("cbrt", x);
  __builtin_assume(x > 0 ? r > 0 : r < 0);
  __builtin_assume(fabs(x) >= 1 ? fabs(r) >= 1 && fabs(r) <= fabs(x) : fabs(r) <= 1 && fabs(r) >= fabs(x));
  return r;
}
/* C11 F.10.1.4; the multiples of pi are those that are nearest. */
double atan2(double y, double x)
{
  double r, inf = __builtin_inf(), pi = 3.141592653589793;
  if (x != x || y != y) return __builtin_nan("");
  if (y == 0) return copysign(1.0, x) > 0 ? y : copysign(pi, y);
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`atan2` in another rounding mode");
  if (x == 0) return copysign(pi / 2, y);
  if (fabs(y) == inf) return copysign(x == inf ? pi / 4 : x == -inf ? 2.356194490192345 : pi / 2, y);
  if (x == inf) return copysign(0.0, y);
  if (x == -inf) return copysign(pi, y);
  r = __craig_host("atan2", y, x);
  __builtin_assume(y > 0 ? r >= 0 : r <= 0);
  __builtin_assume(x > 0 ? fabs(r) <= 1.5707963267948968 : fabs(r) >= 1.5707963267948963 && fabs(r) <= 3.1415926535897936);
  return r;
}
float atan2f(float y, float x)
{
  float r, inf = __builtin_inf(), pi = 3.14159274f;
  if (x != x || y != y) return __builtin_nan("");
  if (y == 0) return copysign(1.0, (double)x) > 0 ? y : (float)copysign((double)pi, (double)y);
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`atan2f` in another rounding mode");
  if (x == 0) return copysign((double)pi / 2, (double)y);
  if (fabs(y) == inf || fabs(x) == inf) __craig_unsupported("`atan2f` of infinities");
  r = __craig_hostf("atan2", y, x);
  __builtin_assume(y > 0 ? r >= 0 : r <= 0);
  __builtin_assume(x > 0 ? fabs(r) <= 1.5707964f : fabs(r) >= 1.5707962f && fabs(r) <= 3.1415929f);
  return r;
}
/* The product of two floats is a double. The sum is rounded to an odd last bit, so that rounding it again is right (Boldo and
   Melquiond, When double rounding is odd, 2005). */
float fmaf(float x, float y, float z)
{
  union { double value; unsigned long long bits; } sum;
  double product = (double)x * y, part, rest;
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`fmaf` in another rounding mode");
  sum.value = product + z;
  if (!(fabs(sum.value) < __builtin_inf())) return (float)sum.value;
  part = sum.value - product;
  rest = (product - (sum.value - part)) + (z - part);
  if (rest != 0 && !(sum.bits & 1)) {
    if ((rest > 0) == (sum.value > 0)) sum.bits++;
    else sum.bits--;
  }
  return (float)sum.value;
}
/* A sum rounded to odd: one that is not exact ends in a set bit. */
static double __craig_odd_sum(double a, double b)
{
  union { double value; unsigned long long bits; } sum;
  double part, rest;
  sum.value = a + b;
  part = sum.value - a;
  rest = (a - (sum.value - part)) + (b - part);
  if (rest != 0 && !(sum.bits & 1)) {
    if ((rest > 0) == (sum.value > 0)) sum.bits++;
    else sum.bits--;
  }
  return sum.value;
}
/* The error of the product is found by Dekker's product (A floating-point technique for extending the available precision,
   1971); the three numbers are added as by Boldo and Melquiond (Emulation of FMA and correctly rounded sums, 2008). */
double fma(double x, double y, double z)
{
  double p = x * y, high_x, low_x, high_y, low_y, error;
  if (x != x || y != y || z != z || p != p || x == 0 || y == 0) return p + z;
  if (fabs(x) == __builtin_inf() || fabs(y) == __builtin_inf()) return p + z;
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`fma` in another rounding mode");
  if (!(fabs(x) < 1e150 && fabs(y) < 1e150 && fabs(p) > 1e-250)) __craig_unsupported("`fma` of numbers of this size");
  high_x = x * 134217729.0; high_x = high_x - (high_x - x); low_x = x - high_x;
  high_y = y * 134217729.0; high_y = high_y - (high_y - y); low_y = y - high_y;
  error = ((high_x * high_y - p) + high_x * low_y + low_x * high_y) + low_x * low_y;
  if (error == 0 || fabs(z) == __builtin_inf()) return p + z;
  if (!(fabs(z) < 1e300)) __craig_unsupported("`fma` of numbers of this size");
  high_x = z + error; low_x = high_x - z; low_x = (z - (high_x - low_x)) + (error - low_x);
  high_y = p + high_x; low_y = high_y - p; low_y = (p - (high_y - low_y)) + (high_x - low_y);
  return high_y + __craig_odd_sum(low_y, low_x);
}
