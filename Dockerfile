# One image, three roles: `api` (default), `worker` and `migrate`; see docker-compose.yml.
# glibc on purpose (bookworm-slim): native npm packages, and the embedded PostgreSQL if it is ever used inside, need it.

FROM node:20-bookworm-slim AS build
WORKDIR /app
ENV CI=true
# Only the lockfile decides what is fetched, so that this layer is reused until it changes.
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
RUN npm install --global pnpm@10.34.9 && pnpm fetch
COPY . .
RUN pnpm install --offline --frozen-lockfile
RUN node scripts/run.mjs --no-install build
# What the built api needs to run, and nothing else: a third of the size.
RUN rm -rf node_modules apps/*/node_modules packages/*/node_modules \
  && pnpm install --offline --frozen-lockfile --prod --filter "@unitcell/api..."

FROM node:20-bookworm-slim
# The engine of Run4U with its data sets, for the worker: 380 MB of the image. OpenBLAS instead of the slow reference BLAS.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends abinit gpaw-data libopenblas0-pthread \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 UNITCELL_HOME=/data WEB_DIST=/app/apps/web/dist
RUN mkdir /data && chown node:node /data
COPY --from=build /app /app
USER node
VOLUME /data
EXPOSE 3000
ENTRYPOINT ["node", "--enable-source-maps"]
CMD ["apps/api/dist/main.js"]
