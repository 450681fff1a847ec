const { GATEWAY_URL = 'http://127.0.0.1:4000', GATEWAY_TOKEN } = process.env;

/** Adds the token, which no browser may have. In production, the server of your app does that for people who signed in. */
const headers = GATEWAY_TOKEN && { Authorization: `Bearer ${GATEWAY_TOKEN}` };

export default { server: { proxy: { '/graphql': { target: GATEWAY_URL, changeOrigin: true, headers } } } };
