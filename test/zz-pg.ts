import { writeFileSync } from 'node:fs';
import { startPostgres } from './support/postgres-server.ts';

const s = await startPostgres();
writeFileSync('/tmp/wk/dburl', s.url);

setTimeout(async () => {
  await s.stop();
  process.exit();
}, Number(process.argv[2]) * 1000);
process.on('SIGTERM', async () => {
  await s.stop();
  process.exit();
});
