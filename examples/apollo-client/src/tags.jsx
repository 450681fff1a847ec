import { useApolloClient, useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { Add, Create, Delete, Remove, Rename, Tag, Tags } from './operations.js';

/** Sends a mutation, and reads what is on screen again: also after an error, because it may have been written. */
function useWrite() {
  const client = useApolloClient();
  const [{ isBusy, errors }, setState] = useState({ isBusy: false, errors: [] });
  const write = async (mutation, variables, optimisticResponse) => {
    setState({ isBusy: true, errors: [] });
    const { data, error } = await client.mutate({ mutation, variables, optimisticResponse, errorPolicy: 'all' });
    await client.refetchQueries({ include: 'active' }).catch(() => {});
    const found = data?.write?.userErrors ?? [error];
    setState({ isBusy: false, errors: found });
    return found.length === 0;
  };
  const text = errors.map(({ message }) => message).join(' ');
  const isConflict = errors[0]?.code === 'VERSION_MISMATCH';
  return { write, isBusy, isConflict, alert: text && <p role="alert">{text}</p> };
}

export function TagList({ order }) {
  const [search, setSearch] = useState('');
  const [openId, setOpenId] = useState();
  const { data, previousData, error, fetchMore } = useQuery(Tags, { variables: { search, order } });
  const { totalCount, edges = [], pageInfo } = (data ?? previousData)?.productTags ?? {};
  return (
    <>
      <input type="search" value={search} onChange={({ target }) => setSearch(target.value)} />
      <output>{totalCount}</output>
      {error && <p role="alert">{error.message}</p>}
      {edges.map(({ node: { id, name, nameEn, itemCount } }) => (
        <button type="button" key={id} onClick={() => setOpenId(id)}>
          {`${name ?? nameEn} (${itemCount})`}
        </button>
      ))}
      {pageInfo?.hasNextPage && (
        <input type="button" onClick={() => fetchMore({ variables: { after: pageInfo.endCursor } })} value="…" />
      )}
      <NewTag />
      {openId && <OpenTag key={openId} id={openId} />}
    </>
  );
}

function NewTag() {
  const { write, isBusy, alert } = useWrite();
  const create = async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (await write(Create, { nameEn: form.elements.nameEn.value })) form.reset();
  };
  return (
    <form onSubmit={create}>
      <input name="nameEn" />
      <input type="submit" disabled={isBusy} value="+" />
      {alert}
    </form>
  );
}

function OpenTag({ id }) {
  const { data, dataState } = useQuery(Tag, { variables: { id } });
  const { write, isBusy, alert } = useWrite();
  const toggle = (item) => write(item.hasProductTag ? Remove : Add, { id, itemIds: [item.id] });
  if (dataState !== 'complete' || data.productTag === null) return alert;
  return (
    <section>
      <RenameForm tag={data.productTag} />
      {data.items.edges.map(({ node: item }) => (
        <label key={item.id}>
          <input type="checkbox" checked={item.hasProductTag} disabled={isBusy} onChange={() => toggle(item)} />
          {item.name}
        </label>
      ))}
      <input type="button" disabled={isBusy} onClick={() => write(Delete, { id })} value="×" />
      {alert}
    </section>
  );
}

/** Does not overwrite the name that somebody else gave the tag, until the reader has seen it. */
function RenameForm({ tag }) {
  const { write, isBusy, alert, isConflict } = useWrite();
  const [began, setBegan] = useState(tag);
  const { version } = isConflict || tag.nameEn === began.nameEn ? tag : began;
  const rename = async (event) => {
    event.preventDefault();
    const nameEn = event.currentTarget.elements.nameEn.value;
    const productTag = { ...tag, nameEn, name: tag.name === tag.nameEn ? nameEn : tag.name };
    const expected = { write: { __typename: 'UpdateProductTagPayload', productTag, userErrors: [] } };
    if (await write(Rename, { id: tag.id, nameEn, ifMatch: version }, expected)) setBegan(productTag);
  };
  return (
    <form onSubmit={rename}>
      <input name="nameEn" defaultValue={tag.nameEn} />
      <input type="submit" disabled={isBusy} value="✓" />
      {alert} {isConflict && <bdi>{tag.nameEn}</bdi>}
    </form>
  );
}
