import { V1ServicesDocument } from './documents.generated.ts';
import { listOperation } from './list.ts';

export const listServices = listOperation(V1ServicesDocument, {
  id: 'listServices',
  path: '/services',
  summary: 'Services',
  description: 'What a branch can offer, by id: the `services` lookup with its code and both names.',
});
