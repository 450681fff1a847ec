import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import {
  insertCompany,
  listCompanies,
  suspendCompany,
  updateCompany,
} from '../../domain/partner/companies/company.queries.ts';
import type { Admin } from './admin.ts';
import { ensureCompany, getCityId, parseId, parseName } from './options.ts';

export function companyCommands(admin: Admin): CommandUnknownOpts[] {
  return [
    admin
      .command(
        'company create',
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
      ),
    admin.command('company list', 'list all companies with their addresses', '', '--json').action(() =>
      admin.list(async (db) => {
        const companies = await listCompanies(db);
        return [
          companies.map((company) => ({
            id: company.id,
            country: company.country,
            city: company.city,
            address: company.addressLine,
            name_en: company.nameEn,
            name_ar: company.nameAr,
            suspended_at: company.suspendedAt,
          })),
        ];
      }, 'There are no companies.'),
    ),
    admin
      .command('company rename', 'give a company other names', "3 --name-en 'Date Kitchen'")
      .argument('<id>', 'the company', parseId)
      .option('--name-en <name>', 'its new name in English', parseName)
      .option('--name-ar <name>', 'its new name in Arabic', parseName)
      .action((id, { nameEn, nameAr }, command) => {
        if (nameEn === undefined && nameAr === undefined) command.error('error: --name-en or --name-ar is required');
        return admin.change(async (db) => {
          await ensureCompany(db, id);
          await updateCompany(db, id, { ...(nameEn && { nameEn }), ...(nameAr && { nameAr }) });
          return { text: `Company ${id} is renamed.`, data: { id } };
        });
      }),
    suspension(admin, 'suspend', 'reject the tokens of its partners at once; its data stays'),
    suspension(admin, 'resume', 'accept the tokens of its partners again'),
  ];
}

function suspension(admin: Admin, verb: 'suspend' | 'resume', description: string): CommandUnknownOpts {
  return admin
    .command(`company ${verb}`, description, '3')
    .argument('<id>', 'the company', parseId)
    .action((id) =>
      admin.change(async (db) => {
        await ensureCompany(db, id);
        await suspendCompany(db, id, verb === 'suspend');
        const text = verb === 'suspend' ? 'suspended; the tokens of its partners are rejected' : 'active';
        return { text: `Company ${id} is ${text}.`, data: { id, suspended: verb === 'suspend' } };
      }),
    );
}
