import { hash } from 'node:crypto';
import { sql } from 'kysely';

/** PostgreSQL keeps tens of KB for each plan, on each connection. */
const maxPlans = 600;

const comment = '/* planned each time */';

/** SQL that keeps a query from being prepared: its text is rare, or has a value that decides on the plan. */
export const planWithValues = sql.raw(comment);

interface Plan {
  name: string;
  text: string;
}

/** The texts that each connection prepares at their first use, and PostgreSQL plans once. */
export class PreparedPlans {
  readonly #plans = new Map<string, Plan>();
  #generation = 0;

  /** The name of a text, and the text to send; undefined for a text that is not prepared. */
  of(text: string): Plan | undefined {
    const existing = this.#plans.get(text);
    if (existing !== undefined || this.#plans.size === maxPlans || text.includes(comment)) return existing;
    const sent = this.#generation === 0 ? text : `${text} /* ${this.#generation} */`;
    const plan = { name: hash('sha256', sent, 'base64url'), text: sent };
    this.#plans.set(text, plan);
    return plan;
  }

  /** Call it after a change of a table. All texts differ from then on, because a pooler prepares an equal one only once. */
  replace(): void {
    this.#plans.clear();
    this.#generation += 1;
  }
}
