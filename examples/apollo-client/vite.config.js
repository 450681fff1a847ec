const { GATEWAY_URL = 'http://127.0.0.1:4000', GATEWAY_TOKEN } = process.env;

/** Keeps the token out of browsers. In production, your server adds it for users who signed in. */
const headers = GATEWAY_TOKEN && { Authorization: `Bearer ${GATEWAY_TOKEN}` };

export default { server: { proxy: { '/graphql': { target: GATEWAY_URL, changeOrigin: true, headers } } } };
