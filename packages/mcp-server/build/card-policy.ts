// Writes the hashes of the order card's script and style into its content security policy: node build/card-policy.ts
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const path = new URL('../src/app/order-card.html', import.meta.url);

/** The card with a policy that allows only its own script and style, by hash. */
export const freshCard = (): string => {
  const card = readFileSync(path, 'utf8');
  return ['script', 'style'].reduce((text, name) => {
    const [, inner] = text.split(new RegExp(`</?${name}>`));
    if (inner === undefined) throw new Error(`The card has to hold one <${name}>.`);
    const hash = createHash('sha256').update(inner).digest('base64');
    return text.replace(new RegExp(`(${name}-src 'sha256-)[^']*'`), `$1${hash}'`);
  }, card);
};

if (import.meta.main) writeFileSync(path, freshCard());
