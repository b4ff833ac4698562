import { expect, test } from 'vitest'
import { withoutCredentials } from './url.ts'

test.each([
  ['http://h/x', 'http://h/x'],
  ['http://me@h/x', 'http://h/x'],
  ['redis://:p@ss:word@h:6379/0', 'redis://h:6379/0'],
  ['https://me:pass@h/a@b?c=@d', 'https://h/a@b?c=@d'],
  ['https://h/a//b@c', 'https://h/a//b@c'],
  ['https://h?mail=a@b', 'https://h?mail=a@b'],
])('%s is shown as %s', (url, shown) => {
  expect(withoutCredentials(url)).toBe(shown)
})
