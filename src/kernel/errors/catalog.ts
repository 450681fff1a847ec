import type { Locale } from '../localization/locale.ts';

interface Entry {
  /** HTTP status, on both surfaces. */
  status: number;
  /** GraphQL's `extensions.code`, if it is not the code in capitals. */
  graphql?: string;
  message: Record<Locale, string>;
  /** Headers of every response with this code. */
  headers?: Record<string, string>;
}

/** Errors of a request as a whole: a problem on REST, a top-level error on GraphQL. */
export const requestErrors = {
  malformed_request: entry(400, 'The request could not be read.', 'تعذرت قراءة الطلب.'),
  malformed_body: entry(400, 'The request body is not well-formed.', 'صيغة محتوى الطلب غير صحيحة.'),
  invalid_parameter: {
    ...entry(400, '{parameter} must be {expected}.', 'يجب أن يكون {parameter} {expected}.'),
    graphql: 'BAD_USER_INPUT',
  },
  query_too_complex: entry(
    400,
    'The document exceeds the limit on {limit}: at most {max}.',
    'يتجاوز المستند الحد الأقصى {limit}: {max}.',
  ),
  unauthenticated: {
    ...entry(
      401,
      'A valid partner token is required: Authorization: Bearer pp_...',
      'يلزم رمز شريك صالح: Authorization: Bearer pp_...',
    ),
    headers: { 'WWW-Authenticate': 'Bearer realm="partner-gateway"' },
  },
  not_found: entry(404, 'There is nothing at this path.', 'لا يوجد شيء في هذا المسار.'),
  method_not_allowed: entry(405, 'This path does not support this method.', 'هذا المسار لا يدعم هذه الطريقة.'),
  not_acceptable: entry(406, 'The response can only be {supported}.', 'لا يمكن أن يكون الرد إلا {supported}.'),
  conflict: entry(409, 'The request conflicts with another one. Try again.', 'يتعارض الطلب مع طلب آخر. حاول مرة أخرى.'),
  request_timeout: entry(408, 'The request took too long to arrive.', 'استغرق وصول الطلب وقتًا طويلاً.'),
  headers_too_large: entry(431, 'The request headers are too large.', 'ترويسات الطلب كبيرة جدًا.'),
  payload_too_large: entry(413, 'The request body is too large.', 'محتوى الطلب كبير جدًا.'),
  unsupported_media_type: entry(
    415,
    'The Content-Type or encoding of the request body is not supported. Use {supported}.',
    'نوع محتوى الطلب أو ترميزه غير مدعوم. استخدم {supported}.',
  ),
  validation_failed: entry(422, 'Some fields are not valid.', 'بعض الحقول غير صالحة.'),
  rate_limited: entry(
    429,
    'Too many requests. Try again in {seconds} s.',
    'طلبات كثيرة جدًا. حاول مرة أخرى بعد {seconds} ثانية.',
  ),
  internal_server_error: entry(500, 'Something went wrong on our side.', 'حدث خطأ من جانبنا.'),
  overloaded: {
    ...entry(503, 'The service is overloaded. Try again shortly.', 'الخدمة مثقلة بالطلبات. حاول مرة أخرى بعد قليل.'),
    headers: { 'Retry-After': '1' },
  },
  service_unavailable: {
    ...entry(
      503,
      'The service is not available right now. Try again shortly.',
      'الخدمة غير متاحة حاليًا. حاول مرة أخرى بعد قليل.',
    ),
    headers: { 'Retry-After': '5' },
  },
} satisfies Record<string, Entry>;

/** Rejected input of a mutation: `userErrors` on GraphQL, a problem with `errors` on REST. */
const refusals = {
  required: entry(422, '{field} is required.', '{field} مطلوب.'),
  invalid_type: entry(422, '{field} must be {expected}.', 'يجب أن يكون {field} {expected}.'),
  invalid_length: entry(
    422,
    '{field} must have {min} to {max} characters.',
    'يجب أن يتكون {field} من {min} إلى {max} حرفًا.',
  ),
  invalid_characters: entry(
    422,
    '{field} must have visible characters and no control characters.',
    'يجب أن يحتوي {field} على أحرف مرئية وألا يحتوي على أحرف تحكم.',
  ),
  too_many_items: entry(422, 'At most {max} item ids are allowed.', 'يُسمح بما لا يزيد على {max} من معرّفات العناصر.'),
  item_not_found: entry(422, 'Items not found: {itemIds}.', 'عناصر غير موجودة: {itemIds}.'),
  item_not_product: entry(
    422,
    'Only products can be tagged. Not products: {itemIds}.',
    'يمكن وسم المنتجات فقط. ليست منتجات: {itemIds}.',
  ),
  product_tag_not_found: entry(404, 'There is no such product tag.', 'وسم المنتج هذا غير موجود.'),
  version_mismatch: entry(
    412,
    'The tag has changed since you read it. Fetch its version and try again.',
    'تغيّر الوسم منذ أن قرأته. اقرأ إصداره الحالي ثم حاول مرة أخرى.',
  ),
  idempotency_key_in_use: {
    ...entry(
      409,
      'A request with this Idempotency-Key is still in progress. Try again shortly.',
      'لا يزال طلب بالمفتاح Idempotency-Key نفسه قيد التنفيذ. حاول مرة أخرى بعد قليل.',
    ),
    headers: { 'Retry-After': '1' },
  },
  idempotency_key_reused: entry(
    422,
    'This Idempotency-Key was used for a different request in the last 24 hours.',
    'استُخدم المفتاح Idempotency-Key نفسه لطلب مختلف خلال الأربع والعشرين ساعة الماضية.',
  ),
} satisfies Record<string, Entry>;

/** Names of fields in messages; other fields go by their own names. */
const fieldNames: Record<string, Record<Locale, string>> = {
  nameEn: { en: 'English name', ar: 'الاسم الإنجليزي' },
  nameAr: { en: 'Arabic name', ar: 'الاسم العربي' },
  itemIds: { en: 'Item ids', ar: 'حقل معرّفات العناصر' },
};

/** Texts of the `{expected}` placeholder. */
const expectations = {
  page: { en: 'a page number from 1, or -1 for the full list', ar: 'رقم صفحة يبدأ من 1، أو -1 للقائمة الكاملة' },
  integer: { en: 'an integer', ar: 'عددًا صحيحًا' },
  integers: { en: 'an array of integers', ar: 'مصفوفة من الأعداد الصحيحة' },
  text: { en: 'a string', ar: 'نصًا' },
  textOrNull: { en: 'a string or null', ar: 'نصًا أو null' },
  object: { en: 'an object', ar: 'كائنًا' },
  pageLength: { en: 'between 1 and 100', ar: 'بين 1 و100' },
  idempotencyKey: {
    en: '1 to 255 printable ASCII characters',
    ar: 'مكونًا من 1 إلى 255 حرفًا قابلاً للطباعة من ASCII',
  },
  representation: {
    en: 'an object with the __typename of an entity and its id, an integer',
    ar: 'كائنًا فيه __typename لأحد الكيانات وid عدد صحيح',
  },
  cursor: { en: 'a cursor from an earlier response', ar: 'مؤشرًا من استجابة سابقة' },
  ifMatch: {
    en: 'an entity tag, a list of entity tags, or *',
    ar: 'وسم كيان (entity tag) أو قائمة منها أو *',
  },
} satisfies Record<string, Record<Locale, string>>;

export type Expectation = keyof typeof expectations;

/** Texts of the `{limit}` placeholder. */
const limits = {
  tokens: { en: 'its tokens', ar: 'لعدد وحداته اللغوية' },
  depth: { en: 'the depth of its fields and fragments', ar: 'لعمق حقوله وأجزائه' },
  aliases: { en: 'its aliases and repeated fields', ar: 'لعدد أسمائه المستعارة وحقوله المكررة' },
  directives: { en: 'its directives', ar: 'لعدد توجيهاته' },
  cost: {
    en: 'the fields of its response (request fewer nested lists, or fewer entries at a time)',
    ar: 'لعدد الحقول المتوقعة في نتيجته (اطلب قوائم متداخلة أقل أو عددًا أقل في كل مرة)',
  },
} satisfies Record<string, Record<Locale, string>>;

/** The limits of GraphQL documents. */
export type LimitName = keyof typeof limits;

export type RequestErrorCode = keyof typeof requestErrors;
export type RefusalCode = keyof typeof refusals;

const catalog: Record<RequestErrorCode | RefusalCode, Entry> = { ...requestErrors, ...refusals };

export function statusOf(code: RequestErrorCode | RefusalCode): number {
  return catalog[code].status;
}

export function headersOf(code: RequestErrorCode | RefusalCode): Record<string, string> {
  return catalog[code].headers ?? {};
}

/** The code as GraphQL spells it. */
export function graphqlCodeOf(code: RequestErrorCode | RefusalCode): string {
  return catalog[code].graphql ?? code.toUpperCase();
}

type Value = string | number;

/** Values of a message's placeholders: `expected` and `limit` name texts, `field` a field; arrays become lists. */
export type MessageValues = Record<string, Value | readonly Value[]> & { expected?: Expectation; limit?: LimitName };

const separators: Record<Locale, string> = { en: ', ', ar: '، ' };

/** The code's message in the locale, `{placeholders}` filled in. */
export function messageOf(code: RequestErrorCode | RefusalCode, locale: Locale, values: MessageValues = {}): string {
  return catalog[code].message[locale].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the message of ${code} lacks ${name}`);
    if (name === 'expected' && values.expected) return expectations[values.expected][locale];
    if (name === 'limit' && values.limit) return limits[values.limit][locale];
    if (name === 'field') return fieldNames[camelCase(String(value))]?.[locale] ?? String(value);
    return Array.isArray(value) ? value.join(separators[locale]) : String(value);
  });
}

// Fields have snake case names on REST.
function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function entry(status: number, en: string, ar: string): Entry {
  return { status, message: { en, ar } };
}
