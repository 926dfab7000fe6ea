# A docker engine of our own and a stand-in for its base image; sourced by container-test.
# shellcheck shell=bash

ENGINE=$(mktemp -d)
trap engine_stop EXIT

# No bridge and no firewall rules: nothing of this machine's network is touched but by the bridges that a
# test makes, and takes away.
engine_start()
{
    local i tool
    for tool in dockerd docker docker-compose mmdebstrap curl; do
        command -v "$tool" >/dev/null || { echo "$tool is missing"; return 1; }
    done
    [ "$(id -u)" = 0 ] || { echo "this test needs root"; return 1; }
    dockerd --bridge=none --iptables=false --ip6tables=false --ip-forward=false \
        --data-root="$ENGINE/data" --exec-root="$ENGINE/exec" --pidfile="$ENGINE/pid" \
        -H "unix://$ENGINE/socket" >"$ENGINE/log" 2>&1 </dev/null &
    export DOCKER_HOST=unix://$ENGINE/socket
    choose_builder
    for ((i = 0; i < 300; i++)); do
        docker version >/dev/null 2>&1 && return
        kill -0 $! 2>/dev/null || break
        sleep 0.2
    done
    tail -n 20 "$ENGINE/log"
    return 1
}

engine_stop()
{
    local i pid
    if pid=$(cat "$ENGINE/pid" 2>/dev/null); then
        docker ps -aq | xargs -r docker rm -f >/dev/null 2>&1
        docker network prune -f >/dev/null 2>&1
        kill -TERM "$pid"
        for ((i = 0; i < 150; i++)); do
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.2
        done
    fi
    # Network namespaces and layers that are still mounted would keep the folder from going away.
    awk -v prefix="$ENGINE/" 'index($2, prefix) == 1 { print $2 }' /proc/mounts | sort -r |
        xargs -r umount
    rm -rf "$ENGINE"
}

# BuildKit is part of engine and client 20.10; a newer client has it in its buildx plugin, and without
# that only the classic builder works.
choose_builder()
{
    [ -z "${DOCKER_BUILDKIT:-}" ] || return
    case $(docker --version) in
    *' 20.10.'*) export DOCKER_BUILDKIT=1 ;;
    *) docker buildx version >/dev/null 2>&1 || export DOCKER_BUILDKIT=0 ;;
    esac
}

# base_image NAME:SUITE-DATE-slim: imports a tree of that suite under that name. Like the official
# image it is without documentation and message catalogues, and its apt keeps no packages.
base_image()
{
    local cache=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/posenc
    local suite=${1#*:} host sources tree
    suite=${suite%%-*}
    host=$(. /etc/os-release && echo "$VERSION_CODENAME")
    sources=/etc/apt/sources.list.d/debian.sources
    [ -e "$sources" ] || sources=/etc/apt/sources.list
    mkdir -p "$cache" || return
    sed -E "/^(Suites:|deb )/s/\\b$host\\b/$suite/g" "$sources" >"$ENGINE/${sources##*/}" || return
    tree=$cache/$suite-$(sha256sum <"$ENGINE/${sources##*/}" | cut -c 1-12).tar

    if [ ! -e "$tree" ]; then
        echo "        making a stand-in for $1"
        mmdebstrap --quiet --format=tar --variant=minbase --include=usr-is-merged \
            --dpkgopt=force-unsafe-io \
            --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/info/*' \
            --dpkgopt='path-exclude=/usr/share/doc/*' \
            --dpkgopt='path-include=/usr/share/doc/*/copyright' \
            --dpkgopt='path-exclude=/usr/share/locale/*' \
            --aptopt='Dir::Cache::pkgcache ""' --aptopt='Dir::Cache::srcpkgcache ""' \
            --aptopt='Acquire::Languages "none"' --aptopt='Acquire::Retries "5"' \
            --aptopt='DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb"; }' \
            --customize-hook='rm -f "$1/etc/hostname" && : >"$1/etc/resolv.conf"' \
            "$suite" "$tree.part" "$ENGINE/${sources##*/}" && mv "$tree.part" "$tree" || return
    fi
    docker import "$tree" "$1" >/dev/null
}
