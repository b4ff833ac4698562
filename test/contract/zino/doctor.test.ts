// `zino doctor` of the built program: each check alone, with and without running services.
import { mkdirSync, utimesSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FakeOpenAi } from '../../support/fake-openai.ts'
import { fakeOpenAi, status } from '../../support/fake-openai.ts'
import { Sandbox } from './sandbox.ts'

let model: FakeOpenAi
let box: Sandbox
beforeAll(async () => {
  model = await fakeOpenAi(() => 'OK')
  box = new Sandbox({ base: model.base, over: { mem: { data_dir: 'data' } } })
})
afterAll(async () => {
  await box.remove()
  await model.close()
})

interface Check {
  id: string
  status: string
  message: string
  advice?: string
}

async function doctor(...args: string[]) {
  const ran = await box.zino(['doctor', '--json', '--config', box.config, ...args])
  const { ok, checks } = JSON.parse(ran.stdout) as { ok: boolean; checks: Check[] }
  return { code: ran.code, ok, checks: new Map(checks.map((check) => [check.id, check])) }
}

const ids = ['config', 'model', 'sockets', 'sandbox', 'disk', 'clock', 'memory']

describe('zino doctor', () => {
  it('asks the model itself while zino is down, and says how to start zino', async () => {
    const { code, ok, checks } = await doctor()
    expect([...checks.keys()]).toEqual(ids)
    expect({ code, ok }).toEqual({ code: 1, ok: false })
    expect(checks.get('model')).toMatchObject({ status: 'ok' })
    expect(model.requests).toHaveLength(1)
    expect(checks.get('sockets')).toMatchObject({
      status: 'blocked',
      message: expect.stringContaining('daemon, rtr'),
      advice: expect.stringContaining('zino up'),
    })
  })

  it('names a damaged memory file, a slow clock and a model that fails', async () => {
    mkdirSync(box.at('data/channels'), { recursive: true })
    box.put('data/hard_memories.json', '[\n  {"messages": [')
    box.put('data/channels/a.json', '[\n  {"role":"user","content":"x"}\n]\n')
    const later = Date.now() / 1000 + 86_400
    utimesSync(box.at('data/channels'), later, later)
    const before = model.answer
    model.answer = () => status(401, 'wrong key')
    const { checks } = await doctor()
    model.answer = before
    expect(checks.get('memory')).toMatchObject({
      status: 'blocked',
      message: expect.stringMatching(/damaged.*hard_memories\.json/),
    })
    expect(checks.get('clock')).toMatchObject({ status: 'todo' })
    expect(checks.get('model')).toMatchObject({
      status: 'blocked',
      message: expect.stringContaining('wrong key'),
    })
    expect(JSON.stringify([...checks.values()])).not.toContain('sk-contract')
    box.put('data/hard_memories.json', '[]')
  })

  it('exits 0 with a line per check when everything works', async () => {
    const now = Date.now() / 1000
    utimesSync(box.at('data/channels'), now, now)
    await box.up()
    const ran = await box.zino(['doctor', '--config', box.config])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    const lines = ran.stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.split(/ +/)[1])).toEqual(ids)
    for (const line of lines) expect(line).toMatch(/^ok {7}/)
  })

  it('says what is wrong with the configuration', async () => {
    const broken = box.put('broken.toml', '[exc]\ntimeout = "soon"\n')
    const ran = await box.zino(['doctor', '--config', broken])
    expect(ran.code).toBe(1)
    expect(ran.stdout).toMatch(/^blocked {2}config {2}.*broken\.toml:2.*timeout/)
    const missing = await box.zino(['doctor', '--config', box.at('none.toml')])
    expect(missing).toMatchObject({ code: 1, stdout: expect.stringContaining('none.toml') })
  })
})
