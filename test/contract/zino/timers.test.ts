// Timers and the inbox of the built program: on-demand start, turns, crashes, missed jobs, notify.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FakeOpenAi } from '../../support/fake-openai.ts'
import { delta, ending, fakeOpenAi, streaming } from '../../support/fake-openai.ts'
import type { Running } from './sandbox.ts'
import { Sandbox, until } from './sandbox.ts'

interface Entry {
  id: number
  text: string
  late: boolean
}

let model: FakeOpenAi
let box: Sandbox
let up: Running
beforeAll(async () => {
  model = await fakeOpenAi()
  model.answer = ({ body }) => `heard ${body.messages.at(-1)?.content}`
  box = new Sandbox({ base: model.base, over: { inbox: { notify: 'cat >> notified' } } })
  box.env.TZ = 'America/New_York'
  up = await box.up()
})
afterAll(async () => {
  await box.remove()
  await model.close()
})

const eventually = (condition: () => boolean | Promise<boolean>) => until(condition, 30_000)
const zino = async (...args: string[]) => {
  const ran = await box.zino([...args, '--config', box.config])
  expect(ran.code, `zino ${args.join(' ')}: ${ran.stderr}`).toBe(0)
  return ran.stdout
}
const json = async (...args: string[]) => JSON.parse(await zino(...args, '--json')) as unknown
const add = async (...args: string[]) => (await json(...args)) as { id: string; next: string }
const entries = async () => (await box.ask('tmr', { type: 'inbox' })).entries as Entry[]
const entryWith = async (text: string) => {
  const found = (await entries()).filter((entry) => entry.text.includes(text))
  expect(found.length).toBeLessThan(2)
  return found[0]
}
/** The process that `zino up` runs for tmr. */
const timerPid = () => box.processes().find((pid) => commandLine(pid).includes('tmr'))
const commandLine = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

describe('zino timers', () => {
  it('start tmr when it is needed, and not before', async () => {
    expect(await box.answers('tmr')).toBe(false)
    expect((await json('status')) as object).toMatchObject({ services: { length: 7 } })
    expect(await zino('timers')).toBe('no timers\n')
    expect(await zino('inbox')).toBe('the inbox is empty\n')
    expect(await box.answers('tmr')).toBe(true)
    expect((await json('status')) as object).toMatchObject({ services: { length: 8 } })
  })

  it('list a reminder in the zone of the caller, and run it on request', async () => {
    const out = await zino('remind', '2031-07-01 9:00', 'water', 'the', 'ficus')
    expect(out).toMatch(/^[0-9a-f]{6}: 2031-07-01 09:00 \(America\/New_York\)\n$/)
    const id = out.slice(0, 6)
    const table = await zino('timers', 'list')
    expect(table).toMatch(/^id +state +next +when +channel +last run +text\n/)
    expect(table).toMatch(
      new RegExp(`^${id}  active +2031-07-01 09:00 America/New_York .*water the ficus$`, 'm'),
    )
    expect(await zino('timers', 'run', id)).toContain(`${id} is running`)
    await eventually(async () => (await entryWith('water the ficus')) !== undefined)
    await eventually(() => existsSync(box.at('notified')))
    await eventually(() => readFileSync(box.at('notified'), 'utf8') === 'water the ficus')
    expect(model.requests).toEqual([])
    expect(await zino('timers', 'pause', id)).toBe(`${id} paused\n`)
    expect(await zino('timers')).toMatch(new RegExp(`^${id}  paused +- `, 'm'))
    expect(await zino('timers', 'resume', id)).toContain(`${id} resumed: 2031-07-01 09:00`)
    expect(await zino('timers', 'remove', id)).toBe(`${id} removed\n`)
    const ran = await box.zino(['timers', 'pause', id, '--config', box.config])
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toBe(`zino: there is no timer "${id}" (see 'zino timers')\n`)
  })

  it('run a prompt as a turn in its channel, whose answer comes to the inbox', async () => {
    const { id } = await add('every', 'mon..fri 08:30', '--channel', 'ops', 'summarise the night')
    await zino('timers', 'run', id)
    await eventually(async () => (await entryWith('heard summarise the night')) !== undefined)
    const { messages } = await box.ask('mem', { type: 'get_history', channel_id: 'ops' })
    expect(messages).toMatchObject([
      { role: 'user', content: 'summarise the night' },
      { role: 'assistant', content: 'heard summarise the night' },
    ])
    const shown = await zino('inbox')
    expect(shown).toContain('every mon..fri 08:30, channel ops\n  > summarise the night\n')
    await zino('timers', 'remove', id)
  })

  it('hold the answer of a message that was sent in the background', async () => {
    expect(await zino('chat', '--background', 'count', 'the', 'logs')).toMatch(
      /^[0-9a-f]{6} is running; the answer comes to the inbox \(zino inbox\)\n$/,
    )
    await eventually(async () => (await entryWith('heard count the logs')) !== undefined)
    expect(await zino('inbox')).toMatch(
      / {2}background, channel background\n {2}> count the logs\n/,
    )
  })

  it('run nothing twice when tmr is killed in mid-turn and its time comes once', async () => {
    const before = model.requests.length
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    model.answer = () =>
      streaming(async (response) => {
        await released
        response.end(delta('looked') + ending)
      })
    await zino('every', '1 second', '--channel', 'crash', 'look once')
    await eventually(() => model.requests.length > before)
    process.kill(timerPid() as number, 'SIGKILL')
    await eventually(async () => (await box.answers('tmr')) && timerPid() !== undefined)
    const { timers } = await box.ask('tmr', { type: 'list_timers' })
    const [timer] = timers as { id: string; state: string }[]
    expect(timer).toMatchObject({ state: 'running' })
    await zino('timers', 'remove', timer?.id ?? '')
    release()
    await eventually(async () => (await entryWith('looked')) !== undefined)
    const { messages } = await box.ask('mem', { type: 'get_history', channel_id: 'crash' })
    expect(messages).toHaveLength(2)
    model.answer = ({ body }) => `heard ${body.messages.at(-1)?.content}`
  })

  it('deliver what was missed while zino was off once, late, after the next start', async () => {
    await up.stop()
    const due = new Date(Date.now() - 60_000).toISOString()
    const job = { id: '0a0a0a', kind: 'remind', when: '9:00', zone: 'UTC', text: 'missed reminder' }
    const event = { kind: 'job', job: { ...job, channel: '', created: due, next: due } }
    appendFileSync(box.at('data/mem/timers.jsonl'), `${JSON.stringify(event)}\n`)
    up = await box.up()
    await eventually(async () => (await entryWith('missed reminder')) !== undefined)
    expect(await zino('inbox')).toMatch(/ {2}reminder, late \(ran .*\)\n {2}missed reminder\n/)
    await up.stop()
    up = await box.up()
    expect(await entryWith('missed reminder')).toMatchObject({ late: true })
    const { id } = (await entryWith('missed reminder')) as Entry
    expect(await zino('inbox', 'remove', String(id))).toBe('removed 1\n')
    expect(await zino('inbox', 'clear', '--yes')).toMatch(/^removed \d+\n$/)
    expect(await zino('inbox')).toBe('the inbox is empty\n')
  })

  it('refuse an unknown time with the reason and examples, in one line', async () => {
    const wrong = [
      ['remind', 'whenever', 'x', "'whenever' is not known"],
      ['remind', '2001-01-01 9:00', 'x', 'is past'],
      ['remind', 'tomorrow 9:00', '', 'the text is empty'],
      ['every', 'mon..xyz 08:30', 'x', "'xyz' is not a weekday"],
    ] as const
    for (const [command, when, text, reason] of wrong) {
      const ran = await box.zino([command, when, text, '--config', box.config])
      expect(ran.code).not.toBe(0)
      expect(ran.stderr).toContain(reason)
      expect(ran.stderr.trimEnd().split('\n')).toHaveLength(1)
    }
  })

  it('hold up no other service when their file cannot be read', async () => {
    const other = new Sandbox({ base: model.base })
    try {
      other.put('data/mem/timers.jsonl/file', 'a folder in place of the file')
      expect((await other.up()).stdout).toContain('zino is up: all 7 services answer')
    } finally {
      await other.remove()
    }
  })

  it('take less than 10 MiB of memory when there are 10,000 of them', async () => {
    const other = new Sandbox()
    const start = async () => {
      const running = other.start(['tmr', '--config', other.config])
      await eventually(() => other.answers('tmr'))
      const status = readFileSync(`/proc/${running.child.pid}/status`, 'utf8')
      await running.stop()
      return { kibibytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]), log: running.stderr }
    }
    try {
      const without = await start()
      const created = new Date().toISOString()
      const lines = Array.from({ length: 10_000 }, (_, number) => {
        const next = new Date(Date.now() + 86_400_000 + number * 60_000).toISOString()
        const text = `reminder ${number}: read the report of the week and answer it`
        const spec = { kind: 'remind', when: `in ${number + 1440} minutes`, zone: 'Europe/Berlin' }
        const job = { id: number.toString(16).padStart(6, '0'), ...spec, text, channel: '' }
        return JSON.stringify({ kind: 'job', job: { ...job, created, next, paused: false } })
      })
      other.put('data/mem/timers.jsonl', `${lines.join('\n')}\n`)
      const withAll = await start()
      expect(withAll.log).toContain('10000 timers')
      expect(withAll.kibibytes - without.kibibytes).toBeLessThan(10 * 1024)
    } finally {
      await other.remove()
    }
  })
})
