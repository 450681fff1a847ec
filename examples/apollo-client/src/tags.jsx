import { useApolloClient, useQuery } from '@apollo/client/react';
import { useRef, useState } from 'react';
import { Add, Create, Delete, Remove, Rename, Tag, Tags } from './operations.js';

/** Runs one request at a time: a page requested before a mutation must not join the list read after it. */
function useRequests() {
  const client = useApolloClient();
  const [{ isBusy, error }, setState] = useState({ isBusy: false });
  const run = async (send) => {
    setState({ isBusy: true });
    const { userErrors: [problem] = [] } = await send().catch((reason) => ({ userErrors: [reason] }));
    setState({ isBusy: false, error: problem });
    return !problem;
  };
  /** Also after an error, because the mutation may have been done. */
  const refetch = () => client.refetchQueries({ include: 'active' }).catch(() => {});
  const write = async (mutation, variables, optimisticResponse) =>
    (await client.mutate({ mutation, variables, optimisticResponse }).finally(refetch)).data.write;
  return { run, write, isBusy, error };
}

export function TagList({ text }) {
  const [search, setSearch] = useState('');
  const [openId, setOpenId] = useState();
  const screen = { text, ...useRequests() };
  const { data, previousData, error, fetchMore } = useQuery(Tags, { variables: { search, order: text.order } });
  const { totalCount, edges = [], pageInfo } = (data ?? previousData)?.productTags ?? {};
  /** A tag that is renamed between two requests may be on both pages. */
  const tags = new Map(edges.map(({ node }) => [node.id, node]));
  const more = () => screen.run(() => fetchMore({ variables: { after: pageInfo.endCursor } }));
  const { code, message } = screen.error ?? error ?? {};
  const unanswered = useRef({});
  const create = async (nameEn) => {
    if (unanswered.current.nameEn !== nameEn) unanswered.current = { nameEn, key: crypto.randomUUID() };
    const payload = await screen.write(Create, unanswered.current);
    unanswered.current = {};
    return payload;
  };
  return (
    <>
      <input type="search" value={search} onChange={({ target }) => setSearch(target.value)} />
      <output>{totalCount}</output>
      {message && <p role="alert">{text[code] ?? message}</p>}
      {[...tags.values()].map(({ id, name, nameEn, itemCount }) => (
        <button type="button" key={id} onClick={() => setOpenId(id)}>
          {`${name ?? nameEn} (${itemCount})`}
        </button>
      ))}
      {data && pageInfo.hasNextPage && <input type="button" disabled={screen.isBusy} onClick={more} value="…" />}
      <NameForm {...screen} send={create} sign="+" />
      {openId && <OpenTag key={openId} id={openId} {...screen} />}
    </>
  );
}

function NameForm({ text, run, isBusy, nameEn, send, sign }) {
  const submit = async (event) => {
    event.preventDefault();
    if (await run(() => send(event.target.elements.nameEn.value))) event.target.reset();
  };
  return (
    <form onSubmit={submit}>
      <label>
        {text.nameEn} <input name="nameEn" defaultValue={nameEn} />
      </label>
      <input type="submit" disabled={isBusy} value={sign} />
    </form>
  );
}

function OpenTag({ id, ...screen }) {
  const { data, error, fetchMore, refetch } = useQuery(Tag, { variables: { id } });
  const { run, write, isBusy } = screen;
  const toggle = (item) => run(() => write(item.hasProductTag ? Remove : Add, { id, itemIds: [item.id] }));
  const more = () => run(() => fetchMore({ variables: { after: data.items.pageInfo.endCursor } }));
  if (!data?.productTag) return error?.message;
  return (
    <section>
      <RenameForm {...screen} tag={data.productTag} refetch={refetch} />
      {data.items.edges.map(({ node: item }) => (
        <label key={item.id}>
          <input type="checkbox" checked={item.hasProductTag} disabled={isBusy} onChange={() => toggle(item)} />
          {item.name}
        </label>
      ))}
      {data.items.pageInfo.hasNextPage && <input type="button" disabled={isBusy} onClick={more} value="…" />}
      <input type="button" disabled={isBusy} onClick={() => run(() => write(Delete, { id }))} value="×" />
    </section>
  );
}

/** Asks before it replaces a name that somebody else gave the tag; changed items are no reason to ask. */
function RenameForm({ tag, refetch, ...screen }) {
  const [seen, setSeen] = useState(tag);
  const rename = async (nameEn, from = tag.nameEn === seen.nameEn ? tag : seen) => {
    const expected = { ...tag, nameEn, name: tag.name === tag.nameEn ? nameEn : tag.name };
    const draft = { write: { __typename: 'UpdateProductTagPayload', productTag: expected, userErrors: [] } };
    const { productTag, userErrors } = await screen.write(Rename, { id: tag.id, nameEn, ifMatch: from.version }, draft);
    if (productTag) setSeen(productTag);
    if (userErrors[0]?.code !== 'VERSION_MISMATCH') return { userErrors };
    const now = (await refetch()).data.productTag;
    if (!now || now.nameEn === from.nameEn) return rename(nameEn, now ?? from);
    setSeen(now);
    if (now.nameEn === nameEn.trim()) return {};
    return { userErrors: [{ message: `${screen.text.VERSION_MISMATCH} ${now.nameEn}` }] };
  };
  return <NameForm {...screen} nameEn={seen.nameEn} send={rename} sign="✓" />;
}
