import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { companyRows } from '../support/product-tag.ts';
import { surfaceNames, writes } from '../support/product-tag-write.ts';
import { startService } from '../support/process.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';
