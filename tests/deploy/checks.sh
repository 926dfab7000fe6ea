# What the tests of deployment share: checks that count, one line each. SUBJECT names the test.
# shellcheck shell=bash

passed=0
failed=0

# check SENTENCE COMMAND...
check()
{
    local sentence=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
        echo "ok      $sentence"
    else
        failed=$((failed + 1))
        echo "FAILED  $sentence"
    fi
}

# Ends the test with its closing line.
conclude()
{
    echo "${SUBJECT:?}: $passed passed, $failed failed"
    [ "$failed" = 0 ]
    exit
}

give_up()
{
    failed=$((failed + 1))
    echo "FAILED  $1"
    conclude
}

# Something to read beside a check.
say()
{
    printf '        %s\n' "$*"
}

free_port()
{
    local port
    while port=$((20000 + RANDOM % 10000)); (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
    echo "$port"
}

# within SECONDS COMMAND...: whether it succeeds, tried again and again.
within()
{
    local until=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -le "$until" ] || return 1
        sleep 0.1
    done
}
