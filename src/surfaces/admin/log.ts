import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { listLogEntries } from '../../domain/admin-log.ts';
import type { Admin } from './admin.ts';
import { parseCount, parseDays } from './options.ts';

export function logCommand(admin: Admin): CommandUnknownOpts {
  return admin
    .command('log', 'list the changes that this command made, newest first', '', '--days 7 --json')
    .option('--days <number>', 'only changes of the last days', parseDays)
    .option('--limit <number>', 'how many at most', parseCount, 100)
    .action(({ days = null, limit }) =>
      admin.list(async (db) => {
        const entries = await listLogEntries(db, { days, limit });
        return [entries.map(({ at, actor, command, details }) => ({ at, by: actor, command, details }))];
      }, 'No changes are logged.'),
    );
}
