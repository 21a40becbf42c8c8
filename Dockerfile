# Two images: `api` (the site, the migrations, the operator's command) and `worker` (the same with an engine for Run4U);
# see docker-compose.yml. glibc on purpose (bookworm-slim): native npm packages need it.
# Pin a base by its digest, or take it from a mirror: --build-arg NODE_IMAGE=…@sha256:…
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
# An npm registry other than npm's own.
ARG NPM_REGISTRY=
WORKDIR /app
ENV CI=true
RUN if [ -n "$NPM_REGISTRY" ]; then npm config --global set registry "$NPM_REGISTRY"; fi
# Only the lockfile decides what is fetched, so that this layer is reused until it changes.
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
RUN npm install --global pnpm@10.34.9 && pnpm fetch
COPY . .
RUN pnpm install --offline --frozen-lockfile
RUN node tools/run.mjs --no-install build
# What the built api needs to run, and nothing else.
RUN rm -rf node_modules apps/*/node_modules packages/*/node_modules \
  && pnpm install --offline --frozen-lockfile --prod --filter "@unitcell/api..." \
  && node tools/pack-image.mjs /image

FROM ${NODE_IMAGE} AS api
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 UNITCELL_HOME=/data WEB_DIST=/app/apps/web/dist
RUN mkdir /data && chown node:node /data \
  && printf '#!/bin/sh\nexec node --enable-source-maps /app/tools/container.mjs cli "$@"\n' > /usr/local/bin/unitcell \
  && chmod 755 /usr/local/bin/unitcell
COPY --from=build /image /app
USER node
VOLUME /data
EXPOSE 3000
ENTRYPOINT ["node", "--enable-source-maps", "tools/container.mjs"]
CMD ["main"]

FROM api AS worker
# The host of a Debian mirror, e.g. mirror.example.org.
ARG APT_MIRROR=
USER root
# The engine of Run4U with its data sets: more than half of this image. OpenBLAS instead of the slow reference BLAS. And the way to
# a cluster behind a login node.
RUN if [ -n "$APT_MIRROR" ]; then sed -i "s|//[^/]*/debian|//$APT_MIRROR/debian|" /etc/apt/sources.list.d/debian.sources; fi \
  && apt-get update \
  && apt-get install --yes --no-install-recommends abinit gpaw-data libopenblas0-pthread openssh-client rsync \
  && rm -rf /var/lib/apt/lists/*
USER node
CMD ["worker"]
