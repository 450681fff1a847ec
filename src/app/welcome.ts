import { demoTokenFile } from '../domain/reference/seed/demo-token.ts';

export function formatWelcome(dataDir: string, url: string): string {
  const file = demoTokenFile(dataDir);
  const token = `-H "Authorization: Bearer $(cat '${file}')"`;
  const query = '{"query":"{ company { name } items { nodes { id name tags { nodes { name } } } } }"}';
  return `
Partner gateway, embedded database in ${dataDir}
  Overview    ${url}/ (English and Arabic)
  GraphQL     ${url}/graphql (opens Apollo Sandbox in a browser)
  Explorer    ${url}/explorer (GraphQL, offline)
  REST        ${url}/partner_portal/v1 (reference: ${url}/docs)
  Demo token  ${file}

  curl -s ${url}/partner_portal/v1/services -H 'Accept-Language: ar'
  curl -s ${url}/graphql ${token} -H 'Content-Type: application/json' -d '${query}'

`;
}
