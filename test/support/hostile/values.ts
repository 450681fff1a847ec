import fc from 'fast-check';
import { type JsonText, type Member, strangeIntegers, strangeJson, strangeMembers, strangeTexts } from './corpus.ts';

/** What an attacker knows: ids of its own company, and of another. */
export interface KnownIds {
  ownTags: number[];
  ownProducts: number[];
  modifier: number;
  otherTag: number;
  otherProduct: number;
  otherCompany: number;
}

/** The usual value, save now and then: so a request has few faults, and others reach what is behind them. */
export function mostly<T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ arbitrary: usual, weight: 15 }, { arbitrary: other, weight: 1 });
}

export const texts: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom('Spicy', 'حار جدا', '  Trimmed  ', '🌶🌶🌶', 'x'.repeat(50)), weight: 4 },
  { arbitrary: fc.constantFrom(...strangeTexts), weight: 1 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 60 }), weight: 1 },
);

const anyJson: fc.Arbitrary<JsonText> = fc.oneof(
  fc.constantFrom(...strangeJson),
  texts.map((text) => JSON.stringify(text)),
  fc.json({ maxDepth: 3 }),
);

/** Integers as text. */
export function integers({ ownTags, ownProducts, modifier, otherTag, otherProduct }: KnownIds): fc.Arbitrary<string> {
  return fc.oneof(
    { arbitrary: fc.constantFrom(...ownTags, ...ownProducts).map(String), weight: 4 },
    { arbitrary: fc.constantFrom(modifier, otherTag, otherProduct).map(String), weight: 1 },
    { arbitrary: fc.constantFrom(...strangeIntegers), weight: 1 },
    { arbitrary: fc.bigInt().map(String), weight: 1 },
  );
}

/** Lists of items. */
export function itemLists(known: KnownIds): fc.Arbitrary<JsonText> {
  return fc.oneof(
    { arbitrary: fc.subarray(known.ownProducts).map((ids) => JSON.stringify(ids)), weight: 4 },
    { arbitrary: fc.array(integers(known), { maxLength: 8 }).map((ids) => `[${ids}]`), weight: 2 },
  );
}

/** The text of an object of these members, each by its name, with members of another name among them or not. */
export function objects(known: KnownIds, values: Record<string, fc.Arbitrary<JsonText>>): fc.Arbitrary<JsonText> {
  const members = Object.entries(values).map(([name, value]) =>
    mostly<Member[]>(
      value.map((text) => [[name, text]]),
      fc.oneof(
        fc.constant<Member[]>([]),
        anyJson.map((text): Member[] => [[name, text]]),
      ),
    ),
  );
  const strange = fc.constantFrom(...strangeMembers(known.otherCompany, known.otherTag));
  const others = mostly<Member[]>(
    fc.constant([]),
    fc.array(fc.oneof(strange, fc.tuple(texts, anyJson)), { maxLength: 3 }),
  );
  return fc.tuple(...members, others).map((lists) => objectText(lists.flat()));
}

/** The text of an object; a member may be named more than once. */
export function objectText(members: readonly Member[]): JsonText {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`)}}`;
}

/** That JSON, mostly; else any. */
export function orAnyJson(usual: fc.Arbitrary<JsonText>): fc.Arbitrary<JsonText> {
  return mostly(usual, anyJson);
}
