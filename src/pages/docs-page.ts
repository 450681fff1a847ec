/** The page around Swagger UI, whose files are below the path. */
export function docsPage(files: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Partner gateway, REST v1</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${files}/swagger-ui.css">
<script src="${files}/swagger-ui-bundle.js" defer></script>
<script src="/docs/start.js" defer></script>
</head>
<body>
<noscript>This page needs JavaScript. What it shows is in <a href="/partner_portal/v1/openapi.json">openapi.json</a>.</noscript>
<div id="docs"></div>
</body>
</html>
`;
}

/** Starts Swagger UI. What every path answers beside its own methods is told in words, not method by method. */
export const docsScript = `
const withoutOtherMethods = () => ({
  statePlugins: {
    spec: {
      wrapSelectors: {
        taggedOperations: (original) => (...args) => original(...args).filter((_operations, tag) => tag !== 'Other methods'),
      },
    },
  },
});

SwaggerUIBundle({
  dom_id: '#docs',
  url: '/partner_portal/v1/openapi.json',
  validatorUrl: null,
  persistAuthorization: false,
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  plugins: [withoutOtherMethods],
});
`;
