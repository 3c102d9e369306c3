import { type Home, mailCredentials } from './home.ts';
import { everyFiveSeconds, templates, type Workflow, type WorkflowNode } from './workflows.ts';

/**
 * A template as its user would fit it in: with the mail server and the folder of the home, and the address of the ERP.
 * @param url where the ERP is
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

/** A template fitted in for a test: it polls every five seconds, and tries again at once. */
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
