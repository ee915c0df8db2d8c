# The image of the service: it needs a Redis or Valkey and somewhere to write at /tmp, no more.
#
#   docker build --tag referee --build-arg REVISION="$(git rev-parse HEAD)" .
#   docker run --read-only --tmpfs /tmp --publish 8000:8000 \
#     --env REFEREE_REDIS_URL=redis://HOST:6379/0 referee
#
# It adds 70 MB to its base, compressed 20 MB. Podman keeps the health check with `--format docker`.
# What is installed is pinned in service/*.lock, which `.ci/lock` makes. One tag of the base for all
# stages, and no floating one.
FROM python:3.13.16-slim-trixie AS base

FROM base AS build
WORKDIR /src
COPY service/build.lock service/requirements.lock service/
# What builds our own package lives apart from what runs, and neither has a pip: the base has one.
# Only wheels: a source package would fetch what it is built with, unpinned.
RUN --mount=type=cache,target=/root/.cache/pip \
    python -m venv --without-pip /tools \
 && pip --python /tools/bin/python install --require-hashes --no-deps --only-binary=:all: \
      --requirement service/build.lock \
 && python -m venv --without-pip /app \
 && pip --python /app/bin/python install --require-hashes --no-deps --only-binary=:all: \
      --no-compile --requirement service/requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY engine engine
COPY service service
COPY openapi openapi
# Byte code that is never compared with its source: in an image neither changes.
RUN pip --python /tools/bin/python wheel --no-cache-dir --no-deps --no-build-isolation \
      --check-build-dependencies --wheel-dir /wheels . \
 && pip --python /app/bin/python install --no-cache-dir --no-index --no-deps --no-compile /wheels/*.whl \
 && /app/bin/python -m compileall -q -j 0 --invalidation-mode unchecked-hash /app/lib

FROM base
# Whoever gets into the container finds nothing to install more with. The list of what the base
# holds, /var/lib/dpkg, stays: scanners read it.
RUN find /usr \( -path '*bin/apt*' -o -path '*bin/dpkg*' -o -path '*bin/pip*' \
      -o -path '*-packages/pip*' -o -path '*/ensurepip' -o -path '*/python-wheels' \
      -o -path /usr/lib/apt -o -path /usr/lib/dpkg \) -prune -exec rm -r {} + \
 && rm -rf /etc/apt /var/lib/apt /var/cache/apt
COPY --from=build /app /app
# The base has no byte code of the standard library, and a read-only root cannot keep any. This
# loads what the service loads, so that no start has to compile it again.
RUN ["/app/bin/referee", "serve", "--help"]
ENV PATH=/app/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    REFEREE_HOST=0.0.0.0 REFEREE_PORT=8000
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Persian Rummy referee" \
      org.opencontainers.image.description="A stateless HTTP service that referees Persian Rummy" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
# Numbers, so that an orchestrator can see that this is not root; nobody owns a file here.
USER 10001:10001
EXPOSE 8000
STOPSIGNAL SIGTERM
# Not through urllib: that would ask a proxy that the environment names.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["python", "-c", "import http.client as h, os, sys; c = h.HTTPConnection('127.0.0.1', int(os.environ['REFEREE_PORT']), timeout=2); c.request('GET', '/healthz'); sys.exit(c.getresponse().status != 200)"]
ENTRYPOINT ["referee"]
CMD ["serve"]
