import type { AddressInfo, Server } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { requireBesideN8n } from './install.ts';

interface Session {
  envelope: { rcptTo: { address: string }[] };
}

/** The part of smtp-server used here. The package is installed with n8n, so the type check cannot read its types. */
interface Smtp {
  SMTPServer: new (options: {
    authOptional: boolean;
    disabledCommands: string[];
    onData(stream: Readable, session: Session, done: (error?: Error) => void): void;
  }) => { server: Server; listen(port: number, host: string, ready: () => void): void; close(done: () => void): void };
}

/** What the server does with the next emails: accepts them, rejects them, or accepts them without confirming. */
export type MailManners = 'take' | 'reject' | 'hold';

export interface MailServer {
  port: number;
  /** The emails that arrived, whatever the server replied. */
  texts: string[];
  manners: MailManners;
  close(): Promise<void>;
}

/**
 * Starts a mail server that stores the emails it receives, on loopback.
 * @param onMail called with the text and the recipients of each email
 */
export const startMailServer = async (onMail?: (text: string, to: string) => void): Promise<MailServer> => {
  const { SMTPServer } = requireBesideN8n('smtp-server') as Smtp;
  const texts: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    async onData(stream, { envelope }, done) {
      const mailed = textOf(await text(stream));
      texts.push(mailed);
      onMail?.(mailed, envelope.rcptTo.map(({ address }) => address).join(', '));
      if (mail.manners === 'take') done();
      if (mail.manners === 'reject') done(Object.assign(new Error('rejected'), { responseCode: 554 }));
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const mail: MailServer = {
    port: (server.server.address() as AddressInfo).port,
    texts,
    manners: 'take',
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mail;
};

/** Returns the decoded body of a single-part email. */
const textOf = (source: string): string => {
  const [head = '', ...rest] = source.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(body, 'base64').toString();
  if (!/^content-transfer-encoding: quoted-printable/im.test(head)) return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
};
