import { ObjectType } from 'type-graphql';
import type { Caller } from '../../request/context.ts';

@ObjectType({
  simpleResolvers: true,
  description: 'What the calling partner sees: its own company and items, never those of another.',
})
export class Viewer {
  caller!: Caller;
}
