import { sql } from 'kysely';
import { anyOf } from '../../../platform/database/statement.ts';
import type { Database } from '../../tables.ts';

/** Collects the ids of used tokens and writes them together, so that no request waits for its own write. */
export class TokenUsage {
  #used = new Set<number>();

  note(tokenId: number): void {
    this.#used.add(tokenId);
  }

  /** Writes the tokens used since the last flush. After an error, the next flush writes them. */
  async flush(db: Database): Promise<void> {
    const used = this.#used;
    if (used.size === 0) return;
    // Tokens used from here on belong to the next flush.
    this.#used = new Set();
    try {
      const write = db.updateTable('partnerTokens').set({ lastUsedAt: sql<Date>`now()` });
      await write.where('id', '=', anyOf([...used])).execute();
    } catch (error) {
      for (const id of used) this.note(id);
      throw error;
    }
  }
}
