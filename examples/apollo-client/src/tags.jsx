import { useApolloClient, useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { isUncertain, readScreen, rejectionOf } from './apollo.js';
import { Create, Delete, Products, Rename, Tag, Tags, Tick, Untick } from './operations.js';
import { texts } from './texts.js';

/** Sends a mutation. Its result has the data, or `rejection`; `problem` says why nothing was written. */
function useWrite(text) {
  const client = useApolloClient();
  const [state, setState] = useState({ isBusy: false, problem: '' });
  async function write(mutation, variables, optimisticResponse) {
    setState({ isBusy: true, problem: '' });
    try {
      const { data } = await client.mutate({ mutation, variables, optimisticResponse });
      const rejection = rejectionOf(data);
      setState({ isBusy: false, problem: rejection?.message ?? '' });
      return { rejection, isDone: rejection === undefined };
    } catch (error) {
      const isUnknown = isUncertain(error);
      setState({ isBusy: false, problem: isUnknown ? `${error.message} ${text.uncertain}` : error.message });
      if (isUnknown) await readScreen(client).catch(() => {});
      return { isDone: false };
    }
  }
  return [write, state];
}

export function TagList({ language, order }) {
  const text = texts[language];
  const [search, setSearch] = useState('');
  const [openId, setOpenId] = useState();
  const { data, previousData, error, loading, fetchMore } = useQuery(Tags, { variables: { search, order } });
  // While a search is on its way, the last result stays on screen.
  const { nodes, totalCount, pageInfo } = (data ?? previousData)?.productTags ?? { nodes: [] };
  const more = () => fetchMore({ variables: { after: pageInfo.endCursor } }).catch(() => {});
  return (
    <>
      <input type="search" aria-label={text.search} value={search} onChange={({ target }) => setSearch(target.value)} />
      <output>{totalCount}</output>
      {error && <p role="alert">{error.message}</p>}
      <ul>
        {nodes.map(({ id, name, itemCount }) => (
          <li key={id}>
            <button type="button" aria-expanded={id === openId} onClick={() => setOpenId(id)}>
              {name}
            </button>
            {` ${itemCount} ${text.items}`}
          </li>
        ))}
      </ul>
      {pageInfo?.hasNextPage && (
        <button type="button" disabled={loading} onClick={more}>
          {text.more}
        </button>
      )}
      <NewTag text={text} />
      {openId !== undefined && <OpenTag key={openId} id={openId} text={text} onClose={() => setOpenId(undefined)} />}
    </>
  );
}

function NewTag({ text }) {
  const [write, { isBusy, problem }] = useWrite(text);
  const [nameEn, setNameEn] = useState('');
  // The same for each try of this tag, so that it is created once.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const edit = (name) => {
    setNameEn(name);
    setKey(crypto.randomUUID());
  };
  const create = async (event) => {
    event.preventDefault();
    const { isDone } = await write(Create, { input: { nameEn }, key });
    if (isDone) edit('');
  };
  return (
    <form onSubmit={create}>
      <input aria-label={text.newTag} value={nameEn} onChange={({ target }) => edit(target.value)} />
      <button type="submit" disabled={isBusy}>
        {text.add}
      </button>
      {problem && <p role="alert">{problem}</p>}
    </form>
  );
}

/** A form begins with what the service has now: others may have changed the tag since the list was read. */
function OpenTag({ id, text, onClose }) {
  const { data, dataState, error } = useQuery(Tag, { variables: { id }, fetchPolicy: 'cache-and-network' });
  if (error) return <p role="alert">{error.message}</p>;
  if (dataState !== 'complete') return null;
  if (data.productTag === null) return <p role="alert">{text.deleted}</p>;
  return (
    <section aria-label={data.productTag.name}>
      <RenameForm tag={data.productTag} text={text} />
      <ProductList tag={data.productTag} text={text} />
      <DeleteButton tag={data.productTag} text={text} onDone={onClose} />
      <button type="button" onClick={onClose}>
        {text.close}
      </button>
    </section>
  );
}

function RenameForm({ tag, text }) {
  const [write, { isBusy, problem }] = useWrite(text);
  const [nameEn, setNameEn] = useState(tag.nameEn);
  /** The name that the form began with, and the tag of somebody else who has changed it since. */
  const [before, setBefore] = useState(tag.nameEn);
  const [theirs, setTheirs] = useState();

  const begin = (name) => {
    setBefore(name);
    setNameEn(name);
    setTheirs(undefined);
  };
  const save = async ({ version, nameEn: now }, known = before) => {
    if (now !== known) return setTheirs(tag);
    const { isDone, rejection } = await write(Rename, { id: tag.id, input: { nameEn }, ifMatch: version });
    const current = rejection?.current;
    // The first try was done, and only its response was lost.
    if (isDone || current?.nameEn === nameEn) return begin(nameEn);
    // Only items have changed.
    if (current?.nameEn === known) return save(current, known);
    setTheirs(current);
  };
  const submit = (event) => {
    event.preventDefault();
    void save(tag);
  };
  return (
    <form onSubmit={submit}>
      <input aria-label={text.name} value={nameEn} onChange={({ target }) => setNameEn(target.value)} />
      <button type="submit" disabled={isBusy}>
        {text.save}
      </button>
      {theirs ? (
        <div role="alertdialog" aria-label={text.conflict}>
          {text.conflict} <bdi>{theirs.nameEn}</bdi>
          <button type="button" onClick={() => begin(theirs.nameEn)}>
            {text.keepTheirs}
          </button>
          <button type="button" disabled={isBusy} onClick={() => save(theirs, theirs.nameEn)}>
            {text.keepMine}
          </button>
        </div>
      ) : (
        problem && <p role="alert">{problem}</p>
      )}
    </form>
  );
}

function ProductList({ tag, text }) {
  const [write, { isBusy, problem }] = useWrite(text);
  const { data, loading, fetchMore } = useQuery(Products, { variables: { tag: tag.id } });
  const { nodes, pageInfo } = data?.items ?? { nodes: [] };
  const toggle = (item) => {
    const [mutation, field] = item.hasProductTag ? [Untick, 'removeProductTagItems'] : [Tick, 'addProductTagItems'];
    const itemCount = tag.itemCount + (item.hasProductTag ? -1 : 1);
    void write(
      mutation,
      { id: tag.id, itemIds: [item.id] },
      {
        [field]: {
          __typename: 'ProductTagPayload',
          productTag: { __typename: 'ProductTag', id: tag.id, itemCount },
          changedItems: [{ __typename: 'Item', id: item.id, hasProductTag: !item.hasProductTag }],
        },
      },
    );
  };
  return (
    <fieldset>
      {nodes.map((item) => (
        <label key={item.id}>
          <input
            type="checkbox"
            checked={item.hasProductTag}
            // One mutation of a tag after another, and none while a page is on its way.
            disabled={isBusy || loading}
            onChange={() => toggle(item)}
          />
          {item.name}
        </label>
      ))}
      {pageInfo?.hasNextPage && (
        <button
          type="button"
          disabled={isBusy || loading}
          onClick={() => fetchMore({ variables: { after: pageInfo.endCursor } }).catch(() => {})}
        >
          {text.more}
        </button>
      )}
      {problem && <p role="alert">{problem}</p>}
    </fieldset>
  );
}

function DeleteButton({ tag, text, onDone }) {
  const [write, { isBusy, problem }] = useWrite(text);
  const remove = async () => {
    const { isDone, rejection } = await write(Delete, { id: tag.id });
    // Somebody else may have deleted it.
    if (isDone || rejection?.codes.includes('PRODUCT_TAG_NOT_FOUND')) onDone();
  };
  return (
    <>
      <button type="button" disabled={isBusy} onClick={remove}>
        {text.delete}
      </button>
      {problem && <p role="alert">{problem}</p>}
    </>
  );
}
