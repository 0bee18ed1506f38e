/* Functions of <math.h>: what C11 Annex F specifies, the exact result where it is a number of the format and every
   implementation returns it, and else any result within bounds. The bounds take for granted that a result lies in the
   function's range, and on the side of a number on which the exact result lies. A path to an error counts only with the
   results of this machine's library (host_function.rs). */
double sin(double x)
{
  double r;
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) == __builtin_inf()) return __builtin_nan("");
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`sin` in another rounding mode");
  r = __craig_host("sin", x);
  __builtin_assume(r >= -1 && r <= 1);
  __builtin_assume(x < 0 || x > 3 || r >= 0);
  __builtin_assume(x > 0 || x < -3 || r <= 0);
  return r;
}
float sinf(float x)
{
  float r;
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) == __builtin_inf()) return __builtin_nan("");
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`sinf` in another rounding mode");
  r = __craig_hostf("sin", x);
  __builtin_assume(r >= -1 && r <= 1);
  __builtin_assume(x < 0 || x > 3 || r >= 0);
  __builtin_assume(x > 0 || x < -3 || r <= 0);
  return r;
}
double tan(double x)
{
  double r;
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) == __builtin_inf()) return __builtin_nan("");
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`tan` in another rounding mode");
  r = __craig_host("tan", x);
  __builtin_assume(fabs(r) < __builtin_inf());
  __builtin_assume(fabs(x) > 0.75 || (fabs(r) <= 1 && ((x > 0) == (r > 0) || r == 0)));
  return r;
}
float tanf(float x)
{
  float r;
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) == __builtin_inf()) return __builtin_nan("");
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`tanf` in another rounding mode");
  r = __craig_hostf("tan", x);
  __builtin_assume(fabs(r) < __builtin_inf());
  __builtin_assume(fabs(x) > 0.75 || (fabs(r) <= 1 && ((x > 0) == (r > 0) || r == 0)));
  return r;
}
double cos(double x)
{
  double r;
  if (x != x) return x;
  if (x == 0.0) return 1.0;
  if (fabs(x) == __builtin_inf()) return __builtin_nan("");
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`cos` in another rounding mode");
  r = __craig_host("cos", x);
  __builtin_assume(r >= -1 && r <= 1);
  __builtin_assume(fabs(x) > 1.5 || r >= 0);
  return r;
}
float cosf(float x)
{
  float r;
  if (x != x) return x;
  if (x == 0.0) return 1.0;
  if (fabs(x) == __builtin_inf()) return __builtin_nan("");
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`cosf` in another rounding mode");
  r = __craig_hostf("cos", x);
  __builtin_assume(r >= -1 && r <= 1);
  __builtin_assume(fabs(x) > 1.5 || r >= 0);
  return r;
}
double asin(double x)
{
  double r;
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) > 1.0) return __builtin_nan("");
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`asin` in another rounding mode");
  r = __craig_host("asin", x);
  __builtin_assume(fabs(r) <= 1.5707963267948968);
  __builtin_assume((x > 0) == (r > 0) || r == 0);
  return r;
}
float asinf(float x)
{
  float r;
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) > 1.0) return __builtin_nan("");
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`asinf` in another rounding mode");
  r = __craig_hostf("asin", x);
  __builtin_assume(fabs(r) <= 1.5707964f);
  __builtin_assume((x > 0) == (r > 0) || r == 0);
  return r;
}
double acos(double x)
{
  double r;
  if (x != x) return x;
  if (x == 1.0) return 0.0;
  if (fabs(x) > 1.0) return __builtin_nan("");
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`acos` in another rounding mode");
  r = __craig_host("acos", x);
  __builtin_assume(r >= 0 && r <= 3.1415926535897936);
  __builtin_assume(x < 0 || r <= 1.5707963267948968);
  return r;
}
float acosf(float x)
{
  float r;
  if (x != x) return x;
  if (x == 1.0) return 0.0;
  if (fabs(x) > 1.0) return __builtin_nan("");
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`acosf` in another rounding mode");
  r = __craig_hostf("acos", x);
  __builtin_assume(r >= 0 && r <= 3.1415929f);
  __builtin_assume(x < 0 || r <= 1.5707964f);
  return r;
}
double atan(double x)
{
  double r;
  if (x != x) return x;
  if (x == 0.0) return x;
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`atan` in another rounding mode");
  r = __craig_host("atan", x);
  __builtin_assume(fabs(r) <= 1.5707963267948968);
  __builtin_assume((x > 0) == (r > 0) || r == 0);
  return r;
}
float atanf(float x)
{
  float r;
  if (x != x) return x;
  if (x == 0.0) return x;
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`atanf` in another rounding mode");
  r = __craig_hostf("atan", x);
  __builtin_assume(fabs(r) <= 1.5707964f);
  __builtin_assume((x > 0) == (r > 0) || r == 0);
  return r;
}
double sinh(double x)
{
  double r;
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) == __builtin_inf()) return x;
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`sinh` in another rounding mode");
  r = __craig_host("sinh", x);
  __builtin_assume(r == r && ((x > 0) == (r > 0) || r == 0));
  __builtin_assume(fabs(x) > 700 || fabs(r) < __builtin_inf());
  return r;
}
float sinhf(float x)
{
  float r;
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) == __builtin_inf()) return x;
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`sinhf` in another rounding mode");
  r = __craig_hostf("sinh", x);
  __builtin_assume(r == r && ((x > 0) == (r > 0) || r == 0));
  __builtin_assume(fabs(x) > 80 || fabs(r) < __builtin_inf());
  return r;
}
double cosh(double x)
{
  double r;
  if (x != x) return x;
  if (x == 0.0) return 1.0;
  if (fabs(x) == __builtin_inf()) return __builtin_inf();
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`cosh` in another rounding mode");
  r = __craig_host("cosh", x);
  __builtin_assume(r >= 1);
  __builtin_assume(fabs(x) > 700 || r < __builtin_inf());
  return r;
}
float coshf(float x)
{
  float r;
  if (x != x) return x;
  if (x == 0.0) return 1.0;
  if (fabs(x) == __builtin_inf()) return __builtin_inf();
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`coshf` in another rounding mode");
  r = __craig_hostf("cosh", x);
  __builtin_assume(r >= 1);
  __builtin_assume(fabs(x) > 80 || r < __builtin_inf());
  return r;
}
double tanh(double x)
{
  double r;
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) == __builtin_inf()) return copysign(1.0, x);
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`tanh` in another rounding mode");
  r = __craig_host("tanh", x);
  __builtin_assume(fabs(r) <= 1);
  __builtin_assume((x > 0) == (r > 0) || r == 0);
  return r;
}
float tanhf(float x)
{
  float r;
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) == __builtin_inf()) return copysign(1.0, x);
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`tanhf` in another rounding mode");
  r = __craig_hostf("tanh", x);
  __builtin_assume(fabs(r) <= 1);
  __builtin_assume((x > 0) == (r > 0) || r == 0);
  return r;
}
double expm1(double x)
{
  double r;
  if (x != x) return x;
  if (x == 0.0) return x;
  if (x == __builtin_inf()) return x;
  if (x == -__builtin_inf()) return -1.0;
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`expm1` in another rounding mode");
  r = __craig_host("expm1", x);
  __builtin_assume(r >= -1);
  __builtin_assume((x > 0) == (r > 0) || r == 0);
  __builtin_assume(x > 700 || r < __builtin_inf());
  return r;
}
float expm1f(float x)
{
  float r;
  if (x != x) return x;
  if (x == 0.0) return x;
  if (x == __builtin_inf()) return x;
  if (x == -__builtin_inf()) return -1.0;
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`expm1f` in another rounding mode");
  r = __craig_hostf("expm1", x);
  __builtin_assume(r >= -1);
  __builtin_assume((x > 0) == (r > 0) || r == 0);
  __builtin_assume(x > 80 || r < __builtin_inf());
  return r;
}
double log1p(double x)
{
  double r;
  if (x != x) return x;
  if (x == 0.0) return x;
  if (x == __builtin_inf()) return x;
  if (x == -1.0) return -__builtin_inf();
  if (x < -1.0) return __builtin_nan("");
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`log1p` in another rounding mode");
  r = __craig_host("log1p", x);
  __builtin_assume(fabs(r) <= 800);
  __builtin_assume((x > 0) == (r > 0) || r == 0);
  return r;
}
float log1pf(float x)
{
  float r;
  if (x != x) return x;
  if (x == 0.0) return x;
  if (x == __builtin_inf()) return x;
  if (x == -1.0) return -__builtin_inf();
  if (x < -1.0) return __builtin_nan("");
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`log1pf` in another rounding mode");
  r = __craig_hostf("log1p", x);
  __builtin_assume(fabs(r) <= 800);
  __builtin_assume((x > 0) == (r > 0) || r == 0);
  return r;
}
double erf(double x)
{
  double r;
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) == __builtin_inf()) return copysign(1.0, x);
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`erf` in another rounding mode");
  r = __craig_host("erf", x);
  __builtin_assume(fabs(r) <= 1);
  __builtin_assume((x > 0) == (r > 0) || r == 0);
  return r;
}
float erff(float x)
{
  float r;
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) == __builtin_inf()) return copysign(1.0, x);
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`erff` in another rounding mode");
  r = __craig_hostf("erf", x);
  __builtin_assume(fabs(r) <= 1);
  __builtin_assume((x > 0) == (r > 0) || r == 0);
  return r;
}
double exp(double x)
{
  double r;
  if (x != x) return x;
  if (x == 0.0) return 1.0;
  if (x == __builtin_inf()) return x;
  if (x == -__builtin_inf()) return 0.0;
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`exp` in another rounding mode");
  r = __craig_host("exp", x);
  __builtin_assume(r >= 0);
  __builtin_assume(x < 0 ? r <= 1 : r >= 1);
  __builtin_assume(x > 700 || r < __builtin_inf());
  __builtin_assume(x < -700 || r > 0);
  return r;
}
float expf(float x)
{
  float r;
  if (x != x) return x;
  if (x == 0.0) return 1.0;
  if (x == __builtin_inf()) return x;
  if (x == -__builtin_inf()) return 0.0;
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`expf` in another rounding mode");
  r = __craig_hostf("exp", x);
  __builtin_assume(r >= 0);
  __builtin_assume(x < 0 ? r <= 1 : r >= 1);
  __builtin_assume(x > 80 || r < __builtin_inf());
  __builtin_assume(x < -80 || r > 0);
  return r;
}
double log(double x)
{
  double r;
  if (x != x) return x;
  if (x == 1.0) return 0.0;
  if (x == 0.0) return -__builtin_inf();
  if (x < 0.0) return __builtin_nan("");
  if (x == __builtin_inf()) return x;
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`log` in another rounding mode");
  r = __craig_host("log", x);
  __builtin_assume(fabs(r) <= 800);
  __builtin_assume(x < 1 ? r <= 0 : r >= 0);
  return r;
}
float logf(float x)
{
  float r;
  if (x != x) return x;
  if (x == 1.0) return 0.0;
  if (x == 0.0) return -__builtin_inf();
  if (x < 0.0) return __builtin_nan("");
  if (x == __builtin_inf()) return x;
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`logf` in another rounding mode");
  r = __craig_hostf("log", x);
  __builtin_assume(fabs(r) <= 800);
  __builtin_assume(x < 1 ? r <= 0 : r >= 0);
  return r;
}
double log10(double x)
{
  double r;
  if (x != x) return x;
  if (x == 1.0) return 0.0;
  if (x == 0.0) return -__builtin_inf();
  if (x < 0.0) return __builtin_nan("");
  if (x == __builtin_inf()) return x;
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`log10` in another rounding mode");
  r = __craig_host("log10", x);
  __builtin_assume(fabs(r) <= 330);
  __builtin_assume(x < 1 ? r <= 0 : r >= 0);
  return r;
}
float log10f(float x)
{
  float r;
  if (x != x) return x;
  if (x == 1.0) return 0.0;
  if (x == 0.0) return -__builtin_inf();
  if (x < 0.0) return __builtin_nan("");
  if (x == __builtin_inf()) return x;
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`log10f` in another rounding mode");
  r = __craig_hostf("log10", x);
  __builtin_assume(fabs(r) <= 330);
  __builtin_assume(x < 1 ? r <= 0 : r >= 0);
  return r;
}
double exp2(double x)
{
  double r;
  if (x != x) return x;
  if (x == __builtin_inf()) return x;
  if (x == -__builtin_inf()) return 0.0;
  if (fabs(x) <= 1022.0 && x == trunc(x)) return ldexp(1.0, (int)x);
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`exp2` in another rounding mode");
  r = __craig_host("exp2", x);
  __builtin_assume(r >= 0);
  __builtin_assume(x < 0 ? r <= 1 : r >= 1);
  __builtin_assume(x > 700 || r < __builtin_inf());
  __builtin_assume(x < -700 || r > 0);
  return r;
}
float exp2f(float x)
{
  float r;
  if (x != x) return x;
  if (x == __builtin_inf()) return x;
  if (x == -__builtin_inf()) return 0.0;
  if (fabs(x) <= 126.0 && x == trunc(x)) return (float)ldexp(1.0, (int)x);
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`exp2f` in another rounding mode");
  r = __craig_hostf("exp2", x);
  __builtin_assume(r >= 0);
  __builtin_assume(x < 0 ? r <= 1 : r >= 1);
  __builtin_assume(x > 80 || r < __builtin_inf());
  __builtin_assume(x < -80 || r > 0);
  return r;
}
double log2(double x)
{
  double r;
  if (x != x) return x;
  if (x == 0.0) return -__builtin_inf();
  if (x < 0.0) return __builtin_nan("");
  if (x == __builtin_inf()) return x;
  int e;
  if (frexp(x, &e) == 0.5) return (double)(e - 1);
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`log2` in another rounding mode");
  r = __craig_host("log2", x);
  __builtin_assume(fabs(r) <= 1080);
  __builtin_assume(x < 1 ? r <= 0 : r >= 0);
  return r;
}
float log2f(float x)
{
  float r;
  if (x != x) return x;
  if (x == 0.0) return -__builtin_inf();
  if (x < 0.0) return __builtin_nan("");
  if (x == __builtin_inf()) return x;
  int e;
  if (frexp((double)x, &e) == 0.5) return (float)(e - 1);
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`log2f` in another rounding mode");
  r = __craig_hostf("log2", x);
  __builtin_assume(fabs(r) <= 1080);
  __builtin_assume(x < 1 ? r <= 0 : r >= 0);
  return r;
}
double pow(double x, double y)
{
  double r = 1, inf = __builtin_inf();
  int whole = y == trunc(y), odd = whole && fabs(y) < 9007199254740992.0 && trunc(y / 2) * 2 != y;
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return __builtin_nan("");
  if (y == 1) return x;
  if (fabs(y) == inf) {
    if (x == -1) return 1;
    return (fabs(x) > 1) == (y > 0) ? inf : 0;
  }
  if (x == 0) return y < 0 ? (odd ? copysign(inf, x) : inf) : odd ? x : 0;
  if (x == inf) return y < 0 ? 0 : inf;
  if (x == -inf) return y < 0 ? (odd ? -0.0 : 0) : odd ? x : inf;
  if (x < 0 && !whole) return __builtin_nan("");
  if (x == 2 && whole && fabs(y) <= 126) return ldexp(1.0, (int)y);
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`pow` in another rounding mode");
  if (y >= 1 && y <= 20 && whole && x == trunc(x) && fabs(x) <= 9007199254740992.0) {
    for (int i = 0; i < (int)y && fabs(r) <= 9007199254740992.0; i++) r *= x;
    if (fabs(r) <= 9007199254740992.0) return r;
  }
  r = __craig_host("pow", x, y);
  __builtin_assume(r == r && (x < 0 && odd ? r <= 0 : r >= 0));
  __builtin_assume((fabs(x) > 1) == (y > 0) ? fabs(r) >= 1 : fabs(r) <= 1);
  return r;
}
float powf(float x, float y)
{
  float r = 1, inf = __builtin_inf();
  int whole = y == truncf(y), odd = whole && fabs(y) < 16777216.0 && truncf(y / 2) * 2 != y;
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return __builtin_nan("");
  if (y == 1) return x;
  if (fabs(y) == inf) {
    if (x == -1) return 1;
    return (fabs(x) > 1) == (y > 0) ? inf : 0;
  }
  if (x == 0) return y < 0 ? (odd ? copysign(inf, x) : inf) : odd ? x : 0;
  if (x == inf) return y < 0 ? 0 : inf;
  if (x == -inf) return y < 0 ? (odd ? -0.0 : 0) : odd ? x : inf;
  if (x < 0 && !whole) return __builtin_nan("");
  if (x == 2 && whole && fabs(y) <= 126) return ldexp(1.0, (int)y);
  if (!__craig_rounds_to_nearest()) __craig_unsupported("`powf` in another rounding mode");
  if (y >= 1 && y <= 20 && whole && x == truncf(x) && fabs(x) <= 16777216.0) {
    for (int i = 0; i < (int)y && fabs(r) <= 16777216.0; i++) r *= x;
    if (fabs(r) <= 16777216.0) return r;
  }
  r = __craig_hostf("pow", x, y);
  __builtin_assume(r == r && (x < 0 && odd ? r <= 0 : r >= 0));
  __builtin_assume((fabs(x) > 1) == (y > 0) ? fabs(r) >= 1 : fabs(r) <= 1);
  return r;
}
/* The inverse hyperbolic functions where Annex F says what they are. */
double asinh(double x)
{
  if (x != x || x == 0 || fabs(x) == __builtin_inf()) return x;
  __craig_unsupported("`asinh` of this number");
}
double acosh(double x)
{
  if (x != x || x == __builtin_inf()) return x;
  if (x < 1) return __builtin_nan("");
  if (x == 1) return 0;
  __craig_unsupported("`acosh` of this number");
}
double atanh(double x)
{
  if (x != x || x == 0) return x;
  if (fabs(x) > 1) return __builtin_nan("");
  if (fabs(x) == 1) return copysign(__builtin_inf(), x);
  __craig_unsupported("`atanh` of this number");
}
/* The inverse hyperbolic functions where Annex F says what they are. */
float asinhf(float x)
{
  if (x != x || x == 0 || fabs(x) == __builtin_inf()) return x;
  __craig_unsupported("`asinhf` of this number");
}
float acoshf(float x)
{
  if (x != x || x == __builtin_inf()) return x;
  if (x < 1) return __builtin_nan("");
  if (x == 1) return 0;
  __craig_unsupported("`acoshf` of this number");
}
float atanhf(float x)
{
  if (x != x || x == 0) return x;
  if (fabs(x) > 1) return __builtin_nan("");
  if (fabs(x) == 1) return copysign(__builtin_inf(), x);
  __craig_unsupported("`atanhf` of this number");
}
