# syntax=docker/dockerfile:1

# node:24-slim, of the version that the project's own scripts run on: all stages share it.
FROM node:24.21.0-slim AS node
WORKDIR /app

# What building takes: all packages. What it leaves: those that the service needs.
FROM node AS build
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json openapi.yaml schema.graphql CHANGELOG.md ./
COPY tools ./tools
COPY browser ./browser
COPY migrations ./migrations
COPY docs/partners ./docs/partners
COPY examples ./examples
COPY src ./src
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund && mkdir data compile-cache

FROM node
LABEL org.opencontainers.image.title="Partner gateway" \
      org.opencontainers.image.description="Partner-facing GraphQL gateway with REST v1 compatibility routes"
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/app/compile-cache \
    DATA_DIR=/app/data \
    PORT=4000
COPY package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist/migrations ./dist/migrations
COPY --from=build /app/dist/src ./dist/src
# Only these two are the user's: the embedded database, to be kept on a volume, and what speeds up the start.
COPY --from=build --chown=node:node /app/data ./data
COPY --from=build --chown=node:node /app/compile-cache ./compile-cache
USER node
# Compiled by the user that runs it: Node stores compiled code apart for each user and for each set of its options.
RUN ["node", "--input-type=module", "--eval", "await import('./dist/src/app/app.js')"]
RUN ["node", "dist/src/admin.js", "--version"]
EXPOSE 4000
# Ready, not only alive, by IPv4 or IPv6. Failures during the start period do not count.
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "--eval", "Promise.any(['127.0.0.1', '[::1]'].map((host) => fetch(`http://${host}:${process.env.PORT}/readyz`))).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1: it stops on SIGTERM and has no children to wait for.
CMD ["node", "dist/src/main.js"]
