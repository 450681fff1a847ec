import type { RequestScope } from '../../kernel/request/scope.ts';

/** A request that is over, as its log line, metrics and trace tell of it. */
export interface Exchange {
  scope: RequestScope;
  method: string;
  url: string;
  status: number;
  /** How long it took, in ms. */
  ms: number;
  /** Whether its client gave it up. */
  aborted: boolean;
}
