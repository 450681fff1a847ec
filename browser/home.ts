import './home.css';

// What the browser knows better than the service: behind which scheme and host it is.
for (const origin of document.querySelectorAll('[data-origin]')) origin.textContent = location.origin;

// Buttons that copy the block they stand in: <figure data-copyable> with a <pre> and a <button>.
const shownFor = 2_000;

for (const block of document.querySelectorAll('[data-copyable]')) {
  const button = block.querySelector('button');
  const code = block.querySelector('pre');
  if (button === null || code === null) continue;
  const label = button.textContent;
  // There is nothing that it could do without a script, or on a page that may not copy.
  button.hidden = navigator.clipboard === undefined;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent ?? '');
    button.textContent = button.dataset.copied ?? label;
    setTimeout(() => {
      button.textContent = label;
    }, shownFor);
  });
}
