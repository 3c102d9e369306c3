import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/** Returns an expression in the editor's own format, so that the editor shows the field as filled in by the model. */
const fromModel = (name: string, description: string, type = 'string'): string =>
  `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`${description}\`, '${type}') }}`;

const blank = 'Leave empty to include all dates.';
const date = 'ISO 8601 with a UTC offset or Z, such as 2026-01-31T00:00:00Z.';

/** Initial values of the node's fields when an AI agent uses it as a tool: the model fills them in. */
const filledInByModel = {
  order: { mode: 'number', value: fromModel('Order', 'Order number, such as B-2026-000042'), __rl: true },
  limit: fromModel('Limit', 'Maximum number of orders, at least 1', 'number'),
  filters: {
    createdFrom: fromModel('Created_From', `Only orders created at this time or later. ${date} ${blank}`),
    createdBefore: fromModel('Created_Before', `Only orders created before this time. ${date} ${blank}`),
    product: fromModel(
      'Product',
      'Only orders with a product whose name contains this text. This filter reads each order in the date range separately, so also set a date range. Leave empty to include all products.',
    ),
    status: fromModel(
      'Status',
      'Only orders with these statuses, separated by commas: ausstehend (pending), bezahlt (paid), abgeschlossen (completed), storniert (cancelled). Leave empty to include all statuses.',
    ),
  },
};

/**
 * Returns two versions of a field: one for workflows, and one for AI agents' tools, which the model fills in.
 * @param field its `displayOptions` have no `hide`
 */
export const alsoForModels = (field: INodeProperties): INodeProperties[] => {
  const value = filledInByModel[field.name as keyof typeof filledInByModel];
  const { show = {} } = field.displayOptions ?? {};
  return [
    { ...field, displayOptions: { show, hide: { '@tool': [true] } } },
    { ...field, displayOptions: { show: { ...show, '@tool': [true] } }, default: value },
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
