import { mailCredentials } from './home.ts';
import { everyFiveSeconds, sendFile, templates, type Workflow, type WorkflowNode } from './workflows.ts';

/**
 * A template as its user would fit it in: with the mail server of the home, and the address of the ERP.
 * @param url where the ERP is
 */
export const fitIn = (template: Workflow, url: string): Workflow => ({
  ...template,
  nodes: template.nodes.map((node) => {
    const { type, name, parameters } = node;
    if (type === 'n8n-nodes-base.emailSend') return { ...node, credentials: mailCredentials };
    if (name !== 'Send to ERP') return node;
    return { ...node, parameters: { ...parameters, url: String(parameters.url).replace('https://erp.example', url) } };
  }),
});

/**
 * A template fitted in for a test: it polls every five seconds, tries again at once, and posts its files.
 * @param url where the ERP is, and where files are posted to
 */
export const testedTemplate = (id: string, url = ''): Workflow => {
  const template = templates().find((workflow) => workflow.id === id);
  if (!template) throw new Error(`There is no template ${id}`);
  const { nodes, connections } = fitIn(template, url);
  const files = nodes.filter(({ type }) => type === 'n8n-nodes-base.convertToFile');
  const toStore = (name: string) => ({ main: [[{ node: `Store ${name}`, type: 'main', index: 0 }]] });
  return {
    ...template,
    nodes: [...nodes.map(hurried), ...files.map(({ name }) => sendFile(`Store ${name}`, url))],
    connections: { ...connections, ...Object.fromEntries(files.map(({ name }) => [name, toStore(name)])) },
  };
};

const hurried = (node: WorkflowNode): WorkflowNode => ({
  ...node,
  ...('waitBetweenTries' in node && { waitBetweenTries: 100 }),
  ...('pollTimes' in node.parameters && { parameters: { ...node.parameters, pollTimes: everyFiveSeconds } }),
});
