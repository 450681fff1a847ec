import { sql } from 'kysely';
import { anyOf } from '../../../platform/database/any-of.ts';
import type { Database } from '../../tables.ts';

/** The tokens that were used, kept in memory and written now and then, so that no request waits for a write of its own. */
export class TokenUsage {
  #used = new Set<number>();

  note(tokenId: number): void {
    this.#used.add(tokenId);
  }

  /** Writes the time of those used since the last flush. After an error, the next flush writes them. */
  async flush(db: Database): Promise<void> {
    if (this.#used.size === 0) return;
    const used = this.#used;
    this.#used = new Set();
    try {
      const lastUsedAt = sql<Date>`now()`;
      await db
        .updateTable('partnerTokens')
        .set({ lastUsedAt })
        .where('id', '=', anyOf([...used]))
        .execute();
    } catch (error) {
      for (const id of used) this.#used.add(id);
      throw error;
    }
  }
}
