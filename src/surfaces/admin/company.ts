import {
  ensureCompany,
  insertCompany,
  listCompanies,
  updateCompany,
} from '../../domain/partner/companies/company.queries.ts';
import { setSuspended } from '../../domain/partner/suspension.ts';
import { getCityId } from '../../domain/reference/cities/city.queries.ts';
import type { Admin } from './admin.ts';
import { parseId, parseName } from './options.ts';

export function addCompanyCommands(admin: Admin): void {
  const command = admin.group('company', 'POS companies');

  command(
    'create',
    'add a POS company; prints its id',
    "--name-en 'Palm Kitchen' --name-ar 'مطبخ النخلة' --city saruh --address 'King Fahd Road 12'",
  )
    .requiredOption('--name-en <name>', 'name in English', parseName)
    .requiredOption('--name-ar <name>', 'name in Arabic', parseName)
    .requiredOption('--city <id or code>', 'city of its address, as city list shows it')
    .option('--address <line>', 'street and building', parseName)
    .action(({ nameEn, nameAr, city, address = null }) =>
      admin.change(async (db) => {
        const cityId = await getCityId(db, city);
        const id = await insertCompany(db, { nameEn, nameAr, addressLine: address, cityId });
        const note = `Add a partner that acts for it next: partner create --name NAME --company ${id}`;
        return { text: String(id), data: { id }, note };
      }),
    );

  command('list', 'list all companies with their addresses', '', '--json').action(() =>
    admin.list(listCompanies, 'There are no companies.'),
  );

  command('rename', 'give a company other names', "3 --name-en 'Date Kitchen'")
    .argument('<id>', 'the company', parseId)
    .option('--name-en <name>', 'its new name in English', parseName)
    .option('--name-ar <name>', 'its new name in Arabic', parseName)
    .action((id, names, self) => {
      if (Object.keys(names).length === 0) self.error('error: --name-en or --name-ar is required');
      return admin.change(async (db) => {
        await ensureCompany(db, id);
        await updateCompany(db, id, names);
        return { text: `Company ${id} is renamed.`, data: { id } };
      });
    });

  for (const [verb, description] of [
    ['suspend', 'reject the tokens of its partners at once; its data stays'],
    ['resume', 'accept the tokens of its partners again'],
  ] as const) {
    command(verb, description, '3')
      .argument('<id>', 'the company', parseId)
      .action((id) =>
        admin.change(async (db) => {
          await ensureCompany(db, id);
          await setSuspended(db, 'companies', id, verb === 'suspend');
          const state = verb === 'suspend' ? 'suspended; the tokens of its partners are rejected' : 'active';
          return { text: `Company ${id} is ${state}.`, data: { id, suspended: verb === 'suspend' } };
        }),
      );
  }
}
