/* A moment as text: RFC 3339, UTC, milliseconds. */
#ifndef UTC_H
#define UTC_H

#include <time.h>

#define UTC_SIZE sizeof("2026-11-30T15:22:33.123Z")

/* Years 1970 to 9999. Safe in any thread, and without the lock that gmtime_r() takes for the time
 * zone, which all threads would share. */
void utc_print(const struct timespec *when, char text[UTC_SIZE]);

#endif
