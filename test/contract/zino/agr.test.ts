// The agent loop of the built program: calls, tasks, limits, streams, with real executions.
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChatMessage, FakeOpenAi } from '../../support/fake-openai.ts'
import { delta, ending, fakeOpenAi, status, streaming } from '../../support/fake-openai.ts'
import { Sandbox, until } from './sandbox.ts'
import { Caller, textOf } from './wire.ts'

let model: FakeOpenAi
let box: Sandbox
beforeAll(async () => {
  model = await fakeOpenAi()
  box = new Sandbox({ base: model.base, over: { exc: { timeout: 20 } } })
  box.put('tools/broken.json', '{')
  box.put('tools/notes.txt', 'not for zino')
  box.put('tools/list.json', '[]')
  box.put('skills/odd.json', { meta: { executor: 'missing' }, interpreter: [], fabricator: [] })
  await box.serve('rtr', 'exc', 'agr')
})
beforeEach(() => {
  model.requests.length = 0
})
afterAll(async () => {
  await box.remove()
  await model.close()
})

const call = (code: unknown, name = 'execute_bash') =>
  `<tool_call>\n${JSON.stringify({ name, arguments: { code } })}\n</tool_call>`
const task = (skill: unknown, request: unknown) =>
  `<task>${JSON.stringify({ skill, request })}</task>`
const response = (text: string, kind = 'tool') =>
  `\n<${kind}_response>\n${text}\n</${kind}_response>\n`
const user = { role: 'user', content: 'go' }
const run = (more: object = {}) => ({
  type: 'run',
  messages: [user],
  temperature: 0.2,
  top_p: 0.8,
  ...more,
})
const say = (...answers: string[]) => {
  model.answer = (_request, number) => answers[number - 1] ?? 'end'
}
const asked = (number: number): ChatMessage[] => model.requests[number]?.body.messages ?? []

describe.each([false, true])('a run with stream %s', (stream) => {
  const final = async (more: object = {}) => {
    const packets = await box.exchange('agr', run({ stream, ...more }))
    const last = packets.at(-1)
    expect(last?.type).toBe(stream ? 'done' : 'result')
    if (stream) expect(last?.full_text).toBe(textOf(packets))
    return { text: String(stream ? last?.full_text : last?.content), last }
  }

  it('ends with an answer without calls', async () => {
    say('plain < text')
    expect(await final()).toMatchObject({ text: 'plain < text', last: { iterations: 1 } })
    expect(model.requests[0]?.body).toMatchObject({ temperature: 0.2, top_p: 0.8, stream })
  })

  it('inserts the result after the call in one assistant turn and calls the model again', async () => {
    const first = `look: ${call('echo out; echo err >&2; exit 3')} and`
    say(first, 'second ' + call('true'), 'done')
    const { text, last } = await final()
    expect(text).toContain('done')
    expect(last).toMatchObject({ iterations: 3 })
    const augmented = first.replace(
      '</tool_call>',
      `</tool_call>${response('out\n\n[stderr]\nerr\n\n[exit code: 3]')}`,
    )
    expect(asked(1)).toEqual([user, { role: 'assistant', content: augmented }])
    expect(asked(2)).toEqual([
      user,
      { role: 'assistant', content: augmented },
      { role: 'assistant', content: `second ${call('true')}${response('(no output)')}` },
    ])
    if (stream) expect(text).not.toContain('tool_call>')
  })

  it('executes the calls of the last iteration and ends at the limit without an error', async () => {
    say(call('echo last'), 'never')
    const { text, last } = await final({ max_iterations: 1 })
    expect(text).toContain(response('last\n'))
    expect(last).toMatchObject({ iterations: 1 })
    expect(model.requests).toHaveLength(1)
  })

  it.each<[string, string]>([
    [call('x', 'execute_nothing'), "Error: Unknown tool function 'execute_nothing'"],
    [call('x', 'bash'), "Error: Unknown tool function 'bash'"],
    [call('x', '__proto__'), "Error: Unknown tool function '__proto__'"],
    [call('  '), 'Error: Empty code block.'],
    ['<tool_call>{"name":"execute_bash"}</tool_call>', 'Error: Empty code block.'],
    ['<tool_call>{"name":"execute_bash","arguments":null}</tool_call>', 'Error: Empty code block.'],
    ['<tool_call>{oh}</tool_call>', 'Malformed tool_call JSON: '],
    ['<tool_call>[1]</tool_call>', 'Malformed tool_call JSON: '],
    ['<tool_call></tool_call>', 'Malformed tool_call JSON: '],
    [call(5), 'Malformed tool_call JSON: '],
    [task('none', 'x'), "Error: Unknown skill 'none'"],
    [task('constructor', 'x'), "Error: Unknown skill 'constructor'"],
    [task('shell', ' '), 'Error: Empty task request.'],
    [task('shell', 5), 'Malformed task JSON: '],
    ['<task>nope</task>', 'Malformed task JSON: '],
  ])('reports the invalid block %s to the model', async (block, report) => {
    say(block, 'end')
    expect((await final()).last).toMatchObject({ iterations: 2 })
    expect(asked(1).at(-1)?.content).toContain(`_response>\n${report}`)
  })

  it('runs a task through interpreter, fabricator and execution, without code fences', async () => {
    say(task('shell', 'count'), 'DRAFT', 'Sure:\n```bash\necho $((40 + 2))\n```', 'end')
    const { last } = await final()
    expect(last).toMatchObject({ iterations: 2 })
    expect(asked(1)).toEqual([
      { role: 'system', content: 'INTERPRETER' },
      { role: 'user', content: 'count' },
    ])
    expect(asked(2).at(-1)).toEqual({ role: 'user', content: 'count [KCR] DRAFT' })
    expect(asked(2)).toHaveLength(4)
    expect(model.requests[1]?.body).toMatchObject({ stream: false, temperature: 0.2, top_p: 0.8 })
    expect(asked(3).at(-1)?.content).toContain(`</task>${response('42\n', 'task')}`)
  })

  it.each([
    '```bash\r\necho made\r\n```\r\n',
    '```echo made```',
    '1. Run this:\n\n    ```bash\n    echo made\n    ```\n',
  ])('executes only the fenced code of %j', async (code) => {
    say(task('shell', 'make'), 'DRAFT', code, 'end')
    await final()
    expect(asked(3).at(-1)?.content).toContain(`</task>${response('made\n', 'task')}`)
  })

  it('reports an unknown executor and a failed pipeline to the model', async () => {
    say(task('odd', 'x'), 'draft', 'code', 'end')
    await final()
    expect(asked(3).at(-1)?.content).toContain('Unknown executor: missing')
    model.requests.length = 0
    model.answer = (_request, number) =>
      number === 2 ? status(400, 'no draft') : number === 1 ? task('shell', 'x') : 'end'
    await final()
    expect(asked(2).at(-1)?.content).toMatch(/Skill pipeline error: .*no draft/)
  })

  it('parses neither a task in the code of a call nor a call in its output', async () => {
    const code = `echo '<task>{}</task>'; echo '<tool_call>{}<''/tool_call><''/tool_response>'`
    say(call(code), 'end')
    expect((await final()).last).toMatchObject({ iterations: 2 })
    const content = asked(1).at(-1)?.content ?? ''
    expect(content.match(/<tool_response>/g)).toHaveLength(1)
    expect(content).toContain('<task>{}</task>\n<tool_call>{}</tool_call>')
  })

  it('answers exactly one error when the model fails', async () => {
    model.answer = () => status(400, 'refused')
    const packets = await box.exchange('agr', run({ stream }))
    expect(packets).toMatchObject([
      { type: 'error', message: expect.stringMatching(/^Agentic runtime error: .*refused/) },
    ])
  })
})

describe('a streamed run', () => {
  it.each([
    [
      '<',
      '<tool_',
      'call>',
      '{"name":"execute_bash","arguments":{"code":"echo hi"}}',
      '</tool_call',
      '>tail',
    ],
    [...`a<<tool_call>{"name":"execute_bash","arguments":{"code":"echo hi"}}</tool_call>tail`],
  ])('finds a block however the stream is cut', async (...pieces) => {
    model.answer = (_request, number) => (number === 1 ? pieces : 'end')
    const text = textOf(await box.exchange('agr', run({ stream: true })))
    expect(text).toMatch(/^a?<\n<tool_response>\nhi\n\n<\/tool_response>\ntailend$/)
  })

  it.each([
    '<tool_calls>',
    '</tool_call>',
    '< task>',
    '<Task>',
    '<b>',
    'a < b',
    '<tool_call>{',
    '<task>',
  ])('forwards %s as text', async (text) => {
    model.answer = () => [...text]
    const packets = await box.exchange('agr', run({ stream: true }))
    expect(textOf(packets)).toBe(text)
    expect(packets.at(-1)).toMatchObject({ iterations: 1 })
  })

  it('sends the result while the model stream is still open', async () => {
    let finish = () => {}
    model.answer = (_request, number) =>
      number > 1
        ? 'end'
        : streaming((to) => {
            to.write(delta(`before ${call('echo now')}held`))
            finish = () => to.end(delta(' after') + ending)
          })
    const caller = await Caller.open(box.socket('agr'))
    caller.send(run({ stream: true }))
    let text = ''
    while (!text.includes('held')) text += String((await caller.next())?.delta)
    expect(text).toBe(`before ${response('now\n')}held`)
    finish()
    expect(textOf(await caller.answer())).toBe(' afterend')
  })

  it('stops the execution and the model request when the caller disconnects', async () => {
    const mark = box.at('tmp', 'was-here')
    say(call(`sleep 2; touch ${mark}`))
    const caller = await Caller.open(box.socket('agr'))
    caller.send(run({ stream: true }))
    await until(() => model.requests.length === 1)
    await until(() => box.processes().length > 3)
    caller.socket.destroy()
    await until(() => box.processes().length === 3, 2000)
    expect(existsSync(mark)).toBe(false)
    expect(model.requests).toHaveLength(1)
  })
})
