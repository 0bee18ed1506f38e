/* Times by the Gregorian calendar (C11 7.27, POSIX), in the years from 1 to 9999, with the members that glibc has. The place and its
   rules are the environment's: any difference from UTC of up to 26 hours. */
/* Members: 0 second, 1 minute, 2 hour, 3 day of the month, 4 month, 5 year, 6 day of the week, 7 day of the year, 8 whether it is daylight
   saving time; then the difference from UTC, and the name of the zone. */
void __craig_set_zone(int *to, int is_dst, long offset, const char *zone)
{
  char *rest = (char *)to + (36 + sizeof(long) - 1) / sizeof(long) * sizeof(long);
  to[8] = is_dst;
  *(long *)rest = offset;
  *(const char **)(rest + sizeof(long)) = zone;
}
int __craig_is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }
/* The days before a year, from the first one of year 1; and before a month, of a year. */
int __craig_days_before_year(int year) { year--; return 365 * year + year / 4 - year / 100 + year / 400; }
int __craig_days_before_month(int month, int is_leap)
{
  static const short days[13] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365 };
  return days[month] + (month > 1 && is_leap);
}
/* Sets the members that follow from the seconds since 1970. Each value is the one that the assumptions leave. */
void __craig_split_time(int *to, long long seconds)
{
  int days, year, month, left, leap;
  if (seconds < -62135596800LL || seconds > 253402300799LL) __craig_unsupported("a time out of range");
  seconds += 62135596800LL;
  __builtin_assume(days >= 0 && days <= 3652058);
  __builtin_assume((long long)days * 86400 <= seconds && seconds < (long long)days * 86400 + 86400);
  left = (int)(seconds - (long long)days * 86400);
  to[0] = left % 60;
  to[1] = left / 60 % 60;
  to[2] = left / 3600;
  to[6] = (days + 1) % 7;
  __builtin_assume(year >= 1 && year <= 9999);
  __builtin_assume(__craig_days_before_year(year) <= days && days < __craig_days_before_year(year + 1));
  to[5] = year - 1900;
  to[7] = days - __craig_days_before_year(year);
  leap = __craig_is_leap(year);
  __builtin_assume(month >= 0 && month <= 11);
  __builtin_assume(__craig_days_before_month(month, leap) <= to[7] && to[7] < __craig_days_before_month(month + 1, leap));
  to[4] = month;
  to[3] = to[7] - __craig_days_before_month(month, leap) + 1;
}
/* The seconds since 1970 in UTC that the members mean, which need not be in their ranges. */
long long __craig_joined_time(const int *from)
{
  int months, year, month;
  long long days;
  if (from[5] < -2000 || from[5] > 10000 || from[4] < -100000 || from[4] > 100000) __craig_unsupported("a time out of range");
  months = (from[5] + 1900) * 12 + from[4];
  __builtin_assume(month >= 0 && month <= 11 && year >= -10000 && year <= 30000);
  __builtin_assume(year * 12 + month == months);
  if (year < 1 || year > 9999) __craig_unsupported("a time out of range");
  days = (long long)__craig_days_before_year(year) + __craig_days_before_month(month, __craig_is_leap(year)) - 719163 + from[3];
  return days * 86400 + from[2] * 3600LL + from[1] * 60LL + from[0];
}
/* A name of a time zone: of three to seven characters. */
const char *__craig_zone(void)
{
  static char name[8];
  for (int i = 0; i < 7; i++) { char c; name[i] = c; }
  __builtin_assume(name[0] && name[1] && name[2]);
  name[7] = 0;
  return name;
}
void *gmtime_r(const long *time, void *result)
{
  int *to = (int *)result;
  __craig_split_time(to, *time);
  __craig_set_zone(to, 0, 0, "GMT");
  return result;
}
void *localtime_r(const long *time, void *result)
{
  int *to = (int *)result;
  int offset, is_dst;
  __builtin_assume(offset >= -93600 && offset <= 93600);
  __builtin_assume(is_dst == 0 || is_dst == 1);
  __craig_split_time(to, *time + (long long)offset);
  __craig_set_zone(to, is_dst, offset, __craig_zone());
  return result;
}
/* The result is in one object (C11 7.27.3p1). */
void *__craig_kept_time(void) { static long kept[14]; return kept; }
void *gmtime(const long *time) { return gmtime_r(time, __craig_kept_time()); }
void *localtime(const long *time) { return localtime_r(time, __craig_kept_time()); }
/* A time that has no number is -1. */
long timegm(void *time)
{
  int *own = (int *)time;
  long long seconds = __craig_joined_time(own);
  if ((long)seconds != seconds) return -1;
  __craig_split_time(own, seconds);
  __craig_set_zone(own, 0, 0, "GMT");
  return (long)seconds;
}
/* Where clocks change, the members that are set may be an hour from those that were given. */
long mktime(void *time)
{
  int *own = (int *)time;
  int offset, shift, is_dst;
  long long seconds = __craig_joined_time(own);
  __builtin_assume(offset >= -93600 && offset <= 93600);
  __builtin_assume(shift == 0 || shift == 3600 || shift == -3600);
  __builtin_assume(is_dst == 0 || is_dst == 1);
  seconds -= offset;
  if ((long)seconds != seconds) return -1;
  __craig_split_time(own, seconds + offset + shift);
  __craig_set_zone(own, is_dst, offset + shift, __craig_zone());
  return (long)seconds;
}
/* Of 26 characters; years of fewer or more digits than four have other lengths. */
char *asctime_r(const void *time, char *text)
{
  const int *own = (const int *)time;
  SIZE at = strftime(text, 26, "%a %b ", time);
  if (own[5] < -900 || own[3] < 0 || own[3] > 99) __craig_unsupported("a time out of range as text");
  at = __craig_append(text, 26, at, own[3] > 9 ? '0' + own[3] / 10 : ' ');
  at = __craig_append(text, 26, at, '0' + own[3] % 10);
  strftime(text + at, 26 - at, " %T %Y\n", time);
  return text;
}
char *asctime(const void *time) { static char text[26]; return asctime_r(time, text); }
char *ctime(const long *time) { return asctime(localtime(time)); }
char *ctime_r(const long *time, char *text) { long own[14]; return asctime_r(localtime_r(time, own), text); }
