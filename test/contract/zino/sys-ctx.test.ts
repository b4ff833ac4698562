// sys and ctx of the built program.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SandboxOptions } from './sandbox.ts'
import { Sandbox, shellSkill, until } from './sandbox.ts'

let box: Sandbox | undefined
beforeEach(() => {
  box = undefined
})
afterEach(() => box?.remove())

function sandbox(options: SandboxOptions = {}): Sandbox {
  box = new Sandbox(options)
  return box
}

const prompt = async (zino: Sandbox, request: object = { type: 'get' }) => {
  const packet = await zino.ask('sys', request)
  expect(packet.type).toBe('system_prompt')
  return String(packet.content)
}

describe('sys', () => {
  it('fills all placeholders literally, in one pass', async () => {
    const personality = "$& $1 $' %%TOOL_LIST%% \\n"
    const zino = sandbox({ over: { sys: { personality, soft_memory: 'soft' } } })
    zino.put('tools/python.json', { meta: { executor: 'python3' } })
    zino.put('tools/zsh.json', {})
    zino.put('tools/also-bash.json', { meta: { executor: 'bash', file_extension: '.x' } })
    zino.put('skills/plain.json', { meta: {} })
    zino.put('SYSTEM.md', `%%UNKNOWN%% ${await templateOf(zino)}%%MAX_ITERATIONS%%`)
    await zino.serve('sys')
    expect(await prompt(zino)).toBe(
      [
        `%%UNKNOWN%% PERSONALITY[${personality}]`,
        '  - "execute_bash": bash executor',
        '  - "execute_python3": python3 executor',
        '  - "execute_zsh": zsh executor',
        '  - "plain": unknown executor, static analysis: none',
        '  - "shell": bash executor, static analysis: shellcheck',
        'MAX=4',
        'SOFT{soft}4',
      ].join('\n'),
    )
  })

  it('uses the limit of [agr] when [agent] has none, else five', async () => {
    const zino = sandbox({
      over: { agent: { max_iterations: undefined }, agr: { max_iterations: 9 } },
    })
    await zino.serve('sys')
    expect(await prompt(zino)).toContain('MAX=9')
    await zino.remove()
    const plain = sandbox({ over: { agent: { max_iterations: undefined } } })
    await plain.serve('sys')
    expect(await prompt(plain)).toContain('MAX=5')
  })

  it('caches the prompt until a reload, which keeps the soft memory', async () => {
    const zino = sandbox()
    await zino.serve('sys')
    expect(await prompt(zino, { type: 'set_soft_memory', content: 'kept' })).toContain('SOFT{kept}')
    zino.put('tools/node.json', { meta: { executor: 'node' } })
    zino.put('SYSTEM.md', 'NEW %%TOOL_LIST%% {%%SOFT_MEMORIES%%}')
    expect(await prompt(zino)).toContain('PERSONALITY')
    const set = await prompt(zino, { type: 'set_soft_memory', content: 'more' })
    expect(set).toBe('NEW   - "execute_bash": bash executor {more}')
    const reloaded = await prompt(zino, { type: 'reload' })
    expect(reloaded).toContain('"execute_node"')
    expect(reloaded).toContain('{more}')
    expect(await prompt(zino)).toBe(reloaded)
  })

  it('shows "(none loaded)" without definitions and an empty prompt without a template', async () => {
    const zino = sandbox({ over: { tools: { dir: 'none' }, skills: { dir: 'none' } } })
    const [running] = await zino.serve('sys')
    expect(await prompt(zino)).toContain(']\n  (none loaded)\n  (none loaded)\n')
    expect(running?.stderr).toMatch(/^zino\.sys WARNING .*none/m)
    await zino.remove()
    const bare = sandbox({ over: { sys: { template: 'absent.md' } } })
    await bare.serve('sys')
    expect(await prompt(bare)).toBe('')
  })
})

describe('ctx', () => {
  const examples = shellSkill.fabricator.slice(1)
  const chat = (user: string, assistant: string) => [
    { role: 'user', content: user },
    { role: 'assistant', content: assistant },
  ]
  const build = async (zino: Sandbox, request: object) => {
    const packet = await zino.ask('ctx', { type: 'build', ...request })
    expect(packet.type).toBe('context')
    return packet.messages
  }

  it('orders examples, hard memories and the newest history', async () => {
    const zino = sandbox({ over: { ctx: { history_limit: 3, hard_memory_top_k: 1 } } })
    await zino.serve('mem', 'ctx')
    await zino.ask('mem', { type: 'store_hard', messages: chat('walrus word', 'tusk') })
    await zino.ask('mem', { type: 'store_hard', messages: chat('dinner', 'soup') })
    for (const n of [1, 2]) {
      const messages = chat(`q${n}`, `a${n}`)
      await zino.ask('mem', { type: 'append_history', channel_id: 'c', messages })
    }
    expect(await build(zino, { channel_id: 'c', user_message: 'the walrus?' })).toEqual([
      ...examples,
      ...chat('walrus word', 'tusk'),
      { role: 'assistant', content: 'a1' },
      ...chat('q2', 'a2'),
    ])
    for (const channel_id of [undefined, null, '']) {
      expect(await build(zino, { channel_id, user_message: ' ' })).toEqual(examples)
    }
  })

  it('returns the examples without mem, and uses mem as soon as it is up', async () => {
    const zino = sandbox()
    await zino.serve('ctx')
    const request = { channel_id: 'c', user_message: 'x' }
    expect(await build(zino, request)).toEqual(examples)
    await zino.serve('mem')
    await zino.ask('mem', { type: 'append_history', channel_id: 'c', messages: chat('q', 'a') })
    expect(await build(zino, request)).toEqual([...examples, ...chat('q', 'a')])
  })

  it('omits the parts that the configuration disables', async () => {
    const zino = sandbox({ over: { ctx: { inject_skill_examples: false, inject_history: false } } })
    await zino.serve('mem', 'ctx')
    await zino.ask('mem', { type: 'append_history', channel_id: 'c', messages: chat('q', 'a') })
    expect(await build(zino, { channel_id: 'c', user_message: '' })).toEqual([])
  })

  it('reloads the skills on SIGHUP', async () => {
    const zino = sandbox()
    const [running] = await zino.serve('ctx')
    zino.put('skills/a-new.json', { fabricator: chat('new', 'yes') })
    expect(await build(zino, { user_message: '' })).toEqual(examples)
    running?.child.kill('SIGHUP')
    await until(async () => {
      const messages = await build(zino, { user_message: '' })
      return (messages as object[]).length === examples.length + 2
    })
  })
})

async function templateOf(zino: Sandbox): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  return readFile(zino.at('SYSTEM.md'), 'utf8')
}
