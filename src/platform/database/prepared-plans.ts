import { hash } from 'node:crypto';
import { sql } from 'kysely';

/** PostgreSQL keeps tens of KB for each plan, on each connection. */
const maxPlans = 600;

const marker = '/* planned each time */';

/** A marker in the SQL text that keeps the query from being prepared: its text is rare, or a value decides on the plan. */
export const unprepared = sql.raw(marker);

interface Plan {
  name: string;
  text: string;
}

export class PreparedPlans {
  readonly #plans = new Map<string, Plan>();
  #generation = 0;

  findOrCreate(text: string): Plan | undefined {
    const existing = this.#plans.get(text);
    if (existing !== undefined || this.#plans.size === maxPlans || text.includes(marker)) return existing;
    const versioned = this.#generation === 0 ? text : `${text} /* ${this.#generation} */`;
    const plan = { name: hash('sha256', versioned, 'base64url'), text: versioned };
    this.#plans.set(text, plan);
    return plan;
  }

  /** Call it after a table has changed. A pooler prepares equal texts once, so the texts change too. */
  replace(): void {
    this.#plans.clear();
    this.#generation += 1;
  }
}
