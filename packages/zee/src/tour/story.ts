// The contents of the tour: a shop that computes a discount wrongly, and the script of the model.

export const prompt =
  'The test test/price.test.mjs fails. Find out why, fix it, and run the test until it passes.'

/** The memory that zino stores. The question words it differently. */
export const lesson = 'In the shop a discount is a percent number: divide it by 100.'
export const question = 'How is a discount written in the shop?'

export const repositoryFiles: Readonly<Record<string, string>> = {
  'README.md': '# Shop\n\nPrices are in cents. Run the test with `node test/price.test.mjs`.\n',
  'src/price.mjs': [
    '// Prices are in cents.',
    'export function withDiscount(cents, percent) {',
    '  return cents - cents * percent',
    '}',
    '',
  ].join('\n'),
  'test/price.test.mjs': [
    "import assert from 'node:assert/strict'",
    "import { withDiscount } from '../src/price.mjs'",
    '',
    'assert.equal(withDiscount(2000, 10), 1800)',
    'assert.equal(withDiscount(999, 0), 999)',
    "console.log('ok: prices')",
    '',
  ].join('\n'),
}

const runTest = 'node test/price.test.mjs'

export const agentPlay: readonly object[] = [
  { text: 'I run the test first.\n' },
  { tool: 'bash', input: { command: `${runTest} 2>&1 | grep -A3 AssertionError` } },
  { text: 'A price of 2000 with 10 percent off is wrong. Where is it computed?\n' },
  { tool: 'search', input: { op: 'grep', pattern: String.raw`withDiscount\(` } },
  { tool: 'read', input: { path: 'src/price.mjs' } },
  { text: '`percent` is multiplied as if it were a fraction. It must be divided by 100.\n' },
  {
    tool: 'edit',
    input: {
      path: 'src/price.mjs',
      old: 'cents * percent',
      new: '(cents * percent) / 100',
    },
  },
  { end: true },
  { tool: 'bash', input: { command: runTest } },
  { text: 'Fixed in src/price.mjs. The test prints: {{last_tool.stdout}}' },
  { end: true },
]

/** A token that looks real. */
export const secretFile = `GITHUB_TOKEN=ghp_${'aB3'.repeat(12)}\n`

export const secretPlay: readonly object[] = [
  { tool: 'read', input: { path: '../secret.env' } },
  { end: true },
  { text: 'It is {{find:/⟦secret:[^⟧]*⟧/}}; I never saw the value.' },
  { end: true },
]

/** A log of Claude Code about the shop: the answer claims a test run that failed. */
export function foreignLog(cwd: string): readonly object[] {
  const usage = { input_tokens: 900, output_tokens: 30 }
  const answer = (id: string, content: object) => ({
    type: 'assistant',
    timestamp: '2026-03-01T10:00:05Z',
    message: { id, model: 'claude-haiku-4-5', content: [content], usage },
  })
  const input = { command: runTest }
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'Exit code 1', is_error: true }
  return [
    {
      type: 'user',
      sessionId: foreignSession,
      cwd,
      timestamp: '2026-03-01T10:00:00Z',
      message: { role: 'user', content: 'Is the discount right?' },
    },
    answer('m1', { type: 'tool_use', id: 't1', name: 'Bash', input }),
    { type: 'user', timestamp: '2026-03-01T10:00:09Z', message: { content: [result] } },
    answer('m2', { type: 'text', text: 'The discount is right. All tests pass.' }),
  ]
}

export const foreignSession = '5f0c'

/** The answer quotes the request, so it contains the memory only if the request does. */
export const zinoPlay: readonly object[] = [
  {
    when: 'discount',
    steps: [{ text: 'You taught me: {{find:/In the shop a discount[^"\\n]*/}}' }, { end: true }],
  },
  { text: 'I know nothing about that.' },
  { end: true },
]
