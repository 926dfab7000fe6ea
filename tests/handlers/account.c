#include "account.h"

#include <criterion/criterion.h>

static bool account_may_work(void *context, uint64_t nanoseconds)
{
    struct account *account = context;

    if (nanoseconds > account->longest_ns)
        account->longest_ns = nanoseconds;
    account->was_stopped = account->was_stopped || nanoseconds > account->allowed_ns;
    return !account->was_stopped;
}

static bool account_may_take(void *context, size_t bytes)
{
    struct account *account = context;

    if (account->takes++ >= account->take_limit ||
        (account->bytes_max > 0 && bytes > account->bytes_max - account->held))
        return false;
    account->held += bytes;
    return true;
}

static void account_give_back(void *context, size_t bytes)
{
    struct account *account = context;

    cr_assert_geq(account->held, bytes);
    account->held -= bytes;
}

struct posenc_watch account_watch(struct account *account)
{
    return (struct posenc_watch){account_may_work, account_may_take, account_give_back, account};
}
