#include <criterion/criterion.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "linger.h"
#include "listener.h"

#define SOON_MS 20000

/* A connection over loopback: ends[0] is the server's side. */
static void open_pair(int ends[2])
{
    const struct address any = {.host = "127.0.0.1"};
    const struct listener_options options = {0};
    struct sockaddr_in address = {.sin_family = AF_INET};
    char problem[LISTENER_PROBLEM_MAX] = "";
    struct listener listener;
    struct arrival arrival;

    cr_assert(listener_open(&any, &options, &listener, problem), "%s", problem);
    address.sin_port = htons((in_port_t)listener.address.port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ends[1] = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert_eq(connect(ends[1], (struct sockaddr *)&address, sizeof(address)), 0);
    cr_assert_eq(listener_accept(&listener, &arrival), LISTENER_ACCEPTED);
    ends[0] = arrival.fd;
    listener_close(&listener);
}

/* Sweeps until the list is empty; false when that takes longer than it should. */
static bool sweep_until_empty(struct linger_list *list)
{
    const uint64_t end = clock_ms() + SOON_MS;

    while (list->count > 0 && clock_ms() < end) {
        linger_sweep(list, clock_ms());
        (void)usleep(1000);
    }
    return list->count == 0;
}

Test(linger, lets_a_client_read_what_was_sent_before_it_had_finished_sending)
{
    static struct linger_list list;
    char unread[100000] = "", answer[8] = "";
    int ends[2];

    open_pair(ends);
    cr_assert_eq(send(ends[1], unread, sizeof(unread), MSG_DONTWAIT) > 0, 1);
    cr_assert_eq(send(ends[0], "refused", 7, 0), 7);
    linger_keep(&list, ends[0], false, clock_ms() + 60000);
    (void)close(ends[0]); /* alone, this would reset the connection: input is unread */
    linger_sweep(&list, clock_ms());
    cr_assert_eq(send(ends[1], unread, 1000, MSG_NOSIGNAL), 1000);
    linger_sweep(&list, clock_ms());
    cr_expect_eq(list.count, 1, "the client has not closed yet");
    cr_expect_eq(recv(ends[1], answer, sizeof(answer), MSG_WAITALL), 7);
    cr_expect_str_eq(answer, "refused");
    (void)close(ends[1]);
    cr_expect(sweep_until_empty(&list));
}

Test(linger, ends_as_soon_as_all_is_sent_when_asked_to)
{
    static struct linger_list list;
    int ends[2];

    open_pair(ends);
    cr_assert_eq(send(ends[0], "answer", 6, 0), 6);
    linger_keep(&list, ends[0], true, clock_ms() + 60000);
    (void)close(ends[0]);
    cr_expect(sweep_until_empty(&list));
    (void)close(ends[1]);
}

Test(linger, does_not_wait_for_a_client_that_has_reset)
{
    static struct linger_list list;
    const struct linger reset = {.l_onoff = 1, .l_linger = 0};
    static char bytes[1 << 20];
    int ends[2];

    open_pair(ends);
    cr_assert_gt(send(ends[0], bytes, sizeof(bytes), MSG_DONTWAIT), 0);
    cr_assert_eq(setsockopt(ends[1], SOL_SOCKET, SO_LINGER, &reset, sizeof(reset)), 0);
    (void)close(ends[1]);
    (void)send(ends[0], bytes, 1, MSG_NOSIGNAL); /* takes the error, as the library would */
    linger_keep(&list, ends[0], true, clock_ms() + 60000);
    (void)close(ends[0]);
    cr_expect(sweep_until_empty(&list));
}

Test(linger, keeps_no_more_than_its_limit_and_no_longer_than_its_time)
{
    static struct linger_list list;
    int ends[2];

    open_pair(ends);
    for (size_t i = 0; i < LINGER_MAX + 5; i++)
        linger_keep(&list, ends[0], false, 1000);
    cr_expect_eq(list.count, LINGER_MAX);
    linger_sweep(&list, 999);
    cr_expect_eq(list.count, LINGER_MAX);
    linger_sweep(&list, 1000);
    cr_expect_eq(list.count, 0);
    (void)close(ends[0]);
    (void)close(ends[1]);
}
