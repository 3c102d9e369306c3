import { statuses } from '../data/order.ts';
import { amountForm } from './form.ts';
import { factsOfLimit, type Sent } from './limit-facts.ts';
import { type Got, type Group, pathOf, type Question } from './questions.ts';
import { dataOf, type Fields, fieldsIn, isFields, isPaid, type Listed, ordersOf, type Reply } from './reply.ts';
import { factsOfFields, factsOfOrders, factsOfPaging, factsOfReply } from './reply-facts.ts';

/** Facts that are compared together. Their label is for the report. */
export interface FactGroup {
  label: string;
  asks: Group;
  /** The questions without whose responses it says nothing. */
  needs: readonly string[];
  /** @param replay sends requests again, each at its time */
  facts(got: Got, chosen: () => readonly Listed[], replay: (sent: readonly Sent[]) => readonly Reply[]): string[];
}

/** What of the responses is compared. */
export const groupsFor = (questions: readonly Question[], sent: readonly Sent[]): readonly FactGroup[] => {
  const details = questions.filter(({ name }) => /^order\d/.test(name));
  const single = questions.filter((question) => !details.includes(question));
  return [
    ...single.map((question) => ({
      label: question.label,
      asks: question.group,
      needs: [question.name],
      facts: factsOf(question),
    })),
    {
      label: 'entries of the lists',
      asks: 'reads',
      needs: [],
      facts: (got) => factsOfFields('orders[]', lists.flatMap(entries(got))),
    },
    { label: 'amounts', asks: 'reads', needs: [], facts: (got) => factsOfAmounts(details, got) },
    { label: 'order of the list', asks: 'reads', needs: ['page1'], facts: factsOfSequence },
    { label: 'pages of the list', asks: 'reads', needs: ['beyond'], facts: factsOfPages },
    {
      label: 'paid orders',
      asks: 'reads',
      needs: [],
      facts: (got, chosen) => factsOfDetails(details, got, chosen(), true),
    },
    {
      label: 'other orders',
      asks: 'reads',
      needs: [],
      facts: (got, chosen) => factsOfDetails(details, got, chosen(), false),
    },
    {
      label: 'over the limit',
      asks: 'rateLimit',
      needs: [],
      facts: (_got, _chosen, replay) => factsOfLimit(sent, replay(sent)),
    },
  ];
};

const lists = ['page1', 'page2', 'list', ...statuses];
const entries =
  (got: Got) =>
  (name: string): Fields[] =>
    ordersOf(got(name)) ?? [];

const factsOf =
  (question: Question) =>
  (got: Got, chosen: () => readonly Listed[]): string[] => {
    const { name } = question;
    const reply = got(name);
    const asked = pathOf(question, got, chosen) ?? '';
    const user = asked === '/me' ? dataOf(reply) : undefined;
    const facts = [...factsOfReply(reply), ...(user ? factsOfFields('me', [user]) : [])];
    if (name === 'me' && reply) facts.push(`compression: ${codingOf(reply)}`);
    return asked.startsWith('/orders?') || asked === '/orders'
      ? [...facts, ...factsOfPaging(reply, asked, got)]
      : facts;
  };

const fieldsOf = (reply: Reply | undefined): Fields[] => {
  const data = dataOf(reply);
  return data ? [data] : [];
};

const codingOf = ({ headers: { 'content-encoding': coding = 'none' } }: Reply): string =>
  ['none', 'gzip', 'br'].includes(coding) ? coding : 'another';

const factsOfDetails = (
  questions: readonly Question[],
  got: Got,
  chosen: readonly Listed[],
  paid: boolean,
): string[] => {
  const replies = questions
    .filter((_, n) => chosen[n] && isPaid(chosen[n].status) === paid)
    .map(({ name }) => got(name));
  const orders = replies.flatMap(fieldsOf);
  return [...replies.flatMap(factsOfReply), ...factsOfOrders(orders)];
};

/** How amounts are written anywhere, since some orders have only small ones. */
const factsOfAmounts = (details: readonly Question[], got: Got): string[] => {
  const orders = details.flatMap(({ name }) => fieldsOf(got(name)));
  const amounts = [
    ...[...lists.flatMap(entries(got)), ...orders].map(({ gesamtpreis_brutto }) => gesamtpreis_brutto),
    ...orders.flatMap(({ items }) => fieldsIn(items).map(({ einzelpreis_brutto }) => einzelpreis_brutto)),
  ];
  return [...new Set(amounts.map(amountForm))].flatMap((form) => (form ? [`amounts: ${form}`] : []));
};

/** How the dates and IDs of the list follow each other. */
const factsOfSequence = (got: Got): string[] => {
  const listed = [...entries(got)('page1')];
  const isDated = listed.every(({ created_at }) => typeof created_at === 'string');
  if (!isDated || listed.length < 2) return [];
  const pairs = listed.slice(1).map((order, n) => [listed[n] as Fields, order] as const);
  const rises = pairs.some(([before, after]) => String(before.created_at) < String(after.created_at));
  const ties = pairs.filter(([before, after]) => before.created_at === after.created_at);
  return [
    `dates: ${rises ? 'not sorted' : 'newest first'}`,
    // If all dates are equal, they say nothing about ties.
    ...(ties.length === pairs.length ? [] : ties.map(([before, after]) => `equal dates: ${direction(before, after)}`)),
  ];
};

const direction = ({ id: before }: Fields, { id: after }: Fields): string =>
  BigInt(digits(before)) > BigInt(digits(after)) ? 'higher ID first' : 'lower ID first';
const digits = (id: unknown): string => (/^-?\d{1,40}$/.test(String(id)) ? String(id) : '0');

/** How the pages of one list relate. */
const factsOfPages = (got: Got): string[] => [
  `page 1, asked again: ${compare(got('again'), got('page1'))}`,
  `page 2 against page 1: ${compare(got('page2'), got('page1'))}`,
  `page after the last against page 1: ${compare(got('beyond'), got('page1'))}`,
  `page after the last against page 2: ${compare(got('beyond'), got('page2'))}`,
];

const compare = (reply: Reply | undefined, other: Reply | undefined): string => {
  const [some, others] = [idsOf(reply), idsOf(other)];
  if (!some || !others) return 'not a list';
  if (some.length === 0) return 'no orders';
  if (some.join() === others.join()) return 'the same orders';
  if (some.toSorted().join() === others.toSorted().join()) return 'the same orders in another sequence';
  return some.some((id) => others.includes(id)) ? 'some of the same orders' : 'other orders';
};

const idsOf = (reply: Reply | undefined): string[] | undefined => {
  const ids = ordersOf(reply)?.map(({ id }) => String(id));
  // Without IDs, pages cannot be compared.
  return isFields(ordersOf(reply)?.[0]) && ids?.[0] === 'undefined' ? undefined : ids;
};
