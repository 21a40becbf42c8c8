/** Exit code 0 when the api of this container answers; the health check of docker-compose.yml. */
const answer = await fetch(`http://127.0.0.1:${process.env.PORT || 3000}/api/health`).catch(() => undefined);
process.exitCode = answer?.ok ? 0 : 1;
