import './sandbox.css';
import { readSettings } from './settings.ts';

interface Settings {
  script: string;
  /** Where its frame comes from. */
  origin: string;
  options: object;
}

type EmbeddedSandbox = new (options: object) => unknown;

/** In ms: after it, whoever waits is told where else to go. */
const patience = 10_000;

const { script, origin, options } = readSettings<Settings>();
const state = document.documentElement.dataset;

const giveUp = () => {
  state.sandbox = 'away';
};
let lateness = setTimeout(giveUp, patience);

// It says so itself once it runs in its frame, if only late.
addEventListener('message', (event) => {
  if (event.origin === origin) show();
});

const element = document.createElement('script');
element.src = script;
element.addEventListener('error', giveUp);
element.addEventListener('load', () => {
  clearTimeout(lateness);
  const { EmbeddedSandbox } = window as unknown as { EmbeddedSandbox?: EmbeddedSandbox };
  if (EmbeddedSandbox === undefined) return giveUp();
  new EmbeddedSandbox({ ...options, initialEndpoint: new URL('/graphql', location.href).href });
  show();
  // A frame whose host cannot be reached stays empty and says nothing.
  if (document.querySelector('#sandbox iframe') !== null) lateness = setTimeout(giveUp, patience);
});
document.head.append(element);

function show(): void {
  clearTimeout(lateness);
  state.sandbox = 'shown';
}
