import { expect, test } from 'vitest';
import { fence, makeTree } from '../tree.fixture.ts';
import { checkLinks } from './links.ts';

test('accepts links whose targets exist, and ignores code', () => {
  const root = makeTree({
    'README.md': [
      '# The `kit`, twice: über alles',
      '## A & B',
      '## A & B',
      '[down](docs/page.md#right) [self](#the-kit-twice-über-alles) [second](#a--b-1) ![picture](docs/a%20b.png "a title")',
      '[out](https://shop.example/x) `[code](nowhere)` <a name="hand"></a> [hand](#hand) [ref]',
      '[ref]: docs/page.md',
      fence('', '[in a fence](nowhere)'),
    ].join('\n\n'),
    'docs/page.md': '# Right\n\n[up](../README.md)\n',
    'docs/a b.png': '',
    'node_modules/x/README.md': '[not ours](nowhere)',
  });
  expect(checkLinks(root)).toEqual([]);
});

test('reports each broken link with its line', () => {
  const root = makeTree({
    'README.md':
      '# Head\n\n[a](gone.md)\n![b](gone.png)\n[c](#tail)\n[d](page.md#tail)\n[e](https://)\n[f](../up.md)\n',
    'page.md': 'no heading here: <img src="gone.svg">\n',
  });
  expect(checkLinks(root)).toEqual([
    'README.md:3 links to "gone.md", which does not exist.',
    'README.md:4 links to "gone.png", which does not exist.',
    'README.md:5 links to "#tail", but README.md has no heading for #tail.',
    'README.md:6 links to "page.md#tail", but page.md has no heading for #tail.',
    'README.md:7 links to "https://", which is not a valid URL.',
    'README.md:8 links to "../up.md", which is outside the repository.',
    'page.md:1 links to "gone.svg", which does not exist.',
  ]);
});
