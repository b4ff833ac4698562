import { describe, expect, it } from 'vitest'
import { parseScreenplay, type Item } from './screenplay.ts'

const parse = (...lines: unknown[]): Item[] =>
  parseScreenplay(
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    'play.jsonl',
  ).items

/** Each response as a string: its steps and its outcome. */
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

describe('a screenplay', () => {
  it.each([
    ['joins consecutive texts into one response', [text, text], ['text+text+end']],
    ['separates responses at end', [text, end, text], ['text+end', 'text+end']],
    ['has an empty response for end after end', [text, end, end], ['text+end', 'end']],
    ['joins consecutive tools into one response', [tool, tool], ['tool+tool+end']],
    ['allows text before tools', [text, tool, text], ['text+tool+end', 'text+end']],
    ['ignores end after tools', [tool, end, text], ['tool+end', 'text+end']],
    ['adds usage to the response before it', [tool, usage, tool], ['tool+usage+end', 'tool+end']],
    ['allows usage first', [usage, text], ['usage+text+end']],
    [
      'has a separate response for a status',
      [text, status, text],
      ['text+end', 'error', 'text+end'],
    ],
    ['allows consecutive statuses', [status, status], ['error', 'error']],
    [
      'interrupts a response with an error without status',
      [text, { error: { message: 'x' } }],
      ['text+error'],
    ],
    ['ends a response at a cut', [text, { cut: true }, text], ['text+cut', 'text+end']],
    ['allows a cut first', [{ cut: true }], ['cut']],
    [
      'joins consecutive whens into one choice',
      [{ when: 'a', steps: [text] }, { when: 'b', steps: [tool, text] }, text],
      ['{text+end|tool+end text+end}', 'text+end'],
    ],
    [
      'separates choices by a step between them',
      [{ when: 'a', steps: [text] }, text, { when: 'b', steps: [] }],
      ['{text+end}', 'text+end', '{}'],
    ],
    [
      'allows nested choices',
      [{ when: 'a', steps: [{ when: 'b', steps: [text] }] }],
      ['{{text+end}}'],
    ],
    ['ignores blank lines', ['', text, '  \r', text, ''], ['text+text+end']],
  ])('%s', (_, lines, wanted) => {
    expect(outline(parse(...lines))).toEqual(wanted)
  })
})

describe('an invalid step is reported with file and line', () => {
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
    ['{"when":"(","steps":[]}', /^play\.jsonl:2: not a regular expression: unterminated group$/],
    ['{"when":"a"}', /^play\.jsonl:2: 'when' needs 'steps', a list of steps$/],
    ['{"when":5,"steps":[]}', /^play\.jsonl:2: 'when' must be a regular expression$/],
    ['{"when":"a","steps":[5]}', /^play\.jsonl:2: a step is a JSON object$/],
    ['{"when":"a","steps":[{"txt":1}]}', /^play\.jsonl:2: a step needs/],
    ['{"when":"a","steps":[],"then":1}', /unknown key 'then' beside 'when'/],
  ])('%s', (line, message) => {
    expect(() => parse(text, line)).toThrow(message)
    expect(() => parse(text, line)).toThrow(
      expect.objectContaining({ code: 'screenplay' }) as Error,
    )
  })
})

describe('the values of a step', () => {
  const outcome = (line: object): unknown => {
    const [item] = parse(line)
    return item?.type === 'choice' ? undefined : item?.outcome
  }

  it.each(['end', 'tool_use', 'max_tokens', 'refusal', 'other'])('allow the stop %s', (stop) => {
    expect(outcome({ end: true, stop })).toEqual({ type: 'end', stop })
  })

  it.each([
    [
      { end: true, stop: 'never' },
      "'stop' must be one of end, tool_use, max_tokens, refusal, other",
    ],
    [{ usage: { input_tokens: -1 } }, "'input_tokens' must be a whole number"],
    [{ usage: { input_tokens: 1.5 } }, "'input_tokens' must be a whole number"],
    [{ usage: { tokens: 1 } }, "unknown key 'tokens' in 'usage'"],
    [{ usage: 1 }, "'usage' must be an object"],
    [{ error: { status: 299 } }, "'status' must be from 300 to 599"],
    [{ error: { status: 600 } }, "'status' must be from 300 to 599"],
    [{ error: { retry_after: -1 } }, "'retry_after' must be a number of seconds"],
    [{ error: { type: 5 } }, "'type' must be"],
    [{ error: { message: 5 } }, "'message' must be"],
    [{ error: { code: 5 } }, "unknown key 'code' in 'error'"],
    [{ error: 'x' }, "'error' must be an object"],
  ])('are checked: %j', (line, message) => {
    expect(() => parse(line)).toThrow(message)
  })

  it.each([300, 599])('allow the status %i', (status) => {
    expect(outcome({ error: { status } })).toMatchObject({ error: { status } })
  })

  it('have defaults, and times in milliseconds', () => {
    expect(outcome({ error: { retry_after: 0.5 } })).toMatchObject({
      error: { errorType: 'api_error', message: '', retryAfterMs: 500, status: undefined },
    })
    expect(outcome({ error: { retry_after: 0, type: 't' } })).toMatchObject({
      error: { errorType: 't', retryAfterMs: 0 },
    })
    const counts = {
      input_tokens: 1,
      output_tokens: 2,
      cached_input_tokens: 3,
      cache_write_tokens: 4,
      thinking_tokens: 5,
    }
    const usage = { inputTokens: 1, outputTokens: 2, cachedInputTokens: 3, cacheWriteTokens: 4 }
    expect(parse({ usage: counts })).toMatchObject([
      { steps: [{ type: 'usage', usage: { ...usage, thinkingTokens: 5 } }] },
    ])
    expect(parse({ text: 'a', delay_ms: 3_600_000 })).toMatchObject([
      { steps: [{ type: 'text', text: 'a', delayMs: 3_600_000 }] },
    ])
    expect(() => parse({ text: 'a', delay_ms: 3_600_001 })).toThrow(
      "play.jsonl:1: 'delay_ms' must be a number of milliseconds from 0 to 3600000",
    )
    expect(parse({ usage: { input_tokens: 0 } })).toMatchObject([
      { steps: [{ usage: { inputTokens: 0, outputTokens: 0 } }] },
    ])
  })
})
