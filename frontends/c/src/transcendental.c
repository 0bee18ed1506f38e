/* Functions of <math.h> where their exact result is a number of their format, which every implementation with an
   error below one unit in the last place returns (glibc's, and the compiler's for constants); and the cases that
   C11 Annex F specifies. All other arguments are refused. */
double sin(double x)
{
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) == __builtin_inf()) return __builtin_nan("");
  __craig_unsupported("`sin` where its result is rounded");
  return x;
}
float sinf(float x)
{
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) == __builtin_inf()) return __builtin_nan("");
  __craig_unsupported("`sinf` where its result is rounded");
  return x;
}
double tan(double x)
{
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) == __builtin_inf()) return __builtin_nan("");
  __craig_unsupported("`tan` where its result is rounded");
  return x;
}
float tanf(float x)
{
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) == __builtin_inf()) return __builtin_nan("");
  __craig_unsupported("`tanf` where its result is rounded");
  return x;
}
double cos(double x)
{
  if (x != x) return x;
  if (x == 0.0) return 1.0;
  if (fabs(x) == __builtin_inf()) return __builtin_nan("");
  __craig_unsupported("`cos` where its result is rounded");
  return x;
}
float cosf(float x)
{
  if (x != x) return x;
  if (x == 0.0) return 1.0;
  if (fabs(x) == __builtin_inf()) return __builtin_nan("");
  __craig_unsupported("`cosf` where its result is rounded");
  return x;
}
double asin(double x)
{
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) > 1.0) return __builtin_nan("");
  __craig_unsupported("`asin` where its result is rounded");
  return x;
}
float asinf(float x)
{
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) > 1.0) return __builtin_nan("");
  __craig_unsupported("`asinf` where its result is rounded");
  return x;
}
double acos(double x)
{
  if (x != x) return x;
  if (x == 1.0) return 0.0;
  if (fabs(x) > 1.0) return __builtin_nan("");
  __craig_unsupported("`acos` where its result is rounded");
  return x;
}
float acosf(float x)
{
  if (x != x) return x;
  if (x == 1.0) return 0.0;
  if (fabs(x) > 1.0) return __builtin_nan("");
  __craig_unsupported("`acosf` where its result is rounded");
  return x;
}
double atan(double x)
{
  if (x != x) return x;
  if (x == 0.0) return x;
  __craig_unsupported("`atan` where its result is rounded");
  return x;
}
float atanf(float x)
{
  if (x != x) return x;
  if (x == 0.0) return x;
  __craig_unsupported("`atanf` where its result is rounded");
  return x;
}
double sinh(double x)
{
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) == __builtin_inf()) return x;
  __craig_unsupported("`sinh` where its result is rounded");
  return x;
}
float sinhf(float x)
{
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) == __builtin_inf()) return x;
  __craig_unsupported("`sinhf` where its result is rounded");
  return x;
}
double cosh(double x)
{
  if (x != x) return x;
  if (x == 0.0) return 1.0;
  if (fabs(x) == __builtin_inf()) return __builtin_inf();
  __craig_unsupported("`cosh` where its result is rounded");
  return x;
}
float coshf(float x)
{
  if (x != x) return x;
  if (x == 0.0) return 1.0;
  if (fabs(x) == __builtin_inf()) return __builtin_inf();
  __craig_unsupported("`coshf` where its result is rounded");
  return x;
}
double tanh(double x)
{
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) == __builtin_inf()) return copysign(1.0, x);
  __craig_unsupported("`tanh` where its result is rounded");
  return x;
}
float tanhf(float x)
{
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) == __builtin_inf()) return copysign(1.0, x);
  __craig_unsupported("`tanhf` where its result is rounded");
  return x;
}
double expm1(double x)
{
  if (x != x) return x;
  if (x == 0.0) return x;
  if (x == __builtin_inf()) return x;
  if (x == -__builtin_inf()) return -1.0;
  __craig_unsupported("`expm1` where its result is rounded");
  return x;
}
float expm1f(float x)
{
  if (x != x) return x;
  if (x == 0.0) return x;
  if (x == __builtin_inf()) return x;
  if (x == -__builtin_inf()) return -1.0;
  __craig_unsupported("`expm1f` where its result is rounded");
  return x;
}
double log1p(double x)
{
  if (x != x) return x;
  if (x == 0.0) return x;
  if (x == __builtin_inf()) return x;
  if (x == -1.0) return -__builtin_inf();
  if (x < -1.0) return __builtin_nan("");
  __craig_unsupported("`log1p` where its result is rounded");
  return x;
}
float log1pf(float x)
{
  if (x != x) return x;
  if (x == 0.0) return x;
  if (x == __builtin_inf()) return x;
  if (x == -1.0) return -__builtin_inf();
  if (x < -1.0) return __builtin_nan("");
  __craig_unsupported("`log1pf` where its result is rounded");
  return x;
}
double erf(double x)
{
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) == __builtin_inf()) return copysign(1.0, x);
  __craig_unsupported("`erf` where its result is rounded");
  return x;
}
float erff(float x)
{
  if (x != x) return x;
  if (x == 0.0) return x;
  if (fabs(x) == __builtin_inf()) return copysign(1.0, x);
  __craig_unsupported("`erff` where its result is rounded");
  return x;
}
double exp(double x)
{
  if (x != x) return x;
  if (x == 0.0) return 1.0;
  if (x == __builtin_inf()) return x;
  if (x == -__builtin_inf()) return 0.0;
  __craig_unsupported("`exp` where its result is rounded");
  return x;
}
float expf(float x)
{
  if (x != x) return x;
  if (x == 0.0) return 1.0;
  if (x == __builtin_inf()) return x;
  if (x == -__builtin_inf()) return 0.0;
  __craig_unsupported("`expf` where its result is rounded");
  return x;
}
double log(double x)
{
  if (x != x) return x;
  if (x == 1.0) return 0.0;
  if (x == 0.0) return -__builtin_inf();
  if (x < 0.0) return __builtin_nan("");
  if (x == __builtin_inf()) return x;
  __craig_unsupported("`log` where its result is rounded");
  return x;
}
float logf(float x)
{
  if (x != x) return x;
  if (x == 1.0) return 0.0;
  if (x == 0.0) return -__builtin_inf();
  if (x < 0.0) return __builtin_nan("");
  if (x == __builtin_inf()) return x;
  __craig_unsupported("`logf` where its result is rounded");
  return x;
}
double log10(double x)
{
  if (x != x) return x;
  if (x == 1.0) return 0.0;
  if (x == 0.0) return -__builtin_inf();
  if (x < 0.0) return __builtin_nan("");
  if (x == __builtin_inf()) return x;
  __craig_unsupported("`log10` where its result is rounded");
  return x;
}
float log10f(float x)
{
  if (x != x) return x;
  if (x == 1.0) return 0.0;
  if (x == 0.0) return -__builtin_inf();
  if (x < 0.0) return __builtin_nan("");
  if (x == __builtin_inf()) return x;
  __craig_unsupported("`log10f` where its result is rounded");
  return x;
}
double exp2(double x)
{
  if (x != x) return x;
  if (x == __builtin_inf()) return x;
  if (x == -__builtin_inf()) return 0.0;
  if (fabs(x) <= 1022.0 && x == trunc(x)) return ldexp(1.0, (int)x);
  __craig_unsupported("`exp2` where its result is rounded");
  return x;
}
float exp2f(float x)
{
  if (x != x) return x;
  if (x == __builtin_inf()) return x;
  if (x == -__builtin_inf()) return 0.0f;
  if (fabs(x) <= 126.0 && x == trunc(x)) return (float)ldexp(1.0, (int)x);
  __craig_unsupported("`exp2f` where its result is rounded");
  return x;
}
double log2(double x)
{
  int e;
  if (x != x) return x;
  if (x == 0.0) return -__builtin_inf();
  if (x < 0.0) return __builtin_nan("");
  if (x == __builtin_inf()) return x;
  if (frexp(x, &e) == 0.5) return (double)(e - 1);
  __craig_unsupported("`log2` where its result is rounded");
  return x;
}
float log2f(float x)
{
  int e;
  if (x != x) return x;
  if (x == 0.0f) return -__builtin_inf();
  if (x < 0.0f) return __builtin_nan("");
  if (x == __builtin_inf()) return x;
  if (frexp((double)x, &e) == 0.5) return (float)(e - 1);
  __craig_unsupported("`log2f` where its result is rounded");
  return x;
}
double __craig_power(double x, double y, double most)
{
  double r = 1.0;
  if (y == 0.0 || x == 1.0) return 1.0;
  if (x != x || y != y) return __builtin_nan("");
  if (y == 1.0) return x;
  if (x == 2.0 && fabs(y) <= 126.0 && y == trunc(y)) return ldexp(1.0, (int)y);
  if (y < 1.0 || y > 20.0 || y != trunc(y) || fabs(x) > most || x != trunc(x)) {
    __craig_unsupported("`pow` where its result is rounded");
    return x;
  }
  for (int i = 0; i < (int)y; i++) {
    r *= x;
    if (fabs(r) > most) {
      __craig_unsupported("`pow` where its result is rounded");
      return x;
    }
  }
  return r;
}
double pow(double x, double y) { return __craig_power(x, y, 9007199254740992.0); }
float powf(float x, float y) { return (float)__craig_power((double)x, (double)y, 16777216.0); }
