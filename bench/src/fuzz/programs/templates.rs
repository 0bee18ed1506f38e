//! Statements of random C programs, as templates: `$x` stands for a random part (`fill.rs`).
//!
//! A statement computes something from the variables of `HEAD` and passes what it has computed to `mix`. Where the standard leaves a result
//! open (the sign of `strcmp`, `isalpha`), what is passed on is what it specifies.

/// What stands before the function.
pub(super) const HEAD: &str = r#"#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
typedef unsigned long long word;
static word sum;
static void mix(word v) { sum = (sum << 7 | sum >> 57) ^ v; }
static void mix_double(double v) { union { double d; word w; } u; u.d = v; mix(v != v ? 7 : u.w); }
static void mix_text(const char *s) { while (*s) mix((unsigned char)*s++); mix(256); }
static void mix_bytes(const void *p, size_t n) { const unsigned char *b = p; while (n--) mix(*b++); }
static int sign(int v) { return v < 0 ? -1 : v > 0; }
struct fields { unsigned a : 3; int b : 5; unsigned c : 9; _Bool d : 1; long e : 33; signed char f; };
struct pair { short x; unsigned char y; int z; };
struct nest { struct pair p[2]; char name[5]; union { float f; unsigned u; unsigned char c[4]; } v; };
union view { uint64_t w; uint32_t h[2]; uint8_t b[8]; int16_t s[4]; struct { unsigned lo : 12, mid : 15; int hi : 5; } f; };
struct packed { char c; int i; short h : 7; } __attribute__((packed));
static int ascending(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static int falling(const void *a, const void *b) { return ascending(b, a); }
static int by_tens(const void *a, const void *b) { return *(const int *)a / 16 - *(const int *)b / 16; }
static int bytes_up(const void *a, const void *b) { return *(const unsigned char *)a - *(const unsigned char *)b; }
static long total(int n, ...) {
  va_list list; va_start(list, n); long r = 0;
  while (n-- > 0) r = r * 3 + va_arg(list, int);
  va_end(list); return r;
}
static int printed(char *to, size_t n, const char *format, ...) {
  va_list list; va_start(list, format); int r = vsnprintf(to, n, format, list); va_end(list); return r;
}
static struct pair swapped(struct pair p) { struct pair q = { p.z, p.x, p.y }; return q; }
static int deep(int n, int v) { return n <= 0 ? v : deep(n - 1, v * 3 % 1001) ^ n; }
static int twice(int (*f)(int), int v) { return f(f(v)); }
static jmp_buf place;
static void leap(int v) { if (v & 1) longjmp(place, v & 6); }
static unsigned counter(unsigned v) { static unsigned n = 3; n += v; return n; }
"#;

/// The variables of the function; all have a value.
pub(super) const VARIABLES: &str = r#"  int x = $k; unsigned y = $a; signed char c8 = 5; unsigned char u8 = $a; short s16 = -3; unsigned short u16 = $a; long l = -1; word w = $a;
  char s0[16] = $q, s1[12] = $q, s2[16] = $q, s3[8] = "", *p; const char *t = $q; unsigned char bytes[8] = { 1, $j, 200 }; int v[4] = { $k, -$k, $j, 7 };
  double d = $k.25; float f = 0.5f; wchar_t ws[8] = L"wide"; size_t n; int at = 0; char *end;
  struct fields fs = { 1, -2, $j, 1, -4, 5 }; struct pair pr = { -1, $j, $k }; struct nest ne = { { { 1, 2, 3 } }, "abc", { .u = $j } };
  union view uv = { $k }; struct packed pk = { 1, $k, 3 };
"#;

/// What is passed on at the end.
pub(super) const END: &str = r#"  mix(x); mix(y); mix(c8); mix(u8); mix(s16); mix(u16); mix(l); mix(w); mix_bytes(v, sizeof v); mix_bytes(bytes, sizeof bytes);
  mix(fs.a + fs.b + fs.c + fs.d + fs.e + fs.f); mix(pr.x); mix(pr.y); mix(pr.z); mix(uv.w); mix(pk.c + pk.i + pk.h); mix_text(s3);
"#;

/// Calls of the library on text and memory.
pub(super) const TEXT: &[&str] = &[
    "if ((x = snprintf($d, sizeof $d, $p)) < 0) exit(0); mix(x); mix_text($d);",
    "if ((x = snprintf($d, $n, $p)) < 0) exit(0); mix(x); mix_text($d);",
    "if ((x = sprintf($d, $p)) < 0) exit(0); mix(x); mix_text($d);",
    "if ((x = printed($d, sizeof $d, $p)) < 0) exit(0); mix(x); mix_text($d);",
    "if ((x = snprintf(0, 0, $p)) < 0) exit(0); mix(x);",
    "mix(sscanf($r)); mix(at);",
    "mix(sscanf($r)); mix(at);",
    "mix(sscanf($s, \"%d\", &x)); mix(x);",
    "if (snprintf($d, sizeof $d, $p) < 0) exit(0); mix(sscanf($d, $g)); mix(at);",
    "$d[$n] = $h; mix(sscanf($d, $g)); mix(at);",
    "mix(strtol($s, &end, $b)); mix(end - $s);",
    "errno = 0; mix(strtol($z, &end, $b)); mix(*end); mix(errno == ERANGE);",
    "mix(strtoul($z, &end, $b)); mix(*end);",
    "mix(strtoll($z, 0, $b)); mix(strtoull($z, 0, 10));",
    "errno = 0; mix(strtoimax($z, &end, $b)); mix(errno != 0);",
    "$d[0] = $h; $d[1] = $h; $d[2] = 0; mix(strtol($d, &end, $b)); mix(end - $d);",
    "$d[0] = $h; $d[$n] = $h; $d[3] = 0; mix(atoi($d));",
    "mix(atoi($z)); mix(atol($s));",
    "mix_double(strtod($z, &end)); mix(*end);",
    "mix_double(atof($s));",
    "mix_double(strtof($z, &end)); mix(*end);",
    "p = strchr($s, $h); mix(p ? p - $s : -1);",
    "p = strrchr($s, $h); mix(p ? p - $s : -1);",
    "p = strchrnul($s, $h); mix(*p);",
    "p = strstr($s, $q); mix(p ? *p : -1);",
    "p = strcasestr($s, $q); mix(p ? *p : -1);",
    "p = strpbrk($s, $q); mix(p ? *p : -1);",
    "p = memchr($s, $h, $n); mix(p ? p - $s : -1);",
    "p = memrchr($s, $h, $n); mix(p ? p - $s : -1);",
    "p = memmem($s, $n, $q, 1); mix(p ? p - $s : -1);",
    "p = rawmemchr($s, 0); mix(p - $s);",
    "mix(strspn($s, $q)); mix(strcspn($s, $q));",
    "mix(strlen($s)); mix(strnlen($s, $n));",
    "mix(sign(strcmp($s, $q))); mix(sign(strncmp($s, $q, $n)));",
    "mix(sign(strcasecmp($s, $q))); mix(sign(strncasecmp($s, $q, $n)));",
    "mix(sign(memcmp($s, $d, $n)));",
    "strcpy($d, $s); mix_text($d);",
    "strcpy($d, $q);",
    "mix(stpcpy($d, $q) - $d); mix_text($d);",
    "strncpy($d, $s, $n); mix_bytes($d, 8);",
    "mix(stpncpy($d, $q, $n) - $d); mix_bytes($d, 8);",
    "strcat($d, $q); mix_text($d);",
    "strncat($d, $s, $n); mix_text($d);",
    "memcpy($d, $s, $n); mix_bytes($d, 8);",
    "memcpy($d + $n, $s, $n); mix_bytes($d, 12);",
    "p = mempcpy($d, $s, $n); mix(p - $d);",
    "p = memccpy($d, $s, $h, $n); mix(p ? p - $d : -1);",
    "memmove($d + $n, $d, $n); mix_bytes($d, 12);",
    "memmove($d, $d + $n, $n); mix_bytes($d, 12);",
    "memset($d, $h, $n); mix_bytes($d, 12);",
    "memset(v, $n, sizeof v); mix(v[1]);",
    "bcopy($d, $d + 2, $n); mix_bytes($d, 10); bzero($d + $n, 2); mix_bytes($d, 9);",
    "swab($s, $d, 6); mix_bytes($d, 6);",
    "strcpy($d, $q); for (p = strtok($d, $q); p; p = strtok(0, \" ,1\")) mix_text(p);",
    "strcpy($d, $q); for (p = strtok_r($d, $q, &end); p; p = strtok_r(0, \",a\", &end)) mix_text(p);",
    "{ char *r = $d; while ((p = strsep(&r, $q))) mix_text(p); }",
    "p = strdup($s); p[0] ^= 1; mix_text(p); free(p);",
    "p = strndup($s, $n); mix_text(p); free(p);",
    "p = strdupa($q); mix_text(p);",
    "if (asprintf(&p, $p) < 0) exit(0); mix_text(p); free(p);",
    "p = calloc($n, 3); if (p) { for (x = 0; x < 3; x++) mix(p[x]); } x = 1; free(p);",
    "n = $n; p = malloc(n + 1); memset(p, $h, n + 1); mix(p[n]); free(p);",
    "p = malloc(4); memcpy(p, $s, 4); p = realloc(p, 4 + $n); mix_bytes(p, 4); free(p);",
    "{ int *q = malloc(4 * sizeof *q); for (int i = 0; i < 4; i++) q[i] = i * $n; mix(q[$n]); free(q); }",
    "qsort(v, 4, sizeof *v, ascending); mix_bytes(v, sizeof v);",
    "v[$i] = $e; qsort(v, 1 + $i, sizeof *v, falling); mix_bytes(v, sizeof v);",
    "qsort(v, $i, sizeof *v, by_tens); mix(v[0] / 16); mix(v[1] / 16); qsort(v, 4, sizeof *v, ascending);",
    "qsort($d, $n, 1, bytes_up); mix_bytes($d, 8);",
    "qsort(v, 4, sizeof *v, ascending); x = $n; { int *r = bsearch(&x, v, 4, sizeof *v, ascending); mix(r ? *r : -9); }",
    "mix(toupper($h)); mix(tolower($h)); mix(toascii($h));",
    "mix(!!isdigit($h)); mix(!!isalpha($h)); mix(!!isspace($h)); mix(!!isxdigit($h)); mix(!!ispunct($h));",
    "mix(!!isprint($h)); mix(!!isupper($h)); mix(!!iscntrl($h)); mix(!!isgraph($h)); mix(!!isblank($h));",
    "mix(wcslen(ws)); ws[$n] = $h; mix(ws[2]);",
    "wmemset(ws, $h, $i); mix(ws[1]); mix(wcschr(ws, $h) ? 1 : 0);",
    "wcscpy(ws, L\"12 ab\"); mix(wcstol(ws, 0, $b)); mix(sign(wcscmp(ws, L\"12a\")));",
    "wmemmove(ws + $i, ws, $i); mix(ws[0]); mix(ws[3]);",
    "mix(mbstowcs(ws, $q, 7)); mix(ws[0]);",
    "mix(strlen(strcpy($d, $q)) + (size_t)x);",
    "mix(memfrob(memcpy($d, \"abc\", 4), 3) == $d); mix_bytes($d, 4);",
];

/// Arithmetic of the library and of the compiler's functions.
pub(super) const NUMBERS: &[&str] = &[
    "mix(abs($i - 2)); mix(labs(l)); mix(llabs($i - 3));",
    "{ div_t r = div($e, 3 + $i); mix(r.quot); mix(r.rem); }",
    "{ ldiv_t r = ldiv(l, -3 - $i); mix(r.quot); mix(r.rem); }",
    "mix(ffs($e)); mix(ffsl(l)); mix(__builtin_popcount($e)); mix(__builtin_parity(y));",
    "mix(__builtin_clz($e | 1)); mix(__builtin_ctz($e | 64)); mix(__builtin_clrsb($e)); mix(__builtin_clzll(w | 1));",
    "mix(__builtin_bswap16(u16)); mix(__builtin_bswap32($e)); mix(__builtin_bswap64(w));",
    "mix(__builtin_add_overflow($e, $e, &c8)); mix(c8);",
    "mix(__builtin_mul_overflow($e, l, &s16)); mix(s16);",
    "mix(__builtin_sub_overflow(y, $e, &l)); mix(l);",
    "mix(__builtin_add_overflow(w, $e, &w)); mix(w);",
    "mix(__builtin_mul_overflow_p($e, $e, (short)0));",
    "mix(__builtin_uadd_overflow(y, $e, &y)); mix(__builtin_smul_overflow(x, $i, &x));",
    "mix_double(floor($f)); mix_double(ceil($f)); mix_double(trunc($f)); mix_double(round($f));",
    "mix_double(rint($f)); mix_double(nearbyint($f)); mix(lrint($k.5)); mix(lround($k.5)); mix(llround(d * 3));",
    "mix_double(fmod($f, $f)); mix_double(remainder($f, $f));",
    "mix_double(sqrt($f)); mix_double(fabs($f)); mix_double(sqrtf(f));",
    "mix_double(copysign(3.0, $f)); mix_double(fmin($f, $f) + 0.0); mix_double(fmax(d, $f) + 0.0); mix_double(fdim($f, d));",
    "mix_double(ldexp($f, $n)); mix_double(scalbn($f, -$n)); mix_double(frexp($k.3, &x)); mix(x);",
    "{ double i; mix_double(modf($f, &i)); mix_double(i); }",
    "mix_double(fma($f, d, $f)); mix_double(nextafter($f, d)); mix_double(nextafterf(f, 1));",
    "mix_double(logb($f)); mix(ilogb($k.5)); { int q; mix_double(remquo($k.3, 2.5, &q)); mix(q & 7); }",
    "mix(!!isnan($f)); mix(!!isinf($f)); mix(!!isfinite(d)); mix(!!isnormal($f)); mix(fpclassify($f) == FP_ZERO);",
    "mix(isgreater($f, d)); mix(islessequal($f, $f)); mix(isunordered(d, $f)); mix(!!signbit(-0.0 * $k));",
    "d = $f; mix(d > $f); f = d; mix_double(f); mix((int)($f));",
    "d = (double)$e / 3; mix_double(d); f = x; mix_double(f * 1.5f); mix((unsigned char)(d));",
    "mix((long)($f * 1e10)); mix_double((float)w); mix_double((double)(w >> 1) - l);",
    "{ long double z = $f; z = z / 3 + $e; mix_double(z); mix(z > d); mix((int)z); }",
];

/// Constructs of the language.
pub(super) const LANGUAGE: &[&str] = &[
    "$v = $e;",
    "$v = $e;",
    "$v += $e;",
    "$v ^= $e;",
    "$v -= $v * $i;",
    "$v <<= $i; $v >>= $n;",
    "$v++; --$v; mix($v++ + 2);",
    "mix($v = $e); mix(-$v); mix(~$v); mix(!$v);",
    "fs.a = $e; fs.b = $e; mix(fs.c = $e); mix(fs.e -= $e); mix(fs.b++);",
    "fs.d = $e; fs.f = $e; mix(fs.e >> 3); mix(fs.b << 2); mix(fs.a - 5 < 0); mix(-fs.c);",
    "pk.i = $e; pk.h = $e; mix_bytes(&pk.c, 1); { int *q = &v[$i]; *q = pk.i; } mix(sizeof pk);",
    "uv.h[1] = $e; mix(uv.b[$n]); uv.f.mid = $e; mix(uv.w); mix(uv.f.hi); uv.s[$i] = -$n; mix(uv.w);",
    "uv.w = $e; uv.b[$n] ^= 0x81; mix(uv.h[0]); mix(uv.s[1]); mix(uv.f.lo);",
    "pr = swapped(pr); mix(pr.x); mix(swapped(pr).z);",
    "ne.p[$i & 1] = pr; mix(ne.p[1].z); ne.v.c[$i] = $h; mix(ne.v.u); mix_text(ne.name);",
    "ne.name[$i] = $h; mix_bytes(&ne.p[0].x, 2); { struct nest copy = ne; copy.p[0].y++; mix(copy.p[0].y + ne.p[0].y); }",
    "{ struct pair *q = &ne.p[$i & 1]; q->z = $e; q->y -= 9; mix(q->y); mix(q - ne.p); }",
    "{ struct nest *q = &ne; memcpy(&q->p[1], &q->p[0], sizeof q->p[0]); mix(q->p[1].z); }",
    "{ int *q = v + $i; mix(*q); mix(q[-0]); mix(v + 3 - q); q = &v[$i]; *q = $e; }",
    "{ int **r, *q = &v[$i]; r = &q; **r += 5; *r = v; mix(*q); }",
    "{ int m[2][3] = { { 1, 2 }, [1][2] = $n }; int (*q)[3] = m + ($n & 1); mix((*q)[$i]); m[1][$n & 1] = 4; mix(m[1][0]); }",
    "{ int q[$i + 1]; for (int i = 0; i <= $i; i++) q[i & 3] = i; mix(sizeof q); mix(q[0]); }",
    "mix(((int[]){ 3, $n, $e })[$i]); mix(((struct pair){ .z = $e, 1 }).z);",
    "mix(({ int q = $e; q / 3; })); mix(($e, $i)); mix($e ?: 5);",
    "switch ($e & 7) { case 0: mix(1); case 1 ... 3: mix(2); break; default: mix(3); break; case 6: mix(4); }",
    "for (int i = 0; i < 1 + $i; i++) { if (i == $n) continue; if (y > 90 && i > 2) break; $v += i * $k; }",
    "for (unsigned i = $n; i--;) w = w * 31 + i;",
    "x = 0; while (x < $n) { y += v[x & 3]; x += 2; }",
    "x = $i; do { u8 = u8 * 5 + 1; } while (x-- > 0);",
    "if ($e > $e) { $v = $k; } else { $v = $e; }",
    "if (($e & 1) && ($e < 90 || !$v)) $v = -$n;",
    "x = $i; again$u: w ^= w << 5; if (x-- > 0) goto again$u;",
    "{ static void *labels[] = { &&one$u, &&two$u }; goto *labels[$n & 1]; one$u: mix(1); two$u: mix(2); }",
    "mix(total(3, $i, $n, x)); mix(total($i, 4, 5, 6));",
    "mix(deep($i, $n)); mix(twice($n & 1 ? abs : toupper, 97)); mix(counter($n));",
    "if (setjmp(place) == 0) { leap($n); mix(1); } else mix(99);",
    "switch (setjmp(place)) { case 0: leap($n); mix(2); break; case 4: mix(3); break; default: mix(4); }",
    "mix(_Generic($v, int: 1, unsigned: 2, long: 3, signed char: 4, default: 5)); mix(sizeof($v + 1L)); mix(_Alignof(struct nest));",
    "mix(offsetof(struct nest, name[2])); mix(sizeof(struct fields)); mix(sizeof ne); mix((char)$e < 0); mix('\\377');",
    "{ enum { A = -2, B = 300 } e = $n & 1 ? A : B; mix(e); mix(e < 0u); }",
    "{ __int128 z = l; z = z * w + $e; mix(z); mix(z >> 64); mix(z < 0); }",
    "{ unsigned __int128 z = w; z = (z << 40) / (3 + $n); mix(z >> 20); mix(z % 1000); }",
    "{ _Bool b = $f; mix(b); b += $e; mix(b); b = (void *)s0 != 0; mix(b); }",
    "{ volatile int z = $e; mix(z); z += 2; mix(z * 2u); }",
    "{ struct { int n; char tail[]; } *q = malloc(sizeof *q + $n); q->n = $n; if ($n > 1) { q->tail[0] = 'x'; q->tail[$i] = 'y'; mix(q->tail[0]); } mix(q->n); free(q); }",
    "{ struct list { struct list *next; int n; } one = { 0, $n }, two = { &one, 2 }, *q; x = 0; for (q = &two; q; q = q->next) x = x * 10 + q->n; mix(x); }",
    "{ unsigned char *q = (unsigned char *)&$v; mix(q[0]); q[0] ^= $n; mix($v); }",
    "{ float z = 1.5f; unsigned r; memcpy(&r, &z, sizeof r); r += $n << 20; memcpy(&z, &r, sizeof z); mix_double(z); }",
    "{ uintptr_t z = (uintptr_t)&v[$i]; int *q = (int *)(z + 4); mix(q - v); if (q < v + 4) mix(*q); }",
    "{ char **q = (char *[]){ s0, s1, s2 }; mix(q[$i][$n]); mix(*q[1]); }",
    "{ const struct pair table[] = { { 1, 2, 3 }, { 4, 5, 6 }, [3] = { .y = 7 } }; mix(table[$i].z + table[$i].y); mix(sizeof table); }",
    "{ int k = 1, m = $n; { int k = m; m = k * 2; } mix(k * 100 + m); }",
    "mix(x < 0 ? y : x); mix(u8 << $i); mix(c8 >> 1); mix((u16 * 3) >> $n); mix(y - x > 5); mix(u8 - u16 < y);",
    "mix(x / (1 + $i)); mix(x % (2 + $i)); mix(-x / 3); mix(l % -7); mix(w / (1 + $n));",
    "mix(x / $i); mix(y % $n);",
    "v[$n] = $e; mix(v[$n]);",
    "mix($d[$n + $i]); $d[$n] = $h;",
    "mix(__atomic_fetch_add(&y, $e, 0)); mix(__sync_lock_test_and_set(&x, $n)); mix(__sync_bool_compare_and_swap(&x, $n, 4));",
];
