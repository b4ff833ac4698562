// Limits of one answer and of one read.
import { once } from 'node:events'
import { ftruncateSync, openSync, closeSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import {
  answer,
  messageStart,
  openStream,
  say,
  textDelta,
  textStart,
} from '../../support/fake-anthropic.ts'
import { until } from './sandbox.ts'
import { inTurn, withServer } from './with-server.ts'

const at = withServer()

it('an answer that takes longer than answer_timeout_secs is an error with a receipt', async () => {
  at.box.config('answer_timeout_secs = 1\n')
  at.respond = (_request, response) => {
    openStream(response)
    response.write(messageStart() + textStart() + textDelta('half'))
  }
  const ran = await at.box.exec('hi', '--session', 's')
  expect(ran.code).toBe(1)
  expect(ran.stderr).toContain('took more than 1 seconds (answer_timeout_secs)')
  expect(at.box.session('s').at(-1)).toMatchObject({ type: 'receipt', stop: 'error' })
})

it('Ctrl+C ends a turn whose model asks for failing tools again and again', async () => {
  const calls = Array.from({ length: 128 }, (_, index) => ({
    tool: 'read',
    input: { path: `missing-${index}` },
  }))
  at.respond = answer(...calls)
  const zdx = at.box.start(['exec', '-p', 'hi', '--session', 's'])
  const ended = once(zdx, 'exit')
  zdx.stderr?.resume()
  await until(() => at.server.requests.length > 5)
  zdx.kill('SIGINT')
  expect(await ended).toEqual([130, null])
  expect(at.box.session('s').map(({ type }) => type)).toContain('interrupted')
})

it('reading one line of a huge sparse file ends with a result or at the time limit', async () => {
  at.box.config('tool_timeout_secs = 1\n')
  const file = openSync(path.join(at.box.root, 'huge'), 'w')
  ftruncateSync(file, 2 ** 40)
  closeSync(file)
  at.respond = inTurn(
    answer({ tool: 'read', input: { path: 'huge', offset: 1, limit: 1 } }),
    say('done'),
  )
  const ran = await at.box.exec('go')
  expect(ran).toMatchObject({ code: 0, stdout: 'done\n' })
  expect(at.server.requests[1]?.raw).toMatch(/timed out after 1 seconds|start_line/)
})
