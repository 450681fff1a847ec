import type { Generated } from 'kysely';

export interface TimezonesTable {
  id: Generated<number>;
  /** IANA name. */
  name: string;
}
