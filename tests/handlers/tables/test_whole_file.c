/* Files that somebody writes while they are read. */
#include "whole_file.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file of five bytes, and what fstat() says of it. */
static int new_file(struct stat *before)
{
    const int fd = memfd_create("whole", 0);

    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, "12345", 5), 5);
    cr_assert_eq(fstat(fd, before), 0);
    return fd;
}

Test(whole_file, is_read_from_its_start_wherever_the_descriptor_stands)
{
    struct stat before;
    char bytes[6] = "xxxxx";
    const int fd = new_file(&before);

    cr_expect_null(read_whole_file(fd, &before, bytes));
    cr_expect_str_eq(bytes, "12345");
    (void)close(fd);
}

Test(whole_file, may_be_empty)
{
    struct stat before;
    char byte = 'x';
    const int fd = memfd_create("empty", 0);

    cr_assert_eq(fstat(fd, &before), 0);
    cr_expect_null(read_whole_file(fd, &before, &byte));
    cr_expect_eq(byte, 'x');
    (void)close(fd);
}

Test(whole_file, that_shrinks_or_grows_is_refused)
{
    struct stat before;
    char bytes[6];
    const int fd = new_file(&before);

    cr_assert_eq(ftruncate(fd, 4), 0);
    cr_expect_str_eq(read_whole_file(fd, &before, bytes), "shrank while it was read");
    cr_assert_eq(ftruncate(fd, 9), 0);
    cr_expect_str_eq(read_whole_file(fd, &before, bytes), "grew while it was read");
    (void)close(fd);
}

Test(whole_file, that_is_written_without_another_size_is_refused)
{
    struct stat before;
    char bytes[6];
    const int fd = new_file(&before);

    before.st_mtim.tv_nsec ^= 1; /* as if it had been written since: clocks may be too coarse */
    cr_expect_str_eq(read_whole_file(fd, &before, bytes), "was written while it was read");
    (void)close(fd);
}

Test(whole_file, that_cannot_be_read_is_refused)
{
    const struct stat before = {.st_size = 5};
    char bytes[6];

    cr_expect_str_eq(read_whole_file(-1, &before, bytes), "cannot be read:");
}
