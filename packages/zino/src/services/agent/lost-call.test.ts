import { mkdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { lastOf } from '../../../test/caller.ts'
import { bashSkill, bashTool, contextIn, put } from '../../../test/config.ts'
import { serveHere, standIn } from '../../../test/host.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import type { RunningService } from '../../service/service.ts'
import { readRunRecords, runFileOf, type RunRecords, turnsFolder } from '../../turns/turns.ts'
import type { Message } from '../../wire/wire.ts'
import type { Definitions } from '../../definitions/definitions.ts'
import { loadSkills, loadTools } from '../../definitions/definitions.ts'
import { replayRun, startAgent } from './agent.ts'

it('a call that was sent to exc waits for its result when exc is gone', async () => {
  const folder = tempFolder()
  put(folder, 'tools/bash.json', bashTool)
  const { config, ...context } = contextIn(folder)
  mkdirSync(turnsFolder(config), { recursive: true })
  const code = JSON.stringify({ name: 'execute_bash', arguments: { code: 'x' } })
  const asked: Message[] = []
  const answers = [`a<tool_call>${code}</tool_call>`, 'end']
  await standIn(
    { infer: (message) => ({ type: 'response', content: answers[asked.push(message) - 1] }) },
    config.rtr.socket,
  )
  await serveHere(startAgent({ ...context, config }), config.agr.socket)
  const run = () =>
    lastOf(config.agr.socket, {
      type: 'run',
      messages: [{ role: 'user', content: 'go' }],
      turn: 'turn-1',
    })
  let exc: RunningService | undefined
  const stops = async () => {
    await exc?.stop()
    return { type: 'ok' }
  }
  exc = await standIn({ execute: stops }, config.exc.socket)
  expect(await run()).toMatchObject({ type: 'error', code: 'interrupted' })
  const result = { type: 'result', exit_code: 0, stdout: 'ran once', stderr: '' }
  const executed: Message[] = []
  await standIn({ execute: (message) => (executed.push(message), result) }, config.exc.socket)
  expect(await run()).toMatchObject({ type: 'result', content: 'end', iterations: 2 })
  expect(executed).toMatchObject([{ turn: 'turn-1', call: 0 }])
  expect(JSON.stringify(asked[1]?.messages)).toContain('ran once')
  expect(asked).toHaveLength(2)
})

it('a skill whose rtr is gone in mid-answer is finished by the resumed turn', async () => {
  const folder = tempFolder()
  put(folder, 'tools/bash.json', bashTool)
  put(folder, 'skills/bash.json', bashSkill)
  const { config, ...context } = contextIn(folder)
  mkdirSync(turnsFolder(config), { recursive: true })
  await serveHere(startAgent({ ...context, config }), config.agr.socket)
  const result = { type: 'result', exit_code: 0, stdout: 'ran once', stderr: '' }
  await standIn({ execute: () => result }, config.exc.socket)
  const task = `<task>${JSON.stringify({ skill: 'bash', request: 'count' })}</task>`
  let rtr: RunningService | undefined
  let asked = 0
  const infer = async () => {
    asked += 1
    // It ends while it is asked as the fabricator.
    if (asked === 3) await rtr?.stop()
    return { type: 'response', content: asked === 1 ? task : 'draft' }
  }
  rtr = await standIn({ infer }, config.rtr.socket)
  const run = () =>
    lastOf(config.agr.socket, {
      type: 'run',
      messages: [{ role: 'user', content: 'go' }],
      turn: 'turn-1',
    })
  expect(await run()).toMatchObject({ type: 'error', code: 'interrupted' })
  const answers = ['draft', 'code', 'end']
  await standIn(
    { infer: () => ({ type: 'response', content: answers.shift() }) },
    config.rtr.socket,
  )
  expect(await run()).toMatchObject({ type: 'result', content: 'end' })
  const records = readRunRecords(runFileOf(turnsFolder(config), 'turn-1')) as RunRecords
  const definitions: Definitions = {
    tools: loadTools(config.tools.dir, context.log),
    skills: loadSkills(config.skills.dir, context.log),
    servers: [],
    subAgentIterations: 5,
  }
  expect(await replayRun(records, definitions, [])).toEqual([])
})
