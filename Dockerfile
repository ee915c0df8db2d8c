# Two stages: one installs into a virtual environment, the other carries only that.
FROM python:3.13-slim AS build
WORKDIR /src
RUN python -m venv /app
COPY pyproject.toml README.md LICENSE ./
COPY engine engine
COPY service service
COPY openapi openapi
RUN /app/bin/pip install --no-cache-dir '.[docs]'

FROM python:3.13-slim
LABEL org.opencontainers.image.title="Persian Rummy referee" \
      org.opencontainers.image.description="A stateless HTTP referee for Persian Rummy" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /app /app
# A number, so that Kubernetes can see that it is not root.
USER 10001:10001
ENV REFEREE_HOST=0.0.0.0 REFEREE_PORT=8000 PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=2s \
  CMD ["/app/bin/python", "-c", "import os, urllib.request as u; u.urlopen(f\"http://127.0.0.1:{os.environ['REFEREE_PORT']}/healthz\", timeout=1)"]
CMD ["/app/bin/referee", "serve"]
