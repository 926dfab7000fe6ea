#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "process_stats.h"

#define MIB 1048576.0

Test(process_stats, sees_memory_that_was_touched)
{
    const size_t size = 32U << 20;
    const double before = process_resident_bytes();
    char *memory = malloc(size);

    cr_assert(memory);
    memset(memory, 1, size);
    cr_expect_gt(process_resident_bytes(), before + 30 * MIB);
    cr_expect_gt(process_virtual_bytes(), process_resident_bytes());
    cr_expect_eq(memory[size - 1], 1);
    free(memory);
}

Test(process_stats, counts_descriptors)
{
    const double before = process_open_fds();
    int fds[7];

    for (int i = 0; i < 7; i++) {
        fds[i] = open("/dev/null", O_RDONLY);
        cr_assert_geq(fds[i], 0);
    }
    cr_expect_eq(process_open_fds(), before + 7);
    cr_expect_geq(process_max_fds(), before + 7);
    for (int i = 0; i < 7; i++)
        (void)close(fds[i]);
    cr_expect_eq(process_open_fds(), before);
}

Test(process_stats, counts_the_seconds_that_were_worked)
{
    const double before = process_cpu_seconds();
    struct timespec start, now;

    cr_assert_eq(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start), 0);
    do {
        cr_assert_eq(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now), 0);
    } while ((double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) / 1e9 <
             0.02);
    cr_expect_geq(process_cpu_seconds(), before + 0.019);
}
