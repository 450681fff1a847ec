/** What the build indexes of a section, and the page's script searches. */
export const searchOptions = { fields: ['title', 'text'], storeFields: ['title', 'guide', 'text'] };
