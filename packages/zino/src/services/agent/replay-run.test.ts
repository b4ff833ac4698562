import path from 'node:path'
import { ZeeError } from '@zee/core/errors'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tempFolder } from '../../../test/temp-folder.ts'
import type { Allow } from '../../allow/allow.ts'
import { notAllowedCode } from '../../client/client.ts'
import type { Definitions, Skill, Tool } from '../../definitions/definitions.ts'
import { readRunRecords } from '../../turns/turns.ts'
import type { Backends } from './backends.ts'
import { runLoop } from './loop.ts'
import { hashPrompt } from './message-hash.ts'
import { replayRun } from './replay-run.ts'
import { RunJournal } from './run-journal.ts'

/** `npm run test:long` raises it. */
const rounds = Number(process.env.ZEE_ROUNDS ?? 40)
const bash: Tool = { executor: 'bash', fileExtension: '.sh', staticAnalysis: undefined }
const skill: Skill = {
  name: 'shell',
  executor: 'bash',
  staticAnalysis: undefined,
  interpreter: [{ role: 'system', content: 'I' }],
  fabricator: [{ role: 'system', content: 'F' }],
  allows: [],
} as unknown as Skill
const helper: Skill = {
  ...skill,
  name: 'helper',
  agent: { system: 'S', tools: ['bash'], examples: [], description: '' },
} as unknown as Skill
const definitions: Definitions = {
  tools: new Map([['bash', bash]]),
  skills: new Map([
    ['shell', skill],
    ['helper', helper],
  ]),
  servers: [],
  subAgentIterations: 5,
}
const call = (code: string, name = 'execute_bash') =>
  `<tool_call>${JSON.stringify({ name, arguments: { code } })}</tool_call>`
const task = (request: string, name = 'shell') =>
  `<task>${JSON.stringify({ skill: name, request })}</task>`

interface Plan {
  answers: readonly string[]
  /** The model fails, or a limit refuses it, after the last answer. */
  end: 'answer' | 'failure' | 'limit'
  allows: readonly Allow[]
  stream: boolean
}

function backendsOf({ answers, end }: Plan): Backends {
  const rest = [...answers]
  let executions = 0
  let helps = 0
  return {
    infer: (_messages, _stream, purpose) => {
      if (purpose === 'sub_agent') helps += 1
      if (helps % 7 === 6) {
        helps += 1
        throw new ZeeError('model_failed', 'the model is away')
      }
      // Every second answer of a sub-agent has calls; some of them are refused.
      const calls = `${call('ls')} and ${call('x', 'execute_none')} ${call('pwd')}`
      const helped = helps % 2 === 1 ? `helping ${calls}` : 'helped'
      const skilled = purpose === 'sub_agent' ? helped : `${purpose} text`
      const text = purpose === 'answer' ? rest.shift() : skilled
      const facts = () => ({ truncated: false, tokens: undefined, model: 'm', provider: 'p' })
      async function* pieces(): AsyncGenerator<string> {
        if (text !== undefined) yield* text.match(/[^]{1,9}/g) ?? []
        else if (end === 'limit') throw new ZeeError(notAllowedCode, '[allow.tokens] used up')
        else if (end === 'failure') throw new ZeeError('model_failed', 'gone')
        else yield 'the end'
      }
      return { text: pieces(), facts }
    },
    execute: async ({ code }) => {
      executions += 1
      if (executions % 5 === 0) throw new Error('exc is away')
      return { type: 'result', exit_code: executions % 2, stdout: `ran ${code}`, stderr: '' }
    },
  }
}

async function record(plan: Plan, file: string): Promise<void> {
  const messages = [{ role: 'user', content: 'go' }]
  const journal = new RunJournal(file, () => hashPrompt(messages))
  const idle = async () => {}
  await runLoop({
    ...{ messages, maxIterations: 4, definitions, journal },
    stream: plan.stream,
    backends: backendsOf(plan),
    allows: plan.allows,
    signal: new AbortController().signal,
    onText: idle,
    events: { onStart: idle, onDone: idle },
  }).catch(() => journal.fail())
  journal.close()
}

const piece = fc.oneof(
  fc.string(),
  fc.string().map((code) => call(code)),
  fc.string().map((code) => call(code, 'execute_none')),
  fc.string().map((request) => task(request)),
  fc.string().map((request) => task(request, 'helper')),
  fc.constantFrom(
    '<tool_call>{',
    '</task>',
    '<task>[]</task>',
    '<tool_call>{"name":5}</tool_call>',
  ),
)
const plans = fc.record({
  answers: fc.array(
    fc.array(piece, { maxLength: 4 }).map((parts) => parts.join('')),
    { maxLength: 5 },
  ),
  end: fc.constantFrom('answer' as const, 'failure' as const, 'limit' as const),
  allows: fc.constantFrom([], [{ tools: ['bash'] }], [{ tools: [] }]),
  stream: fc.boolean(),
})

it('a recorded run replays without differences', async () => {
  const folder = tempFolder()
  let number = 0
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const file = path.join(folder, `${(number += 1)}.jsonl`)
      await record(plan, file)
      const records = readRunRecords(file)
      expect(records).toBeDefined()
      if (records !== undefined) {
        expect(await replayRun(records, definitions, plan.allows)).toEqual([])
      }
    }),
    { numRuns: rounds },
  )
})

it('differences in context, calls and text are reported', async () => {
  const file = path.join(tempFolder(), 'run.jsonl')
  const answers = [`look ${call('ls')} then`, `and ${task('count')}`, 'all done']
  await record({ answers, end: 'answer', allows: [], stream: false }, file)
  const kinds = async (
    change: (records: NonNullable<ReturnType<typeof readRunRecords>>) => void,
  ) => {
    const records = readRunRecords(file)
    if (records === undefined) throw new Error('no records')
    change(records)
    return new Set((await replayRun(records, definitions, [])).map((each) => each.in))
  }
  expect(await kinds(() => {})).toEqual(new Set())
  expect(
    await kinds(({ calls }) => {
      Object.assign(calls[0] ?? {}, { result: 'something else' })
    }),
  ).toContain('context')
  expect(
    await kinds(({ inferences }) => {
      Object.assign(inferences[0] ?? {}, { text: `look ${call('rm -rf x')} then` })
    }),
  ).toContain('calls')
  expect(
    await kinds(({ end }) => {
      Object.assign(end ?? {}, { transcript: 'another answer' })
    }),
  ).toContain('text')
  const without = { ...definitions, tools: new Map() }
  const records = readRunRecords(file)
  if (records === undefined) throw new Error('no records')
  expect(await replayRun(records, without, [])).not.toEqual([])
})

it('replay compares the scripts of sub-agents', async () => {
  const file = path.join(tempFolder(), 'run.jsonl')
  await record(
    { answers: [task('look', 'helper'), 'done'], end: 'answer', allows: [], stream: false },
    file,
  )
  const records = readRunRecords(file)
  if (records === undefined) throw new Error('no records')
  const { executions, results } = records.calls[0]?.steps?.[0] ?? {}
  expect(executions).toMatchObject([
    ...[{ executor: 'bash', code: 'ls' }, undefined, { code: 'pwd' }],
  ])
  expect(results).toHaveLength(3)
  expect(await replayRun(records, definitions, [])).toEqual([])
  Object.assign(executions?.[0] ?? {}, { code: 'rm -rf /' })
  expect(await replayRun(records, definitions, [])).toEqual([
    { in: 'calls', text: 'call 0, in its sub-agent: another script would run' },
  ])
})
