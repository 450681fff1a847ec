import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { RetryLink } from '@apollo/client/link/retry';
import { ApolloProvider } from '@apollo/client/react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { fetchOrThrow, mutateOptions, newest, retry, typePolicies } from './apollo.js';
import { TagList } from './tags.jsx';

/** A client for one language, because its cache stores names in that language. */
function connect(language) {
  const http = new HttpLink({ uri: '/graphql', headers: { 'Accept-Language': language }, fetch: fetchOrThrow });
  const link = ApolloLink.from([new ApolloLink(newest), new RetryLink(retry), http]);
  const client = new ApolloClient({ link, cache: new InMemoryCache({ typePolicies }) });
  client.defaultOptions = { mutate: mutateOptions(client) };
  return client;
}

const languages = {
  en: { client: connect('en'), dir: 'ltr', order: 'NAME_EN' },
  ar: { client: connect('ar'), dir: 'rtl', order: 'NAME_AR' },
};

function App() {
  const [language, setLanguage] = useState('en');
  const { client, dir, order } = languages[language];
  const choose = async ({ target: { value } }) => {
    // This client does not know what was written in the other language meanwhile.
    await languages[value].client.clearStore();
    setLanguage(value);
  };
  return (
    <ApolloProvider client={client} key={language}>
      <main lang={language} dir={dir}>
        <select aria-label="Language" value={language} onChange={choose}>
          <option value="en">English</option>
          <option value="ar">العربية</option>
        </select>
        <TagList language={language} order={order} />
      </main>
    </ApolloProvider>
  );
}

createRoot(document.getElementById('app')).render(<App />);
