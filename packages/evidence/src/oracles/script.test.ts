import { expect, test } from 'vitest'
import type { OraclePolicy } from './oracles.ts'
import { runOracleScript } from './script.ts'

/** The verdict of a Node script. */
function answerOf(
  code: string,
  formatMismatch: OraclePolicy['formatMismatch'] = 'fail',
  timeoutMs = 60_000,
) {
  const request = { cwd: '/', env: { WORD: 'w' }, timeoutMs, subject: { a: 1 } }
  return runOracleScript(
    { ...request, command: ['/bin/sh', '-c', code] },
    { mode: 'strict', formatMismatch },
  )
}

const say = (answer: unknown) => `cat > /dev/null; printf '%s' '${JSON.stringify(answer)}'`
const semantic = { field: '', op: 'script', class: 'semantic' }
const format = { field: 'x', op: 'y', class: 'format', message: 'm' }

test.each<[string, unknown]>([
  ['cat > /dev/null; exit 3', { error: '/bin/sh ended with 3' }],
  ['cat > /dev/null; echo " a  b" >&2; exit 1', { error: '/bin/sh ended with 1: a b' }],
  ['cat > /dev/null; kill -9 $$', { error: '/bin/sh was ended' }],
  ['cat > /dev/null; echo x', { error: '/bin/sh did not answer with JSON' }],
  [say({ ok: 1 }), { error: '/bin/sh did not say "ok"' }],
  [say([]), { error: '/bin/sh did not say "ok"' }],
  [say({ ok: true, mismatches: [format] }), { ok: true, mismatches: [], warnings: [] }],
  [
    say({ ok: false }),
    { ok: false, mismatches: [{ ...semantic, message: 'it said no' }], warnings: [] },
  ],
  [
    say({ ok: false, message: 'a\nb' }),
    {
      ok: false,
      mismatches: [{ field: '', op: 'script', class: 'semantic', message: 'a b' }],
      warnings: [],
    },
  ],
  [
    say({ ok: false, message: 5, mismatches: 'x' }),
    {
      ok: false,
      mismatches: [{ field: '', op: 'script', class: 'semantic', message: 'it said no' }],
      warnings: [],
    },
  ],
  [
    say({ ok: false, mismatches: [{}, 5, { field: 1, op: 2, class: 'type', message: 3 }] }),
    {
      ok: false,
      mismatches: [
        { field: '', op: 'script', class: 'semantic', message: '' },
        { field: '1', op: '2', class: 'type', message: '3' },
      ],
      warnings: [],
    },
  ],
  [
    say({ ok: false, mismatches: [{ class: 'x', message: 'm'.repeat(400) }] }),
    {
      ok: false,
      mismatches: [
        {
          field: '',
          op: 'script',
          class: 'semantic',
          message:
            'mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm',
        },
      ],
      warnings: [],
    },
  ],
  [say({ ok: false, mismatches: [format] }), { ok: false, mismatches: [format], warnings: [] }],
  [
    `IFS= read -r line; [ "$line" = '{"a":1}' ] && [ "$WORD$PWD" = w/ ] && echo '{"ok":true}'`,
    { ok: true, mismatches: [], warnings: [] },
  ],
])('the oracle script %j answers %j', async (code, answer) => {
  expect(await answerOf(code)).toEqual(answer)
})

test.each([
  ['warn', [format], { ok: true, mismatches: [], warnings: [format] }],
  ['ignore', [format], { ok: true, mismatches: [], warnings: [] }],
  [
    'warn',
    [format, { ...format, class: 'type' }],
    { ok: false, mismatches: [format, { ...format, class: 'type' }], warnings: [] },
  ],
  ['warn', [], { ok: false, mismatches: [{ ...semantic, message: 'it said no' }], warnings: [] }],
] as const)('with the policy %s the mismatches %j are %j', async (policy, mismatches, answer) => {
  expect(await answerOf(say({ ok: false, mismatches }), policy)).toEqual(answer)
})

test('an oracle script has at most 100 mismatches', async () => {
  const mismatches = Array.from({ length: 101 }, () => format)
  const answer = await answerOf(say({ ok: false, mismatches }))
  expect(answer).toMatchObject({ mismatches: mismatches.slice(1) })
})

test('an oracle script that does not end is stopped', async () => {
  expect(await answerOf('exec sleep 60', 'fail', 50)).toEqual({
    error: '/bin/sh did not answer in time',
  })
})

test('an oracle script without a command is an error', async () => {
  const request = { cwd: '/', env: {}, timeoutMs: 1000, subject: {} }
  const policy = { mode: 'strict', formatMismatch: 'fail' } as const
  const answer = await runOracleScript({ ...request, command: ['/nowhere/x'] }, policy)
  expect(answer).toEqual({ error: '/nowhere/x: command not found' })
})
