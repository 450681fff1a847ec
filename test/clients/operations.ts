export interface Operation {
  kind: 'query' | 'mutation';
  text: string;
  variables: object;
  /** Relay's compiled form. */
  selections: object[];
}

const scalar = (name: string) => ({ kind: 'ScalarField', name, alias: null, args: null, storageKey: null });
const object = (name: string, selections: object[], plural = false, args: object[] | null = null) => ({
  kind: 'LinkedField',
  ...{ name, alias: null, args, concreteType: name, plural, selections, storageKey: null },
});

// Without `id`: Relay accepts only strings for it, so its users alias ours.
export const services: Operation = {
  kind: 'query',
  text: 'query Services { services { code name } }',
  variables: {},
  selections: [object('services', [scalar('code'), scalar('name')], true)],
};
export const viewer: Operation = {
  kind: 'query',
  text: 'query Viewer { viewer { partner { name } } }',
  variables: {},
  selections: [object('viewer', [object('partner', [scalar('name')])])],
};
export const create = (nameEn: string): Operation => ({
  kind: 'mutation',
  text: `mutation Create($input: CreateProductTagInput!) {
    createProductTag(input: $input) { productTag { nameEn } userErrors { code } } }`,
  variables: { input: { nameEn } },
  selections: [
    object(
      'createProductTag',
      [object('productTag', [scalar('nameEn')]), object('userErrors', [scalar('code')], true)],
      false,
      [{ kind: 'Variable', name: 'input', variableName: 'input' }],
    ),
  ],
});
