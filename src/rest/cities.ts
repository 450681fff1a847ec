import type { RequestHandler } from 'express';
import { V1CitiesDocument } from './documents.generated.ts';
import type { Execute } from './execute.ts';
import { toId } from './int32.ts';
import { parseInteger, queryParameters, refuseParameters } from './parameters.ts';

/** GET /cities: those of `country_id`, or all. */
export function getCities(execute: Execute): RequestHandler {
  return async (request, response) => {
    const text = queryParameters(request).get('country_id');
    const countryId = text === undefined ? undefined : toId(parseCountryId(text));
    response.json(await execute(response, V1CitiesDocument, { countryId }));
  };
}

function parseCountryId(text: string): number {
  return parseInteger(text) ?? refuseParameters(['country_id'], 'integer');
}
