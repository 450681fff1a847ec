/** What the build indexes of a section, and the page's script searches. */
export const searchOptions = { fields: ['title', 'text'], storeFields: ['title', 'guide', 'text'] };

/** Whether a guide describes the schema: services without introspection have none of them. */
export const isOfSchema = ({ name }: { name: string }) => name.startsWith('schema');
