/** The page and its requests have one origin, so no CORS is needed. */
export default { server: { proxy: { '/graphql': process.env.SERVER_URL ?? 'http://127.0.0.1:8080' } } };
