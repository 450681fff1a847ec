import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { relayStylePagination } from '@apollo/client/utilities';
import { useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import languages from './languages.json';
import { TagList } from './tags.jsx';

/** Joins the pages of a list. Arguments other than those of pages make another list. */
const pages = relayStylePagination((args) => Object.keys(args ?? {}).filter((name) => !/^(first|after)$/.test(name)));
const typePolicies = { Query: { fields: { items: pages, productTags: pages } } };
const defaultOptions = { watchQuery: { fetchPolicy: 'cache-and-network' } };

/** Each language has its own cache, because names are in the language of the request. */
function connect(language) {
  const link = new HttpLink({ uri: '/graphql', headers: { 'Accept-Language': language } });
  return new ApolloClient({ link, cache: new InMemoryCache({ typePolicies }), defaultOptions });
}

function App() {
  const [language, setLanguage] = useState('en');
  const client = useMemo(() => connect(language), [language]);
  return (
    <ApolloProvider client={client} key={language}>
      <main lang={language} dir={language === 'ar' ? 'rtl' : 'ltr'}>
        <select aria-label="Language" value={language} onChange={({ target }) => setLanguage(target.value)}>
          <option value="en">English</option>
          <option value="ar">العربية</option>
        </select>
        <TagList text={languages[language]} />
      </main>
    </ApolloProvider>
  );
}

createRoot(document.getElementById('app')).render(<App />);
