import { expect, it } from 'vitest'
import { openSecrets } from '../secrets/secrets.ts'
import { withoutSecrets } from './notices.ts'

const secrets = openSecrets({ env: {}, ownKeys: [], history: [] })
const token = `ghp_${'a1B2'.repeat(9)}`

it.each([
  `the token is ${token}`,
  'password: hunter2hunter2',
  'see https://me:hunter2hunter2@host/',
  `in ${'x'.repeat(40)}.${token}`,
])('the session stores the answer %j without its secret', async (text) => {
  const stored = await withoutSecrets({ secrets }, { text, stop: 'end' })
  expect(stored.stop).toBe('end')
  expect(stored.text).toMatch(/⟦secret:|REDACTED/)
  expect(stored.text).not.toMatch(/hunter2|a1B2a1B2/)
})

it('an answer without a secret is the same object, also when it is long', async () => {
  const answer = { text: 'Renamed the function in 12 files; see src/cart.ts.' }
  expect(await withoutSecrets({ secrets }, answer)).toBe(answer)
  const long = { text: 'x'.repeat(1024 * 1024) }
  expect(await withoutSecrets({ secrets }, long)).toBe(long)
})
