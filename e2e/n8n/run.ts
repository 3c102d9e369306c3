// `./dev n8n` runs a real n8n with the pack, a mock of the API, and a mail server and an ERP that print what they
// receive. Ctrl-C ends everything and removes all files.
import { setTimeout } from 'node:timers/promises';
import { listen } from '../../packages/mock-api/src/index.ts';
import { createHome } from './home.ts';
import { startMailServer } from './mail-server.ts';
import { startReceiver } from './receiver.ts';
import { startServer } from './server.ts';
import { createOwner, owner } from './session.ts';
import { fitIn } from './template.ts';
import { orderLicense, templates, workflowOf } from './workflows.ts';

const stopped = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
});
const say = (line: string) => process.stdout.write(`${line}\n`);

const mock = await listen({ relativeDates: true });
const mail = await startMailServer((text, to) => say(`\nmail to ${to}\n${text.trim().replace(/^/gm, '  ')}`));
const erp = await startReceiver(({ method, path, body }) => say(`\nERP  ${method} ${path}\n  ${body}`));
const home = createHome();
try {
  say('Setting up a new n8n in a temporary folder…');
  await home.importCredential({ baseUrl: mock.baseUrl, apiKey: mock.keys.business, requestsPerMinute: 60 });
  await home.importMailCredential(mail.port);
  const first = workflowOf('first', orderLicense('List the newest orders', { resource: 'order' }));
  await home.importWorkflows([first, ...templates().map((template) => fitIn(template, home, erp.url))]);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const server = await startServer(home, {
    port: Number(process.env.PORT ?? 5678),
    // n8n's list of time zones has no UTC.
    env: { GENERIC_TIMEZONE: timeZone === 'UTC' ? 'Etc/UTC' : timeZone },
  });
  try {
    await createOwner(server.url);
    say(`\nn8n       ${server.url}/workflow/first`);
    say(`login     ${owner.email}, ${owner.password}`);
    say(`mock API  ${mock.baseUrl}, control ${mock.controlUrl}`);
    for (const [name, key] of Object.entries(mock.keys)) say(`API key   ${key}  ${name}`);
    say('The credential "Order License" uses the first one.');
    say("Some of the mock's orders are edge cases, such as one with a total of 90071992547409.93 EUR.");
    say('\nTo see a trigger work: publish the ERP template, wait two minutes, then create an order:');
    say(`curl ${mock.controlUrl}/orders --json '{"status":"bezahlt"}'`);
    say('The templates are already configured, with credential, mail server, folder and ERP.');
    say(`Their emails and their requests to the ERP (${erp.url}) are printed here. Their files are in ${home.files}.`);
    say('\nPress Ctrl-C to stop n8n and the mock and to remove the folder.');
    await stopped;
  } finally {
    say('Stopping n8n…');
    await Promise.race([server.stop(), setTimeout(10_000, undefined, { ref: false }).then(server.kill)]);
  }
} finally {
  home.remove();
  erp.close();
  await mail.close();
  await mock.close();
}
