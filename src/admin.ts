import { runAdmin } from './surfaces/admin/run.ts';

const exitCode = await runAdmin(process.argv.slice(2));
// Interrupted, it may still wait for input that never comes.
if (exitCode > 128) process.exit(exitCode);
process.exitCode = exitCode;
