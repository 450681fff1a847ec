import type { Measurement } from './measure.ts';
import type { Results } from './results.ts';

/** The results as Markdown. */
export function renderReport(results: Results): string {
  const sections = [
    '# Benchmark results',
    renderCircumstances(results),
    ...results.scenarios.flatMap(({ title, measurements }) => [`## ${title}`, renderMeasurements(measurements)]),
    ...renderSync(results),
    ...renderImport(results),
    ...renderMemory(results),
    ...renderScaling(results),
    ...renderWorkers(results),
    ...renderStart(results),
  ];
  return `${sections.join('\n\n')}\n`;
}

function renderCircumstances({ circumstances: c, scenarios, scaling, workers }: Results): string {
  const { counts } = c;
  const packages = ['express', '@apollo/server', 'mercurius', 'graphql-yoga', 'postgraphile'];
  const loads = [...scenarios, ...(scaling?.comparisons ?? []), ...(workers ?? [])].flatMap(
    ({ measurements }) => measurements,
  );
  const shares = loads.map(({ generatorShare }) => generatorShare ?? 0);
  const load = c.loadBefore === undefined ? '' : `, load ${c.loadBefore.toFixed(1)} before the run`;
  const lines = [
    `${c.date}, Node ${c.node}, PostgreSQL ${c.postgres}, ${c.processor}, ${megabytes(c.memory)} MB${load}.`,
    `${packages.map((name) => `${name} ${c.packages[name]}`).join(', ')}, ${c.pgbench ?? 'no pgbench'}.`,
    `${integer(counts.companies)} companies, ${integer(counts.items)} items, ${integer(counts.tags)} tags, ` +
      `${integer(counts.taggings)} taggings.`,
    `${c.generator} with ${c.connections} connections took up to ${percent(Math.max(0, ...shares))} of a processor. ` +
      `Rounds of ${c.seconds} s, everyone's in turns: figures are the medians of ${c.rounds}, shares those of each round's.`,
    'The limit is bare node:http sending the same bytes, for writes pgbench; the best peer is the fastest that computes.',
  ];
  if (c.quick) lines.push('**A quick run, without warm-up: it shows that everything works, not how fast.**');
  return lines.join('\n');
}

function renderMeasurements(measurements: Measurement[], limit = 'limit'): string {
  const columns: [title: string, cell: (measurement: Measurement) => string | undefined][] = [
    ['', (m) => (m.role === 'service' ? `**${m.label}**` : m.label)],
    ['requests/s', (m) => integer(m.requestsPerSecond)],
    ['slowest - fastest', (m) => m.spread.map(integer).join(' - ')],
    ['p50 ms', (m) => m.p50.toFixed(1)],
    ['p99 ms', (m) => m.p99.toFixed(1)],
    ['CPU µs/request', (m) => ifKnown(m.cpuPerRequest, integer)],
    ['RSS MB', (m) => ifKnown(m.rss, megabytes)],
    [`of the ${limit}`, (m) => ifKnown(m.ofLimit, percent)],
    ['of the best peer', (m) => ifKnown(m.ofBestPeer, times)],
  ];
  // What is known of nobody is left out.
  const known = columns.filter(([, cell]) => measurements.some((measurement) => cell(measurement) !== undefined));
  return table(
    known.map(([title]) => title),
    measurements.map((measurement) => known.map(([, cell]) => cell(measurement) ?? '')),
  );
}

function renderSync({ sync }: Results): string[] {
  if (sync === undefined) return [];
  const rows = sync.map((step) => [
    step.title,
    step.service.toFixed(0),
    step.database.toFixed(0),
    times(step.service / step.database),
  ]);
  return ['## One large synchronization', table(['', 'PUT over REST, ms', 'its statements alone, ms', 'ratio'], rows)];
}

function renderImport({ import: imported }: Results): string[] {
  if (imported === undefined) return [];
  return [
    '## Import',
    `\`item import\` of ${integer(imported.rows)} rows takes ${(imported.time / 1_000).toFixed(1)} s.`,
  ];
}

function renderMemory({ memory }: Results): string[] {
  if (memory === undefined) return [];
  const { afterStart, afterScenarios, course } = memory;
  const known = (bytes: number | undefined) => ifKnown(bytes, megabytes) ?? '?';
  return [
    '## Memory of the service',
    `RSS in MB: ${known(afterStart)} after the start, ${known(afterScenarios)} after all of the above, then in the course of ` +
      `${course.seconds} s of load (${integer(course.requests)} requests of every kind): ${course.rss.map(known).join(', ')}.`,
  ];
}

function renderScaling({ scaling }: Results): string[] {
  if (scaling === undefined) return [];
  const plans = scaling.plans.map(({ statement, plan }) => [
    `\`${statement.length > 110 ? `${statement.slice(0, 110)}...` : statement}\``,
    plan.flatMap((line) => line.match(/(?:Seq|Index|Index Only|Bitmap Index) Scan.*/) ?? []).join('<br>'),
  ]);
  return [
    '## Few and many items',
    ...scaling.comparisons.flatMap(({ title, measurements }) => [`${title}:`, renderMeasurements(measurements, 'few')]),
    'How PostgreSQL read the tables of the many items meanwhile:',
    table(
      ['table', 'sequential scans', 'index scans'],
      scaling.scans.map((scans) => [scans.table, integer(scans.sequential), integer(scans.index)]),
    ),
    'The statements as the service sent them, and how they find their rows (the whole of it is in `results.json`):',
    table(['statement', 'plan'], plans, '---'),
  ];
}

function renderWorkers({ workers, circumstances: { processor } }: Results): string[] {
  if (workers === undefined) return [];
  return [
    '## Two workers against one',
    `The load generator and PostgreSQL run on the same processors (${processor}): what they take, a second worker has not, ` +
      'so that the ratio is below that of processors of its own.',
    ...workers.flatMap(({ title, measurements }) => [
      `${title}:`,
      renderMeasurements(measurements, 'one worker'),
      measurements.map(({ label, ...taken }) => `${label} took ${renderProcessors(taken)}.`).join(' '),
    ]),
  ];
}

function renderProcessors({
  requestsPerSecond,
  cpuPerRequest,
  generatorShare = 0,
}: Omit<Measurement, 'label'>): string {
  const service = ifKnown(cpuPerRequest, (cpu) => ((requestsPerSecond * cpu) / 1e6).toFixed(2)) ?? '?';
  return `${service} processors, the generator ${generatorShare.toFixed(2)}`;
}

function renderStart({ start }: Results): string[] {
  if (start === undefined) return [];
  return [
    '## Start',
    `From the start of the process to a yes of /readyz: ${integer(start.plain)} ms, and ` +
      `${integer(start.withCompileCache)} ms with Node's compile cache, as \`npm start\` sets it.`,
  ];
}

function table(columns: string[], rows: string[][], rule: '---' | '---:' = '---:'): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const rules = columns.map((_, index) => (index === 0 ? '---' : rule));
  return [columns, rules, ...rows].map(line).join('\n');
}

function ifKnown(value: number | undefined, format: (value: number) => string): string | undefined {
  return value === undefined ? undefined : format(value);
}

function integer(number: number): string {
  return Math.round(number).toLocaleString('en');
}

function megabytes(bytes: number): string {
  return integer(bytes / 2 ** 20);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)}%`;
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)}x`;
}
