#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unix_socket.h"

static char folder[] = "/tmp/posenc-test-unix-XXXXXX", path[64];

static void setup(void)
{
    cr_assert(mkdtemp(folder));
    (void)snprintf(path, sizeof(path), "%s/socket", folder);
}

static void teardown(void)
{
    (void)unlink(path);
    cr_expect_eq(rmdir(folder), 0);
}

TestSuite(unix_socket, .init = setup, .fini = teardown);

static int open_stream(void)
{
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    cr_assert_geq(fd, 0);
    return fd;
}

static mode_t mode_of(const char *name)
{
    struct stat status;

    return lstat(name, &status) == 0 ? status.st_mode : 0;
}

Test(unix_socket, has_the_mode_that_was_asked_for_whatever_the_umask)
{
    struct unix_path ours = {0};
    const int fd = open_stream();

    (void)umask(0777);
    cr_assert(unix_socket_bind(fd, path, 0624, &ours));
    cr_expect_eq(mode_of(path), S_IFSOCK | 0624);
    unix_socket_unlink(path, &ours);
    cr_expect_eq(mode_of(path), 0);
    (void)close(fd);
}

Test(unix_socket, takes_the_place_of_one_that_nobody_listens_at)
{
    struct unix_path left = {0}, ours = {0};
    const int dead = open_stream(), fd = open_stream();

    cr_assert(unix_socket_bind(dead, path, 0600, &left));
    cr_assert_eq(listen(dead, 1), 0);
    (void)close(dead); /* as by SIGKILL: the path stays */
    cr_assert(unix_socket_bind(fd, path, 0600, &ours));
    cr_expect_eq(listen(fd, 1), 0);
    (void)close(fd);
}

Test(unix_socket, leaves_one_alone_that_somebody_listens_at)
{
    struct unix_path theirs = {0}, ours = {0};
    const int other = open_stream(), fd = open_stream();

    cr_assert(unix_socket_bind(other, path, 0600, &theirs));
    cr_assert_eq(listen(other, 1), 0);
    cr_expect_not(unix_socket_bind(fd, path, 0600, &ours));
    cr_expect_eq(errno, EADDRINUSE);
    cr_expect_eq(ours.inode, 0);
    unix_socket_unlink(path, &ours);
    cr_expect_neq(mode_of(path), 0, "it was theirs");
    (void)close(fd);
    (void)close(other);
}

Test(unix_socket, leaves_files_and_links_alone)
{
    struct unix_path ours = {0};
    const int fd = open_stream(), file = open(path, O_CREAT | O_WRONLY, 0600);

    cr_assert_geq(file, 0);
    cr_expect_not(unix_socket_bind(fd, path, 0600, &ours));
    cr_expect_eq(errno, EADDRINUSE);
    cr_expect(S_ISREG(mode_of(path)));
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(symlink("/nowhere", path), 0);
    cr_expect_not(unix_socket_bind(fd, path, 0600, &ours));
    cr_expect(S_ISLNK(mode_of(path)));
    (void)close(file);
    (void)close(fd);
}

Test(unix_socket, removes_no_path_that_another_server_has_taken_meanwhile)
{
    struct unix_path ours = {0}, theirs = {0};
    const int fd = open_stream(), other = open_stream();

    cr_assert(unix_socket_bind(fd, path, 0600, &ours));
    (void)close(fd);
    cr_assert(unix_socket_bind(other, path, 0600, &theirs));
    if (ours.inode != theirs.inode) { /* a file system may use a number again at once */
        unix_socket_unlink(path, &ours);
        cr_expect_neq(mode_of(path), 0);
    }
    unix_socket_unlink(path, &theirs);
    cr_expect_eq(mode_of(path), 0);
    (void)close(other);
}

Test(unix_socket, says_why_it_cannot_bind)
{
    struct unix_path ours = {0};
    const int fd = open_stream();

    cr_expect_not(unix_socket_bind(fd, "/no/such/folder/socket", 0600, &ours));
    cr_expect_eq(errno, ENOENT);
    (void)close(fd);
}
