# posencd as a small image: built and tested on Debian, then only the program and the libraries it
# loads, on an empty base. docker/README.md says how to run it.
ARG DEBIAN=debian:trixie-20251117-slim

FROM ${DEBIAN} AS build
RUN apt-get -o Acquire::Retries=5 update \
    && apt-get -o Acquire::Retries=5 install -y --no-install-recommends ca-certificates g++ gcc make \
        libcriterion-dev libcurl4-openssl-dev libgnutls28-dev libjansson-dev libmicrohttpd-dev libmpfr-dev \
        libpng-dev libseccomp-dev libzstd-dev zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN make -j"$(nproc)" && make -j"$(nproc)" check TESTS="core handlers"

# Libraries keep the paths the loader looks at. docker/sbom lists their packages, and those of what is
# linked into the program; each brings its licence along.
RUN set -eu; \
    install -D -s build/posencd /out/usr/local/bin/posencd; \
    install -D -m 644 LICENSE /out/usr/share/doc/posenc/copyright; \
    install -D -m 644 /etc/ssl/certs/ca-certificates.crt /out/etc/ssl/certs/ca-certificates.crt; \
    ldd build/posencd | awk '/=> \// {print $3} /^\t\// {print $1}' >/tmp/libraries; \
    while read -r library; do install -D "$(readlink -f "$library")" "/out$library"; done </tmp/libraries; \
    echo 'hosts: files dns' >/out/etc/nsswitch.conf; \
    echo 'posenc:x:10001:10001::/:/none' >/out/etc/passwd; \
    echo 'posenc:x:10001:' >/out/etc/group; \
    docker/sbom /out >/tmp/sbom.json; \
    install -m 644 /tmp/sbom.json /out/usr/share/doc/posenc/sbom.cdx.json; \
    sed -n 's|^{"type":"library".*"name":"\([^"]*\)","version".*|\1|p' /tmp/sbom.json >/tmp/packages; \
    while read -r package; do \
        install -D -m 644 "/usr/share/doc/$package/copyright" "/out/usr/share/doc/$package/copyright"; \
    done </tmp/packages

FROM scratch
ARG REVISION=unknown
LABEL org.opencontainers.image.title="posencd" \
      org.opencontainers.image.description="Positional encodings for transformers over HTTP, exact values" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /out/ /
USER 10001:10001
ENV POSENC_LISTEN=0.0.0.0:8080
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 \
    CMD ["/usr/local/bin/posencd", "--healthcheck"]
ENTRYPOINT ["/usr/local/bin/posencd"]
