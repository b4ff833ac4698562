import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerOf } from '../../../test/caller.ts'
import { contextIn, put } from '../../../test/config.ts'
import { serveHere } from '../../../test/host.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import { until } from '../../../test/until.ts'
import type { Service } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'
import { startMemory } from '../memory/memory.ts'
import type { Entry } from './test-parts.fixtures.ts'
import { startTimers } from './timers.ts'

const eventually = (condition: () => boolean | Promise<boolean>) => until(condition, 30_000)

type Over = Record<string, Record<string, unknown>>

async function startIn(folder: string, over: Over = {}) {
  const context = contextIn(folder, over, { PATH: process.env.PATH, LLM_API_KEY: 'sk-secret-1' })
  const { config, log } = context
  const running = await serveHere(await startTimers(context), config.tmr.socket)
  const ask = async (message: object) => (await answerOf(config.tmr.socket, message)).at(-1) ?? {}
  const timer = async (message: object) => (await ask(message)).timer as Message
  const entries = async () => (await ask({ type: 'inbox' })).entries as Entry[]
  return { ask, timer, entries, config, log, folder, stop: () => running.stop() }
}

/** A daemon that answers each message and remembers it. */
async function daemonAt(socket: string, reply: Service['untyped']): Promise<Message[]> {
  const seen: Message[] = []
  await serveHere(
    {
      handlers: new Map(),
      untyped: (message, exchange) => {
        seen.push(message)
        return reply?.(message, exchange)
      },
    },
    socket,
  )
  return seen
}

describe('tmr', () => {
  it('adds, lists, pauses, resumes, runs and removes a reminder', async () => {
    const { ask, timer, entries } = await startIn(tempFolder())
    const zone = 'America/New_York'
    const added = await timer({ type: 'remind', when: '2031-07-01 9:00', text: ' tea ', zone })
    expect(added).toMatchObject({
      ...{ kind: 'remind', text: 'tea', zone, state: 'active', channel: null, repeats: false },
      ...{ next: '2031-07-01T13:00:00Z', next_local: '2031-07-01 09:00' },
    })
    const { id } = added
    expect(await timer({ type: 'pause_timer', id })).toMatchObject({ state: 'paused', next: null })
    expect(await timer({ type: 'resume_timer', id })).toMatchObject({ state: 'active' })
    expect(await ask({ type: 'run_timer', id: String(id).slice(0, 5) })).toMatchObject({
      type: 'ok',
    })
    await eventually(async () => (await entries()).length === 1)
    expect(await entries()).toMatchObject([{ id: 1, text: 'tea', late: false }])
    const { timers } = await ask({ type: 'list_timers' })
    expect(timers).toMatchObject([{ id, next: '2031-07-01T13:00:00Z', last_run: { error: null } }])
    await ask({ type: 'remove_timer', id })
    expect(await ask({ type: 'list_timers' })).toEqual({ type: 'timers', timers: [] })
    expect(await ask({ type: 'remove_inbox', ids: [1] })).toEqual({ type: 'ok', removed: 1 })
    expect(await entries()).toEqual([])
  })

  it('sends a prompt to daemon with its channel, its turn and what it may do', async () => {
    const parts = await startIn(tempFolder())
    const seen = await daemonAt(parts.config.daemon.socket, async (_, exchange) => {
      await exchange.chunk('all ')
      return { type: 'done', full_text: 'all quiet', truncated: true }
    })
    const allow = { tools: ['bash'], paths: ['/tmp'], tokens: 500, until: '2030-01-01' }
    const { id } = await parts.timer({ type: 'every', when: 'daily', text: 'look', allow })
    const { turn } = await parts.ask({ type: 'run_timer', id })
    await eventually(async () => (await parts.entries()).length === 1)
    const end = '2030-01-01T23:59:59.999Z'
    expect(seen).toEqual([
      {
        message: 'look',
        channel_id: 'timers',
        stream: true,
        turn,
        allow: [{ ...allow, until: end }],
      },
    ])
    expect(await parts.entries()).toMatchObject([
      { text: 'all quiet', prompt: 'look', channel: 'timers', truncated: true, turn },
    ])
  })

  it('waits for a daemon that is down, and resumes the turn that it interrupted', async () => {
    const parts = await startIn(tempFolder())
    const { id } = await parts.timer({ type: 'every', when: 'daily', text: 'look' })
    await parts.ask({ type: 'run_timer', id })
    await eventually(() => parts.log.lines.some((line) => line.includes('is tried again')))
    let count = 0
    const seen = await daemonAt(parts.config.daemon.socket, () => {
      count += 1
      if (count > 1) return { type: 'done', full_text: 'found' }
      return { type: 'error', code: 'interrupted', message: 'agr was lost' }
    })
    await eventually(async () => (await parts.entries()).length === 1)
    expect(await parts.entries()).toMatchObject([{ text: 'found', failed: false }])
    expect(seen.map(({ turn }) => turn)).toEqual([seen[0]?.turn, seen[0]?.turn])
  })

  it('takes the answer of a turn from the history when daemon has forgotten it', async () => {
    const folder = tempFolder()
    const first = await startIn(folder)
    const seen = await daemonAt(first.config.daemon.socket, () => new Promise(() => {}))
    const { id } = await first.timer({ type: 'every', when: 'daily', text: 'look' })
    const { turn } = await first.ask({ type: 'run_timer', id })
    await eventually(() => seen.length === 1)
    await first.stop()
    await serveHere(startMemory(contextIn(folder)), first.config.mem.socket)
    const messages = [
      { role: 'user', content: 'look' },
      { role: 'assistant', content: 'from the history' },
    ]
    const append = { type: 'append_history', channel_id: 'timers', messages }
    await answerOf(first.config.mem.socket, { ...append, turn: 'another' })
    await answerOf(first.config.mem.socket, { ...append, turn })
    const second = await startIn(folder)
    await eventually(async () => (await second.entries()).length === 1)
    expect(await second.entries()).toMatchObject([{ text: 'from the history', turn }])
    expect(seen).toHaveLength(1)
  })

  it('does not start beside another tmr on the same data folder, and starts after its end', async () => {
    const folder = tempFolder()
    const first = await startIn(folder)
    await expect(startIn(folder)).rejects.toMatchObject({
      code: 'in_use',
      message: expect.stringContaining('another tmr uses'),
    })
    await first.stop()
    expect(await (await startIn(folder)).entries()).toEqual([])
  })

  const refused = [
    [{ type: 'remind', when: 'tomorrow 9:00', text: '  ' }, 'the text is empty'],
    [{ type: 'remind', when: 'tomorrow 9:00' }, 'text is required'],
    [{ type: 'remind', text: 'x' }, 'when is required'],
    [{ type: 'remind', when: 5, text: 'x' }, 'when must be text'],
    [{ type: 'every', when: 'mon..xyz 8:00', text: 'x' }, "'xyz' is not a weekday"],
    [{ type: 'remind', when: '9:00', text: 'x', zone: 'Mars/A' }, 'there is no time zone "Mars/A"'],
    [{ type: 'every', when: 'daily', text: 'x', allow: { tool: [] } }, 'allow.tool is not known'],
    [
      { type: 'every', when: 'daily', text: 'x', allow: { tools: 5 } },
      'allow.tools must be a list',
    ],
    [
      { type: 'every', when: 'daily', text: 'x', allow: { until: 'x' } },
      'allow.until must be a date',
    ],
    [{ type: 'pause_timer', id: '__proto__' }, 'there is no timer "__proto__"'],
    [{ type: 'run_timer', id: '' }, 'there is no timer ""'],
    [{ type: 'remove_inbox', ids: ['1'] }, 'ids must be a list of whole numbers'],
    [{ type: 'remove_inbox', ids: [7] }, 'the inbox has no entry 7'],
    [{ type: 'nonsense' }, 'Unknown message type: nonsense'],
  ] as const

  it('refuses requests with missing or wrong fields, and keeps no job of them', async () => {
    const { ask } = await startIn(tempFolder())
    for (const [request, reason] of refused) {
      expect(await ask(request)).toMatchObject({
        type: 'error',
        message: expect.stringContaining(reason),
      })
    }
    expect(await ask({ type: 'list_timers' })).toEqual({ type: 'timers', timers: [] })
  })

  it('keeps a thousand entries of the inbox, and counts those that it dropped', async () => {
    const folder = tempFolder()
    const entry = (id: number) => ({ id, turn: `t${id}`, text: 'x', late: false })
    const lines = Array.from({ length: 1200 }, (_, index) => ({
      kind: 'entry',
      entry: entry(index + 1),
    }))
    put(folder, 'data/mem/inbox.jsonl', lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const { ask, timer, entries } = await startIn(folder)
    const { id } = await timer({ type: 'remind', when: 'tomorrow', text: 'tea' })
    await ask({ type: 'run_timer', id })
    await eventually(async () => (await entries()).length === 1000)
    expect((await entries()).at(-1)).toMatchObject({ id: 1201, text: 'tea' })
    expect(await ask({ type: 'inbox' })).toMatchObject({ dropped: 201 })
    expect(await ask({ type: 'remove_inbox', all: true })).toEqual({ type: 'ok', removed: 1000 })
  })
})

describe('notify', () => {
  const remindNow = async (parts: Awaited<ReturnType<typeof startIn>>, text: string) => {
    const { id } = await parts.timer({ type: 'remind', when: 'tomorrow', text })
    await parts.ask({ type: 'run_timer', id })
  }

  it('gets exactly the text on stdin, one command at a time, without keys', async () => {
    const folder = tempFolder()
    const out = path.join(folder, 'out')
    const command = `cat >> ${out}; echo "[$LLM_API_KEY]" >> ${out}`
    const parts = await startIn(folder, { inbox: { notify: command } })
    await remindNow(parts, 'ring the bell\n"$(id)" ✓')
    await remindNow(parts, 'second')
    await eventually(() => existsSync(out) && readFileSync(out, 'utf8').includes('second[]\n'))
    expect(readFileSync(out, 'utf8')).toBe('ring the bell\n"$(id)" ✓[]\nsecond[]\n')
  })

  it.each([
    ['no-such-command-here', /notify failed: exit code 127: .*no-such-command-here/],
    ['exit 3', /notify failed: exit code 3/],
    ['sleep 60', /notify failed: it took longer than 0.2 s/],
  ])('%j leaves a warning, and the entry stays in the inbox', async (notify, warning) => {
    const parts = await startIn(tempFolder(), { inbox: { notify, notify_timeout: 0.2 } })
    await remindNow(parts, 'ring')
    await eventually(() => parts.log.lines.some((line) => warning.test(line)))
    expect(await parts.entries()).toMatchObject([{ text: 'ring' }])
  })
})
