import { V1TimezonesDocument } from './documents.generated.ts';
import { listOperation } from './list.ts';

export const listTimezones = listOperation(V1TimezonesDocument, {
  id: 'listTimezones',
  path: '/timezones',
  summary: 'Time zones',
  description: 'All time zones by name, each with its offset from UTC as of now.',
});
