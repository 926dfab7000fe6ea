# Three replicas of posencd and what stands before them, each on a host of its own: a network namespace
# on a bridge, so that nothing of this machine's network is touched. Where namespaces may not be made,
# all of them are ports of 127.0.0.1. Sourced by tests that have checks.sh and $POSENCD.
# shellcheck shell=bash

REPLICAS=3
NET=198.18.0 # for tests of networks (RFC 2544)
PREFIX=posenc$$
RUN=$(mktemp -d)
declare -A PIDS=()
declare -A PORTS=()
trap replicas_clear EXIT

# A host of one name: its namespace, and its link to the bridge, which is on the host "front".
host_add()
{
    local name=$1 address=$2 space=$PREFIX-$1 front=$PREFIX-front
    ip netns add "$space" || return
    ip -n "$space" link set lo up || return
    if [ "$name" = front ]; then
        ip -n "$space" link add hub type bridge && ip -n "$space" addr add "$NET.$address/24" dev hub &&
            ip -n "$space" link set hub up
        return
    fi
    ip -n "$front" link add "$name" type veth peer name net0 netns "$space" &&
        ip -n "$front" link set "$name" master hub up &&
        ip -n "$space" addr add "$NET.$address/24" dev net0 && ip -n "$space" link set net0 up
}

hosts_make()
{
    local i
    HOSTS=namespaces
    # No check of duplicate addresses and the like: nothing to wait for.
    if [ -z "${POSENC_NO_NAMESPACES:-}" ] && host_add front 254 2>"$RUN/ip"; then
        for ((i = 1; i <= REPLICAS; i++)); do host_add "r$i" "$i" || return; done
        return
    fi
    HOSTS=ports
    echo "!!      NETWORK NAMESPACES ARE NOT PERMITTED HERE: $(cat "$RUN/ip" 2>/dev/null)"
    echo "!!      All replicas are ports of 127.0.0.1, and no link is taken down."
    for ((i = 1; i <= REPLICAS; i++)); do PORTS[r$i]=$(free_port); done
}

# on HOST COMMAND...: ends as the command does, and is the command's own process.
on()
{
    local host=$1
    shift
    if [ "$HOSTS" = namespaces ]; then
        exec ip netns exec "$PREFIX-$host" "$@"
    fi
    exec "$@"
}

# "198.18.0.2:8080"
replica_address()
{
    if [ "$HOSTS" = namespaces ]; then
        echo "$NET.$1:8080"
    else
        echo "127.0.0.1:${PORTS[r$1]}"
    fi
}

# start NAME HOST COMMAND...: in the background; its words go to $RUN/NAME.log.
start()
{
    local name=$1
    shift
    (on "$@") >>"$RUN/$name.log" 2>&1 </dev/null &
    PIDS[$name]=$!
}

# end NAME SIGNAL: its exit status.
end()
{
    local pid=${PIDS[$1]}
    unset "PIDS[$1]"
    kill "-$2" "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
}

replica_answers()
{
    (on front curl -sf -o "$RUN/null" --max-time 1 "http://$(replica_address "$1")/readyz")
}

# replica_start NUMBER FLAGS...
replica_start()
{
    local number=$1
    shift
    start "r$number" "r$number" env -i "$POSENCD" --listen "$(replica_address "$number")" --threads 2 "$@"
    within 30 replica_answers "$number"
}

replicas_start()
{
    local i
    for ((i = 1; i <= REPLICAS; i++)); do replica_start "$i" || return; done
}

# How many requests the replicas have answered that their log lines show by an extended expression. A
# line comes a moment after its answer, so they are counted when no more come.
replicas_served()
{
    local now='' last
    until last=$now; now=$(cat "$RUN"/r[0-9]*.log | grep -cE "msg=request.*$1"); [ "$now" = "$last" ]; do
        sleep 0.3
    done
    echo "$now"
}

replicas_clear()
{
    local name
    # nginx has children to tell, who would outlive it.
    if [ -n "${PIDS[nginx]:-}" ]; then end nginx TERM; fi
    for name in "${!PIDS[@]}"; do end "$name" KILL; done
    for name in /run/netns/"$PREFIX"-*; do
        [ -e "$name" ] && ip netns delete "${name##*/}"
    done
    rm -rf "$RUN"
}
