import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readDocument as read } from '../support/documents.ts';

interface Rule {
  alert: string;
  annotations: Record<'summary' | 'description' | 'runbook_url', string>;
}
const rules: Rule[] = parse(await read('deploy/prometheus/rules.yml')).groups[0].rules;
const alerts = rules.map(({ alert }) => alert);

test('every alert has a description and a runbook entry, and every entry an alert', async () => {
  const page = 'docs/operations/runbook.md';
  const [, ...entries] = (await read(page)).split(/^## /m);
  expect(entries.pop()).toMatch(/^Who changed what\n/);
  expect(entries.map((entry) => entry.split('\n')[0])).toEqual([...alerts, 'Upgrade of ICU', 'An import hangs']);
  for (const entry of entries) expect(entry).toMatch(/\*\*Partners:\*\* .*\*\*Confirm:\*\*.*\*\*Do:\*\*\n\n1\. /s);
  const text = expect.stringMatching(/\w/);
  expect(rules.map(({ annotations }) => annotations)).toEqual(
    alerts.map((alert) => ({ summary: text, description: text, runbook_url: `${page}#${alert.toLowerCase()}` })),
  );
});

test('every alert has a test that fires it, and one that does not', async () => {
  type Case = { alertname: string; exp_alerts: unknown[] };
  const groups: { alert_rule_test: Case[] }[] = parse(await read('deploy/prometheus/rules.test.yml')).tests;
  const cases = groups.flatMap(({ alert_rule_test }) => alert_rule_test);
  const named = (fires: boolean) =>
    cases.filter(({ exp_alerts }) => exp_alerts.length > 0 === fires).map(({ alertname }) => alertname);
  for (const fires of [true, false]) expect([...new Set(named(fires))]).toEqual(alerts);
});
