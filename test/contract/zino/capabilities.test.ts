// Capabilities and approvals of the built program: one running zino, one fake model.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FakeOpenAi } from '../../support/fake-openai.ts'
import { fakeOpenAi } from '../../support/fake-openai.ts'
import { Sandbox, until } from './sandbox.ts'

let model: FakeOpenAi
let box: Sandbox
beforeAll(async () => {
  model = await fakeOpenAi()
  box = new Sandbox({
    base: model.base,
    over: {
      exc: { approve_timeout: 20 },
      'channels.ops': { approve: 'ask' },
      'channels.files': { allow: undefined },
      'channels.files.allow': { paths: ['granted'] },
    },
  })
  for (const name of ['granted', 'other']) mkdirSync(box.at(name))
  box.put('other/secret.txt', 'the hidden text')
  await box.up()
}, 60_000)
afterAll(async () => {
  await box.remove()
  await model.close()
})

/** Makes the model run the code, then say `end`. */
function modelRuns(code: string): void {
  model.requests.length = 0
  const call = { name: 'execute_bash', arguments: { code } }
  model.answer = (_request, number) =>
    number === 1 ? `<tool_call>${JSON.stringify(call)}</tool_call>` : 'end'
}

async function say(request: object): Promise<string> {
  const packets = await box.exchange('daemon', { message: 'go', stream: true, ...request })
  return JSON.stringify(packets)
}

it('a script uses the paths of its channel and no others; a refusal names the rule', async () => {
  modelRuns(`cat ${box.at('other/secret.txt')}; echo kept > ${box.at('granted/a.txt')}`)
  const answer = await say({ channel_id: 'files' })
  expect(answer).not.toContain('the hidden text')
  expect(answer).toContain('[allow.paths]')
  expect(readFileSync(box.at('granted/a.txt'), 'utf8')).toBe('kept\n')
  modelRuns(`echo x > ${box.at('other/new.txt')}`)
  expect(await say({ channel_id: 'files' })).toContain('[allow.paths]')
  expect(existsSync(box.at('other/new.txt'))).toBe(false)
})

it('a turn without hosts reaches no server, and the refusal names the rule', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  modelRuns(`echo hi > /dev/tcp/127.0.0.1/${port}`)
  expect(await say({ allow: { hosts: [] } })).toContain('[allow.hosts]')
  expect(connections).toBe(0)
  await new Promise((resolve) => server.close(resolve))
})

it('a tool that the turn does not name is a tool error that names the rule', async () => {
  modelRuns(`touch ${box.at('ran')}`)
  const answer = await say({ allow: { tools: ['python3'] } })
  expect(answer).toContain('[allow.tools]')
  expect(answer).toContain('end')
  expect(existsSync(box.at('ran'))).toBe(false)
})

it('a turn that has used its tokens or its time ends with the rule', async () => {
  modelRuns('true')
  expect(await say({ allow: { tokens: 5 } })).toMatch(/"type":"error".*\[allow\.tokens\]/)
  expect(model.requests).toHaveLength(0)
  const past = await say({ allow: { until: '2020-01-01' } })
  expect(past).toMatch(/"type":"error".*\[allow\.until\]/)
})

it('an allow with an unknown key or a wrong type is refused', async () => {
  for (const allow of [{ path: [] }, { tools: 'bash' }, { tokens: -1 }, { until: 'soon' }, 5]) {
    expect(await say({ allow })).toContain('"type":"error"')
  }
})

it('a script of a limited turn reaches no service of zino', async () => {
  modelRuns(`ls ${box.at('r')}; test -S ${box.socket('exc')} && echo REACHED; echo over`)
  const answer = await say({ allow: { tools: ['bash'] } })
  expect(answer).toContain('over')
  expect(answer).not.toContain('REACHED')
  expect(answer).not.toContain('exc.sock')
})

async function waitingId(): Promise<string> {
  let id = ''
  await until(async () => {
    const { approvals } = await box.ask('daemon', { type: 'approvals' })
    id = String((approvals as { id: string }[])[0]?.id ?? '')
    return id !== ''
  })
  return id
}

it('zino approve lists, allows and denies calls of a channel that asks', async () => {
  expect(await box.zino(['approve'])).toMatchObject({
    code: 0,
    stdout: 'no calls wait for approval\n',
  })
  modelRuns(`echo ran > ${box.at('approved')}`)
  const allowed = say({ channel_id: 'ops', approvals: true })
  const first = await waitingId()
  expect(existsSync(box.at('approved'))).toBe(false)
  const listed = await box.zino(['approve', '--json'])
  expect(JSON.parse(listed.stdout)).toMatchObject({
    approvals: [{ id: first, channel: 'ops', tool: 'execute_bash', executor: 'bash' }],
  })
  expect(await box.zino(['approve', first])).toMatchObject({
    code: 0,
    stdout: `approved ${first}\n`,
  })
  expect(await allowed).toContain('"type":"approval"')
  expect(readFileSync(box.at('approved'), 'utf8')).toBe('ran\n')

  modelRuns(`touch ${box.at('denied')}`)
  const denied = say({ channel_id: 'ops' })
  const second = await waitingId()
  expect(await box.zino(['approve', second, '--deny'])).toMatchObject({ code: 0 })
  const answer = await denied
  expect(answer).toContain('[approve] the user has denied this call')
  expect(answer).not.toContain('"type":"approval"')
  expect(existsSync(box.at('denied'))).toBe(false)
  const unknown = await box.zino(['approve', second])
  expect(unknown).toMatchObject({
    code: 1,
    stderr: `zino: no call ${second} waits for approval\n`,
  })
})
