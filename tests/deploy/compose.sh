# The services of docker/compose.yaml, in the engine and with the image of container-test, which sources this.
# shellcheck shell=bash

COMPOSE_WITHIN_S=600 # the proxies are built from packages first

# The file as it stands; its builds use this machine's network, since the engine has no bridge.
compose()
{
    timeout "$COMPOSE_WITHIN_S" docker-compose --project-name posenc -f docker/compose.yaml -f "$ENGINE/override.yaml" "$@" \
        >>"$ENGINE/compose.log" 2>&1
}

compose_starts()
{
    cat >"$ENGINE/override.yaml" <<END
services:
  balancer: {build: {network: host}}
  cache: {build: {network: host}}
END
    docker tag "$IMAGE" posenc || return
    POSENC_PUBLISH=127.0.0.1:$(free_port)
    export POSENC_PUBLISH
    compose up -d && within 60 curl -sf -o /dev/null "http://$POSENC_PUBLISH/readyz" && return
    tail -n 20 "$ENGINE/compose.log"
    return 1
}

compose_containers()
{
    docker ps -q --filter label=com.docker.compose.project=posenc "$@"
}

# Three replicas, a balancer and a cache, none of which is root or may do what root may.
compose_has_no_rights()
{
    local container pid count=0
    for container in $(compose_containers); do
        pid=$(docker inspect -f '{{.State.Pid}}' "$container")
        awk '$1 == "Uid:" && $2 == 0 { bad = 1 }
             $1 ~ /^Cap/ && $2 !~ /^0+$/ { bad = 1 }
             $1 == "NoNewPrivs:" && $2 != 1 { bad = 1 }
             END { exit bad }' "/proc/$pid/status" || return
        touch "/proc/$pid/root/probe" 2>/dev/null && return 1
        count=$((count + 1))
    done
    [ "$count" = 5 ]
}

compose_caches()
{
    local url="http://$POSENC_PUBLISH/v1/sinusoidal?length=3&dim=6" i
    for i in 1 2; do curl -sSf -D "$ENGINE/head" -o /dev/null "$url" || return; done
    grep -qi '^Cache-Status: nginx; hit' "$ENGINE/head" || { cat "$ENGINE/head"; return 1; }
}

# One is killed, and one is stopped as an operator does it.
compose_loses_nothing()
{
    local replicas client
    mapfile -t replicas < <(compose_containers --filter label=com.docker.compose.service=posencd)
    [ ${#replicas[@]} = 3 ] || return
    python3 tests/deploy/load.py "http://$POSENC_PUBLISH" 8 &
    client=$!
    sleep 1
    docker kill "${replicas[0]}" >/dev/null || return
    sleep 2
    docker stop --time 35 "${replicas[1]}" >/dev/null || return
    wait "$client" && [ "$(docker inspect -f '{{.State.ExitCode}}' "${replicas[1]}")" = 0 ]
}

compose_ends()
{
    compose down --volumes && [ -z "$(compose_containers --all)" ]
}

compose_checks()
{
    check "compose starts three replicas, a balancer and a cache" compose_starts
    [ "$failed" = 0 ] || return
    check "none of them has rights, or writes its root" compose_has_no_rights
    check "the second answer comes from the cache" compose_caches
    check "no request fails when a replica is killed and another stopped" compose_loses_nothing
    check "compose takes everything away again" compose_ends
}
