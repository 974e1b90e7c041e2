import { expect, it } from 'vitest';
import { externalAddress } from './externalAddress.ts';

it.each([
  ['https://example.com/a?b#c', 'https://example.com/a?b#c'],
  ['HTTPS://EXAMPLE.com', 'https://example.com/'],
  ['mailto:someone@example.com', 'mailto:someone@example.com'],
  // Shown as the system gets it: a look-alike name becomes visible.
  ['https://exаmple.com/', 'https://xn--exmple-4nf.com/'],
])('%s is opened, shown as it really is', (address, shown) => {
  expect(externalAddress(address)).toBe(shown);
});

it.each([
  'http://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'smb://server/share',
  'data:text/html,x',
  'https://bank.com@example.com/',
  'not an address',
  '',
  `https://example.com/${'a'.repeat(3_000)}`,
])('%s is not opened', (address) => {
  expect(externalAddress(address)).toBeNull();
});
