import type { Page } from 'playwright-core';

/** Texts with too little contrast to their background. WCAG AA requires 4.5:1, or 3:1 for large texts. */
export function faintTexts(page: Page, least = 3): Promise<string[]> {
  return page.evaluate(findFaint(least));
}

const findFaint = (least: number) => `(() => {
  const colour = (text) => {
    const [red, green, blue, alpha = 1] = text.match(/[\\d.]+/g).map(Number);
    return { channels: [red, green, blue], alpha };
  };
  const over = ({ channels, alpha }, ground) =>
    channels.map((each, index) => each * alpha + ground[index] * (1 - alpha));
  const groundOf = (element) =>
    element === null
      ? [255, 255, 255]
      : over(colour(getComputedStyle(element).backgroundColor), groundOf(element.parentElement));
  const luminance = (channels) => {
    const linear = (each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    const [red, green, blue] = channels.map((each) => linear(each / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (lighter + 0.05) / (darker + 0.05);
  };
  const isText = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '';
  return [...document.querySelectorAll('body *')]
    .filter((element) => element.checkVisibility() && [...element.childNodes].some(isText))
    .flatMap((element) => {
      const ground = groundOf(element);
      const ratio = contrast(over(colour(getComputedStyle(element).color), ground), ground);
      const text = element.textContent.trim().slice(0, 60);
      return ratio < ${least} ? [ratio.toFixed(1) + ' ' + element.className + ': ' + text] : [];
    });
})()`;
