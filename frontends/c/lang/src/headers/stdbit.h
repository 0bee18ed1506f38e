/* C23 7.18, for C libraries without it. */
#ifndef __STDC_VERSION_STDBIT_H__
#define __STDC_VERSION_STDBIT_H__ 202311L

#define __STDC_ENDIAN_LITTLE__ __ORDER_LITTLE_ENDIAN__
#define __STDC_ENDIAN_BIG__ __ORDER_BIG_ENDIAN__
#define __STDC_ENDIAN_NATIVE__ __BYTE_ORDER__

extern void __craig_unsupported(const char *);

#define __CRAIG_BITS(suffix, type) \
  static inline unsigned int stdc_leading_zeros##suffix(type value) \
  { \
    return value == 0 ? 8 * sizeof(type) : __builtin_clzll(value) - (64 - 8 * sizeof(type)); \
  } \
  static inline unsigned int stdc_leading_ones##suffix(type value) \
  { \
    return stdc_leading_zeros##suffix((type)~value); \
  } \
  static inline unsigned int stdc_trailing_zeros##suffix(type value) \
  { \
    return value == 0 ? 8 * sizeof(type) : (unsigned int)__builtin_ctzll(value); \
  } \
  static inline unsigned int stdc_trailing_ones##suffix(type value) \
  { \
    return stdc_trailing_zeros##suffix((type)~value); \
  } \
  static inline unsigned int stdc_first_leading_zero##suffix(type value) \
  { \
    return (type)~value == 0 ? 0 : stdc_leading_ones##suffix(value) + 1; \
  } \
  static inline unsigned int stdc_first_leading_one##suffix(type value) \
  { \
    return value == 0 ? 0 : stdc_leading_zeros##suffix(value) + 1; \
  } \
  static inline unsigned int stdc_first_trailing_zero##suffix(type value) \
  { \
    return (type)~value == 0 ? 0 : stdc_trailing_ones##suffix(value) + 1; \
  } \
  static inline unsigned int stdc_first_trailing_one##suffix(type value) \
  { \
    return value == 0 ? 0 : stdc_trailing_zeros##suffix(value) + 1; \
  } \
  static inline unsigned int stdc_count_ones##suffix(type value) \
  { \
    return __builtin_popcountll(value); \
  } \
  static inline unsigned int stdc_count_zeros##suffix(type value) \
  { \
    return stdc_count_ones##suffix((type)~value); \
  } \
  static inline _Bool stdc_has_single_bit##suffix(type value) \
  { \
    return stdc_count_ones##suffix(value) == 1; \
  } \
  static inline unsigned int stdc_bit_width##suffix(type value) \
  { \
    return 8 * sizeof(type) - stdc_leading_zeros##suffix(value); \
  } \
  static inline type stdc_bit_floor##suffix(type value) \
  { \
    return value == 0 ? 0 : (type)(1ull << (stdc_bit_width##suffix(value) - 1)); \
  } \
  static inline type stdc_bit_ceil##suffix(type value) \
  { \
    unsigned int bits = value <= 1 ? 0 : stdc_bit_width##suffix((type)(value - 1)); \
    if (bits >= 8 * sizeof(type)) \
      __craig_unsupported("`stdc_bit_ceil" #suffix "` of a number without a power of two above it in its type"); \
    return (type)(1ull << bits); \
  }

__CRAIG_BITS(_uc, unsigned char)
__CRAIG_BITS(_us, unsigned short)
__CRAIG_BITS(_ui, unsigned int)
__CRAIG_BITS(_ul, unsigned long)
__CRAIG_BITS(_ull, unsigned long long)
#undef __CRAIG_BITS

#define __CRAIG_BY_TYPE(name, value) \
  _Generic((value), unsigned char: name##_uc, unsigned short: name##_us, unsigned int: name##_ui, \
           unsigned long: name##_ul, unsigned long long: name##_ull)(value)

#define stdc_leading_zeros(value) __CRAIG_BY_TYPE(stdc_leading_zeros, value)
#define stdc_leading_ones(value) __CRAIG_BY_TYPE(stdc_leading_ones, value)
#define stdc_trailing_zeros(value) __CRAIG_BY_TYPE(stdc_trailing_zeros, value)
#define stdc_trailing_ones(value) __CRAIG_BY_TYPE(stdc_trailing_ones, value)
#define stdc_first_leading_zero(value) __CRAIG_BY_TYPE(stdc_first_leading_zero, value)
#define stdc_first_leading_one(value) __CRAIG_BY_TYPE(stdc_first_leading_one, value)
#define stdc_first_trailing_zero(value) __CRAIG_BY_TYPE(stdc_first_trailing_zero, value)
#define stdc_first_trailing_one(value) __CRAIG_BY_TYPE(stdc_first_trailing_one, value)
#define stdc_count_zeros(value) __CRAIG_BY_TYPE(stdc_count_zeros, value)
#define stdc_count_ones(value) __CRAIG_BY_TYPE(stdc_count_ones, value)
#define stdc_has_single_bit(value) __CRAIG_BY_TYPE(stdc_has_single_bit, value)
#define stdc_bit_width(value) __CRAIG_BY_TYPE(stdc_bit_width, value)
#define stdc_bit_floor(value) __CRAIG_BY_TYPE(stdc_bit_floor, value)
#define stdc_bit_ceil(value) __CRAIG_BY_TYPE(stdc_bit_ceil, value)

#endif
