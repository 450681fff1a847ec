import type { Measurement } from './measure.ts';
import type { Results } from './results.ts';

const width = 860;
const labelWidth = 250;
const barHeight = 20;
const barStep = 26;
const titleHeight = 40;
const colors = { service: '#0b7285', peer: '#868e96', limit: '#ced4da', reference: '#ced4da' };

/** Requests a second of everyone in every scenario, as an SVG of bars: the service dark, its peers grey, limits light. */
export function drawChart({ scenarios }: Results): string {
  const groups: string[] = [];
  let y = 10;
  for (const { title, measurements } of scenarios) {
    groups.push(drawGroup(title, measurements, y));
    y += titleHeight + measurements.length * barStep;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" font-family="sans-serif" font-size="13">
<title>Requests a second</title>
<rect width="${width}" height="${y}" fill="#fff"/>
${groups.join('\n')}
</svg>
`;
}

function drawGroup(title: string, measurements: Measurement[], top: number): string {
  const fastest = Math.max(...measurements.map((measurement) => measurement.requestsPerSecond));
  const bars = measurements.map((measurement, index) => {
    const y = top + titleHeight - 8 + index * barStep;
    const length = Math.max(1, (measurement.requestsPerSecond / fastest) * (width - labelWidth - 90));
    const baseline = y + barHeight - 5;
    return [
      `<text x="${labelWidth - 8}" y="${baseline}" text-anchor="end">${measurement.label}</text>`,
      `<rect x="${labelWidth}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" fill="${colors[measurement.role]}"/>`,
      `<text x="${(labelWidth + length + 6).toFixed(1)}" y="${baseline}">${Math.round(measurement.requestsPerSecond).toLocaleString('en')}/s</text>`,
    ].join('\n');
  });
  return [`<text x="10" y="${top + 20}" font-weight="bold">${title}</text>`, ...bars].join('\n');
}
