#include "utc.h"

#include <criterion/criterion.h>
#include <string.h>

/* As the C library writes it. */
static void print_expected(time_t second, char text[64])
{
    struct tm utc;

    cr_assert(gmtime_r(&second, &utc));
    cr_assert_gt(strftime(text, 64, "%Y-%m-%dT%H:%M:%S.789Z", &utc), 0);
}

Test(utc, says_what_the_c_library_says_on_every_day_for_five_centuries)
{
    const time_t end = (time_t)500 * 366 * 86400;
    char text[UTC_SIZE], expected[64];

    /* A bit less than a day, so that the time of day goes through all its values too. */
    for (time_t second = 0; second < end; second += 86353) {
        utc_print(&(struct timespec){.tv_sec = second, .tv_nsec = 789999999}, text);
        print_expected(second, expected);
        cr_assert_str_eq(text, expected);
    }
}

Test(utc, writes_all_its_digits)
{
    char text[UTC_SIZE];

    utc_print(&(struct timespec){.tv_sec = 0, .tv_nsec = 0}, text);
    cr_expect_str_eq(text, "1970-01-01T00:00:00.000Z");
    utc_print(&(struct timespec){.tv_sec = 951827696, .tv_nsec = 7000000}, text);
    cr_expect_str_eq(text, "2000-02-29T12:34:56.007Z");
    utc_print(&(struct timespec){.tv_sec = 253402300799, .tv_nsec = 999999999}, text);
    cr_expect_str_eq(text, "9999-12-31T23:59:59.999Z");
}
