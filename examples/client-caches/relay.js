// Version 1 of 28 November 2026: /guides/changes says when to copy this file again.

// For Relay: `new Environment({ network, store, getDataID })`. Ids are integers here, and an item may have the id of a tag.

export const getDataID = ({ id }, type) => (id == null ? undefined : `${type}:${id}`);
