import type { IDisplayOptions, IExecuteFunctions, INodeProperties, IPollFunctions } from 'n8n-workflow';

/** The contexts in which a node reads its fields. */
export type FieldContext = IExecuteFunctions | IPollFunctions;

const date = 'ISO 8601 with a UTC offset or Z, such as 2026-01-31T00:00:00Z. Leave it out for all dates.';

/** What a model reads about each field that it fills in, and again if the value is rejected. */
const textsForModels: Readonly<Record<string, string>> = {
  order: 'Order number, such as B-2026-000042.',
  limit: 'Maximum number of orders, at least 1. Leave it out for 50.',
  createdFrom: `Only orders created at this time or later. ${date}`,
  createdBefore: `Only orders created before this time. ${date}`,
  product:
    'Only orders with a product whose name contains this text. This filter reads each order in the date range separately, so also set a date range. Leave it out for all products, and for totals.',
  status:
    'Only orders with these statuses, separated by commas: ausstehend (pending), bezahlt (paid), abgeschlossen (completed), storniert (cancelled). Leave it out for all statuses.',
};

/**
 * Whether the node runs as an AI agent's tool. n8n then adds `Tool` to its type; `isToolExecution` is not always
 * correct.
 */
export const isTool = (context: FieldContext): boolean =>
  context.getNode().type.endsWith('Tool') || (context as IExecuteFunctions).isToolExecution?.() === true;

/** Tells a model what to pass in a field; undefined for users, and for fields that only users fill in. */
export const adviceForModel = ({ name }: Pick<INodeProperties, 'name'>, context: FieldContext): string | undefined =>
  isTool(context) ? textsForModels[name] : undefined;

/**
 * Returns an expression in the editor's own format, so that the editor shows the field as filled in by the model. Without
 * a default, some agents end their execution if the model leaves the field out.
 */
const fromModel = ({ displayName, name, type, required, default: value }: INodeProperties): string => {
  const [kind, fallback] = type === 'number' ? ['number', value] : ['string', "''"];
  const given = `'${displayName.replaceAll(' ', '_')}', \`${textsForModels[name]}\`, '${kind}'`;
  return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI(${given}${required ? '' : `, ${fallback}`}) }}`;
};

/** Returns the initial value of a field when an AI agent uses the node as a tool: the model fills it in. */
const filledInByModel = (field: INodeProperties): INodeProperties['default'] => {
  if (field.type === 'resourceLocator') return { mode: 'number', value: fromModel(field), __rl: true };
  if (field.type !== 'collection') return fromModel(field);
  return Object.fromEntries((field.options as INodeProperties[]).map((one) => [one.name, fromModel(one)]));
};

/**
 * Returns two versions of a field: one for workflows, and one for AI agents' tools, which the model fills in.
 * @param field its `displayOptions` have no `hide`
 */
export const alsoForModels = (field: INodeProperties): INodeProperties[] => {
  const { show = {} } = field.displayOptions ?? {};
  return [
    { ...field, displayOptions: { show, hide: { '@tool': [true] } } },
    { ...field, displayOptions: { show: { ...show, '@tool': [true] } }, default: filledInByModel(field) },
  ];
};

/**
 * Returns the field for the tool's description, which the model reads. Without this field, n8n would describe the tool
 * only by the operation's name.
 */
export const toolDescription = (text: string, { show, hide }: IDisplayOptions): INodeProperties => ({
  displayName: 'Description',
  name: 'toolDescription',
  type: 'string',
  typeOptions: { rows: 4 },
  default: text,
  required: true,
  displayOptions: { show: { ...show, '@tool': [true] }, ...(hide && { hide }) },
  description: 'Tells the model what this tool does',
});
