import { mkdirSync } from 'node:fs'
import { openJournal } from '@zee/core/journal'
import { describe, expect, it } from 'vitest'
import { answerOf } from '../../../test/caller.ts'
import { bashTool, contextIn, put } from '../../../test/config.ts'
import { serveHere, standIn } from '../../../test/host.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import { runFileOf, turnsFolder } from '../../turns/turns.ts'
import type { Message } from '../../wire/wire.ts'
import { startAgent } from './agent.ts'

const call = (name: string, code: string) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: { code } })}\n</tool_call>`
const task = '<task>\n{"skill": "ops", "request": "check the disk"}\n</task>'

const skill = {
  meta: { description: 'looks after this machine' },
  system: 'You check machines.',
  tools: ['bash'],
  examples: [
    { role: 'user', content: 'an example' },
    { role: 'assistant', content: 'its answer' },
  ],
}

/** Starts agr with a scripted model and an exc that echoes the code. */
async function startIn(folder: string, answers: string[], agr = {}) {
  put(folder, 'tools/shell.json', bashTool)
  put(folder, 'tools/python3.json', { meta: { executor: 'python3' } })
  put(folder, 'skills/ops.json', skill)
  const context = contextIn(folder, { agr })
  const { config } = context
  const inferred: Message[] = []
  const executed: Message[] = []
  const infer = (message: Message) => {
    inferred.push(message)
    return { type: 'response', content: answers[inferred.length - 1] ?? 'no more' }
  }
  const execute = (message: Message) => {
    executed.push(message)
    return { type: 'result', exit_code: 0, stdout: `ran ${String(message.code)}`, stderr: '' }
  }
  await standIn({ infer }, config.rtr.socket)
  await standIn({ execute }, config.exc.socket)
  await serveHere(startAgent(context), config.agr.socket)
  const run = (more: object = {}) =>
    answerOf(config.agr.socket, {
      ...{ type: 'run', messages: [{ role: 'user', content: 'go' }], ...more },
    })
  return { run, config, inferred, executed }
}

const lastText = (message: Message | undefined): string => {
  const messages = (message?.messages ?? []) as Message[]
  return String(messages.at(-1)?.content)
}

describe('a task for a sub-agent', () => {
  it('runs a loop with its own prompt, examples and tools, and returns its answer', async () => {
    const answers = [task, call('execute_bash', 'df'), 'the disk is half full', 'all is well']
    const { run, inferred, executed } = await startIn(tempFolder(), answers)
    expect(await run()).toMatchObject([{ content: 'all is well', iterations: 2 }])
    expect(inferred[1]?.messages).toEqual([
      { role: 'system', content: skill.system },
      ...skill.examples,
      { role: 'user', content: 'check the disk' },
    ])
    expect(executed).toMatchObject([{ executor: 'bash', code: 'df' }])
    const results = inferred.map(({ messages }) => (messages as Message[]).at(-1)?.content)
    expect(results[2]).toContain('<tool_response>\nran df\n</tool_response>')
    expect(results[3]).toContain('<task_response>\nthe disk is half full\n</task_response>')
  })

  it('refuses tools that the skill does not list, and tasks of a sub-agent', async () => {
    const wrong = call('execute_python3', '1') + task + call('execute_bash', ' ')
    const { run, inferred, executed } = await startIn(tempFolder(), [task, wrong, 'ok', 'done'])
    await run()
    const told = lastText(inferred[2])
    expect(told).toContain("Error: Tool 'execute_python3' not allowed for this sub-agent.")
    expect(told).toContain('Error: A sub-agent cannot delegate tasks.')
    expect(told).toContain('Error: Empty code block.')
    expect(executed).toEqual([])
  })

  it('ends at the limit of iterations with what there is', async () => {
    const endless = call('execute_bash', 'again')
    const answers = [task, endless, endless, 'done']
    const agr = { max_iterations: 2 }
    const { run, inferred } = await startIn(tempFolder(), answers, agr)
    expect(await run()).toMatchObject([{ content: 'done' }])
    expect(inferred).toHaveLength(4)
  })

  it('continues after a crash without asking or running again', async () => {
    const { run, config, inferred, executed } = await startIn(tempFolder(), ['half full', 'done'])
    const folder = turnsFolder(config)
    mkdirSync(folder, { recursive: true })
    const journal = openJournal(runFileOf(folder, 'turn-1'))
    const content = task.slice('<task>'.length, -'</task>'.length)
    journal.append({ kind: 'call', call: { iteration: 1, lead: '', tag: 'task', content } })
    const twoCalls = call('execute_bash', 'one') + call('execute_bash', 'two')
    journal.append({ kind: 'step', number: 0, text: twoCalls })
    journal.append({ kind: 'step_result', number: 0, result: 'ran before' })
    journal.close()
    expect(await run({ turn: 'turn-1' })).toMatchObject([{ content: 'done' }])
    expect(executed).toMatchObject([{ code: 'two', turn: 'turn-1', call: 1_000_001 }])
    const told = lastText(inferred[0])
    expect(told).toMatch(/ran before[^]*ran two/)
  })
})
