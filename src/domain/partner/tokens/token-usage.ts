import type { Database } from '../../tables.ts';
import { touchTokens } from './token.queries.ts';

/** Which tokens were used, kept in memory and written now and then, so that no request waits for a write of its own. */
export class TokenUsage {
  #used = new Set<number>();

  note(tokenId: number): void {
    this.#used.add(tokenId);
  }

  /** Writes the time of those used since the last flush; what could not be written is written by the next. */
  async flush(db: Database): Promise<void> {
    if (this.#used.size === 0) return;
    const used = this.#used;
    this.#used = new Set();
    try {
      await touchTokens(db, [...used]);
    } catch (error) {
      for (const id of used) this.#used.add(id);
      throw error;
    }
  }
}
