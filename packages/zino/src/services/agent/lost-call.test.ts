import { mkdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { lastOf } from '../../../test/caller.ts'
import { bashTool, contextIn, put } from '../../../test/config.ts'
import { serveHere, standIn } from '../../../test/host.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import type { RunningService } from '../../service/service.ts'
import { turnsFolder } from '../../turns/turns.ts'
import type { Message } from '../../wire/wire.ts'
import { startAgent } from './agent.ts'

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
