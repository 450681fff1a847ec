import { runAdmin } from './admin/run.ts';

process.exitCode = await runAdmin(process.argv.slice(2));
