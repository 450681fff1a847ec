// For urql: pass one of these as the `context` of a query or mutation. urql's cache knows only the types in a response, so it
// cannot know what an empty list or a number counts.

export const ofTags = { additionalTypenames: ['ProductTag'] };

/** Lists of items, with their tags or without, and all mutations. */
export const ofItems = { additionalTypenames: ['Item', 'ProductTag'] };
