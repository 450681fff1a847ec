import { InvalidArgumentError } from '@commander-js/extra-typings';
import { nameLength, normalizeName, trimInvisible, validateName } from '../../kernel/localization/name.ts';

export const parseId = integerParser(1, 2 ** 31 - 1);

export const parseCount = integerParser(0, 1_000_000);

export const parseDays = integerParser(1, 99_999);

function integerParser(min: number, max: number) {
  return (given: string): number => {
    const text = trimInvisible(given);
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

export function parseName(text: string): string {
  const name = normalizeName(text);
  if (validateName(name, nameLength) === undefined) return name;
  const { min, max } = nameLength;
  throw new InvalidArgumentError(`It must have ${min} to ${max} visible characters, and no control characters.`);
}
