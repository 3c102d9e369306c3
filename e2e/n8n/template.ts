import { type Home, mailCredentials } from './home.ts';
import { everyFiveSeconds, templates, type Workflow, type WorkflowNode } from './workflows.ts';

/**
 * Configures a template as its user would: with the home's mail server and folder, and the ERP's address.
 * @param url the ERP's address
 */
export const fitIn = (template: Workflow, { files }: Pick<Home, 'files'>, url: string): Workflow => ({
  ...template,
  nodes: template.nodes.map((node) => {
    const fitted = JSON.stringify(node)
      .replaceAll('https://erp.example', url)
      .replaceAll('/home/node/.n8n-files', files);
    const isMail = node.type === 'n8n-nodes-base.emailSend';
    return { ...(JSON.parse(fitted) as WorkflowNode), ...(isMail && { credentials: mailCredentials }) };
  }),
});

/** Configures a template for a test, so that it polls every five seconds and retries at once. */
export const testedTemplate = (id: string, home: Pick<Home, 'files'>, url = ''): Workflow => {
  const template = templates().find((workflow) => workflow.id === id);
  if (!template) throw new Error(`There is no template ${id}`);
  const fitted = fitIn(template, home, url);
  return { ...fitted, nodes: fitted.nodes.map(hurried) };
};

const hurried = (node: WorkflowNode): WorkflowNode => ({
  ...node,
  ...('waitBetweenTries' in node && { waitBetweenTries: 100 }),
  ...('pollTimes' in node.parameters && { parameters: { ...node.parameters, pollTimes: everyFiveSeconds } }),
});
