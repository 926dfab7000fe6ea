#include "utc.h"

#include <stdint.h>
#include <string.h>

#define SECONDS_A_DAY 86400U

/* Writes `count` digits. */
static void utc_put(char *text, uint64_t number, size_t count)
{
    for (; count > 0; number /= 10)
        text[--count] = (char)('0' + number % 10);
}

/*
 * A day since 1970 as a date of the Gregorian calendar, which repeats after 400 years or 146097
 * days. Years begin in March here, so that the day which some of them lack is their last, and the
 * months' lengths repeat every 5 months or 153 days.
 */
static void utc_put_date(uint64_t day, char *text)
{
    const uint64_t days = day + 719468; /* since the first of March of the year 0 */
    const uint64_t of_era = days % 146097;
    const uint64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const uint64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const uint64_t month = (5 * of_year + 2) / 153;
    const uint64_t is_next_year = month >= 10;

    utc_put(text, days / 146097 * 400 + year_of_era + is_next_year, 4);
    utc_put(text + 5, is_next_year ? month - 9 : month + 3, 2);
    utc_put(text + 8, of_year - (153 * month + 2) / 5 + 1, 2);
}

void utc_print(const struct timespec *when, char text[UTC_SIZE])
{
    const uint64_t second = (uint64_t)when->tv_sec % SECONDS_A_DAY;

    memcpy(text, "0000-00-00T00:00:00.000Z", UTC_SIZE);
    utc_put_date((uint64_t)when->tv_sec / SECONDS_A_DAY, text);
    utc_put(text + 11, second / 3600, 2);
    utc_put(text + 14, second / 60 % 60, 2);
    utc_put(text + 17, second % 60, 2);
    utc_put(text + 20, (uint64_t)when->tv_nsec / 1000000, 3);
}
