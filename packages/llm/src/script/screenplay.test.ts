import { describe, expect, it } from 'vitest'
import { parseScreenplay, type Item } from './screenplay.ts'

const parse = (...lines: unknown[]): Item[] =>
  parseScreenplay(
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    'play.jsonl',
  ).items

/** Each response in a word: its steps and how it ends. */
const outline = (items: Item[]): string[] =>
  items.map((item) => {
    if (item.type === 'choice') {
      const branches = item.branches.map(({ items }) => outline(items).join(' '))
      return `{${branches.join('|')}}`
    }
    return [...item.steps.map(({ type }) => type), item.outcome.type].join('+')
  })

const text = { text: 'x' }
const tool = { tool: 'read', input: { path: 'a' } }
const usage = { usage: { input_tokens: 1, output_tokens: 2 } }
const end = { end: true }
const status = { error: { status: 529, message: 'Overloaded' } }

describe('steps become responses', () => {
  it.each([
    ['texts in a row are pieces of one response', [text, text], ['text+text+end']],
    ['end separates responses', [text, end, text], ['text+end', 'text+end']],
    ['end after end is a response that says nothing', [text, end, end], ['text+end', 'end']],
    ['tools in a row are called together', [tool, tool], ['tool+tool+end']],
    ['text may come before tools', [text, tool, text], ['text+tool+end', 'text+end']],
    ['end after tools adds nothing', [tool, end, text], ['tool+end', 'text+end']],
    [
      'usage belongs to the response before it',
      [tool, usage, tool],
      ['tool+usage+end', 'tool+end'],
    ],
    ['usage may come first', [usage, text], ['usage+text+end']],
    ['a status is a response of its own', [text, status, text], ['text+end', 'error', 'text+end']],
    ['statuses follow one another', [status, status], ['error', 'error']],
    [
      'an error without status breaks into a response',
      [text, { error: { message: 'x' } }],
      ['text+error'],
    ],
    ['a cut ends a response', [text, { cut: true }, text], ['text+cut', 'text+end']],
    ['a cut may come before anything', [{ cut: true }], ['cut']],
    [
      'whens in a row are one choice',
      [{ when: 'a', steps: [text] }, { when: 'b', steps: [tool, text] }, text],
      ['{text+end|tool+end text+end}', 'text+end'],
    ],
    [
      'a step between separates choices',
      [{ when: 'a', steps: [text] }, text, { when: 'b', steps: [] }],
      ['{text+end}', 'text+end', '{}'],
    ],
    ['choices nest', [{ when: 'a', steps: [{ when: 'b', steps: [text] }] }], ['{{text+end}}']],
    ['blank lines mean nothing', ['', text, '  \r', text, ''], ['text+text+end']],
  ])('%s', (_, lines, wanted) => {
    expect(outline(parse(...lines))).toEqual(wanted)
  })
})

describe('a bad step is named by file and line', () => {
  it.each([
    ['{"text": ', /^play\.jsonl:2: .*JSON/],
    ['[]', /^play\.jsonl:2: a step is a JSON object$/],
    [
      '{}',
      /^play\.jsonl:2: a step needs one of text, thinking, tool, usage, end, error, cut, when$/,
    ],
    ['{"txt":"x"}', /a step needs one of/],
    ['{"text":"x","tool":"y"}', /not both text and tool/],
    ['{"text":5}', /'text' must be a string/],
    ['{"text":"x","delay":5}', /unknown key 'delay' beside 'text'/],
    ['{"text":"x","delay_ms":-1}', /'delay_ms' must be/],
    ['{"text":"x","delay_ms":"5"}', /'delay_ms' must be/],
    ['{"tool":"x","input":[]}', /'input' must be an object/],
    ['{"usage":{"tokens":1}}', /unknown key 'tokens' in 'usage'/],
    ['{"usage":{"input_tokens":-1}}', /'input_tokens' must be a whole number/],
    ['{"end":false}', /'end' must be true/],
    ['{"end":true,"stop":"whenever"}', /'stop' must be one of/],
    ['{"error":{"status":200}}', /'status' must be from 300 to 599/],
    ['{"error":{"stauts":500}}', /unknown key 'stauts' in 'error'/],
    ['{"error":"x"}', /'error' must be an object/],
    ['{"cut":1}', /'cut' must be true/],
    ['{"when":"(","steps":[]}', /^play\.jsonl:2: .*regular expression/i],
    ['{"when":"a"}', /'when' needs 'steps'/],
    ['{"when":"a","steps":[{"txt":1}]}', /^play\.jsonl:2: a step needs/],
    ['{"when":"a","steps":[],"then":1}', /unknown key 'then' beside 'when'/],
  ])('%s', (line, message) => {
    expect(() => parse(text, line)).toThrow(message)
  })
})
