import { createServer } from 'node:http';
import pg from 'pg';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { endWithParent } from './listen.ts';

declare global {
  namespace Grafast {
    interface Context {
      companyId?: number;
    }
  }
}

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_SIZE),
  keepAlive: true,
});

// Default settings. Its documents contain the company, but it looks up the token, as it would in production.
const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  // This plugin hides relations without an exact index of the foreign key, such as the tags of an item.
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  pgServices: [makePgService({ pool, schemas: ['public'] })],
  grafserv: { watch: false, graphiql: false },
  grafast: {
    explain: false,
    async context({ node }): Promise<{ companyId?: number }> {
      const authorization = node?.req.headers.authorization;
      return authorization === undefined ? {} : { companyId: await findCompany(authorization) };
    },
  },
});

const server = createServer();
await instance.createServ(grafserv).addTo(server);
server.listen(Number(process.env.PORT), '127.0.0.1');
endWithParent();

async function findCompany(authorization: string): Promise<number> {
  const { rows } = await pool.query({
    name: 'caller',
    text: `select partners.default_company_id from partner_tokens
      join partners on partners.id = partner_tokens.partner_id
      where token_hash = encode(sha256(convert_to($1, 'UTF8')), 'hex')
        and revoked_at is null and coalesce(expires_at > now(), true)`,
    values: [authorization.replace(/^Bearer /, '')],
  });
  if (rows.length === 0) throw new Error('no such token');
  return rows[0].default_company_id;
}
