import { sql } from 'kysely';
import { anyOf } from '../../../platform/database/statement.ts';
import type { Database } from '../../tables.ts';

/** Collects the ids of used tokens and writes them together, so that no request waits for its own write. */
export class TokenUsage {
  readonly #used = new Set<number>();

  note(tokenId: number): void {
    this.#used.add(tokenId);
  }

  /** Writes the tokens used since the last flush. After an error, the next flush writes them. */
  async flush(db: Database): Promise<void> {
    const ids = [...this.#used];
    if (ids.length === 0) return;
    await db.updateTable('partnerTokens').set({ lastUsedAt: sql<Date>`now()` }).where('id', '=', anyOf(ids)).execute();
    for (const id of ids) this.#used.delete(id);
  }
}
