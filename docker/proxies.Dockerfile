# HAProxy and nginx of Debian with this folder's settings, each as a user of its own: what compose.yaml
# puts before posencd. Any other build of HAProxy 2.6 or nginx 1.22 and later takes the same files.
ARG DEBIAN=debian:trixie-20251117-slim

FROM ${DEBIAN} AS balancer
RUN apt-get -o Acquire::Retries=5 update \
    && apt-get -o Acquire::Retries=5 install -y --no-install-recommends haproxy \
    && rm -rf /var/lib/apt/lists/*
COPY haproxy.cfg /etc/haproxy/haproxy.cfg
RUN haproxy -c -f /etc/haproxy/haproxy.cfg
USER haproxy
EXPOSE 8080
# SIGUSR1 lets connections finish, SIGTERM cuts them.
STOPSIGNAL SIGUSR1
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /balancer/readyz HTTP/1.0\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
ENTRYPOINT ["haproxy", "-db", "-f", "/etc/haproxy/haproxy.cfg"]

FROM ${DEBIAN} AS cache
RUN apt-get -o Acquire::Retries=5 update \
    && apt-get -o Acquire::Retries=5 install -y --no-install-recommends nginx-light \
    && rm -rf /var/lib/apt/lists/*
COPY nginx.conf /etc/nginx/nginx.conf
# The check makes folders that belong to the user who is nginx's own default.
RUN nginx -t && rm -rf /tmp/nginx* /var/cache/posenc \
    && install -d -o www-data -g www-data /var/cache/posenc
USER www-data
EXPOSE 8080
# SIGQUIT lets connections finish.
STOPSIGNAL SIGQUIT
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /cache/livez HTTP/1.0\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 204 '"]
ENTRYPOINT ["nginx", "-g", "daemon off;"]
