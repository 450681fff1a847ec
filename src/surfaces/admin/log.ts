import { listLogEntries } from '../../domain/admin-log.ts';
import type { Admin } from './admin.ts';
import { parseCount, parseDays } from './options.ts';

export function addLogCommand(admin: Admin): void {
  admin
    .command('log', 'list the changes that this command made, newest first', '', '--days 7 --json')
    .option('--days <number>', 'only changes of the last days', parseDays)
    .option('--limit <number>', 'how many at most', parseCount, 100)
    .action((options) => admin.list((db) => listLogEntries(db, options), 'No changes are logged.'));
}
