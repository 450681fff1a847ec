import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { listPartners as list, type PartnerSummary } from '../../../domain/partner/partners/partner.queries.ts';
import type { Admin } from '../admin.ts';
import { examples } from '../examples.ts';
import { type Column, onePage, printRows } from '../rows.ts';

const columns: Column<PartnerSummary>[] = [
  { name: 'id', value: (partner) => partner.id },
  { name: 'name', value: (partner) => partner.name },
  { name: 'live_tokens', value: (partner) => partner.liveTokens },
  { name: 'company_id', value: (partner) => partner.companyId },
  { name: 'company_name_en', value: (partner) => partner.companyNameEn },
  { name: 'company_name_ar', value: (partner) => partner.companyNameAr },
];

/** `partner list`: every partner with the company it acts for. */
export function listPartners({ terminal, withDatabase }: Admin): CommandUnknownOpts {
  return new Command('list')
    .description('list all partners with the company they act for')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('', '--json'))
    .action(({ json }) =>
      withDatabase((db) => printRows(terminal, columns, onePage(list(db)), { json, none: 'There are no partners.' })),
    );
}
