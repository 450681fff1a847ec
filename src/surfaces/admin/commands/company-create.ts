import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { insertCompany } from '../../../domain/partner/companies/company.queries.ts';
import type { Admin } from '../admin.ts';
import { getCityId } from '../ensure.ts';
import { examples } from '../examples.ts';
import { parseName } from '../options.ts';

/** `company create`: a POS company. */
export function createCompany({ terminal, withDatabase }: Admin): CommandUnknownOpts {
  return new Command('create')
    .description('add a POS company; prints the id and nothing else')
    .requiredOption('--name-en <name>', 'name in English', parseName)
    .requiredOption('--name-ar <name>', 'name in Arabic', parseName)
    .requiredOption('--city <id or code>', 'city of its address, as city list shows it')
    .option('--address <line>', 'street, building and the like', parseName)
    .addHelpText(
      'after',
      examples("--name-en 'Palm Kitchen' --name-ar 'مطبخ النخلة' --city saruh --address 'King Fahd Road 12'"),
    )
    .action(({ nameEn, nameAr, city, address = null }) =>
      withDatabase(async (db) => {
        const cityId = await getCityId(db, city);
        const id = await insertCompany(db, { nameEn, nameAr, addressLine: address, cityId });
        await terminal.print(String(id));
        terminal.note(`A partner who acts for it is next: partner create --name NAME --company ${id}`);
      }),
    );
}
