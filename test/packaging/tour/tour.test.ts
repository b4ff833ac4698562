// Runs the tour and checks every claim that it prints against the files that it wrote.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fakeModels } from '../../support/fake-models.ts'
import { TourPlace, type TourRun } from './tour.ts'

const linesOf = (file: string): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('zee tour --keep', () => {
  const place = new TourPlace()
  let tour: TourRun
  let base: string
  const inBase = (...names: string[]): string => path.join(base, ...names)
  const pathOf = (what: string): string =>
    new RegExp(`^  ${what} +(\\S+)$`, 'm').exec(tour.output)?.[1] ?? ''

  beforeAll(async () => {
    tour = await place.run({ args: ['--keep'] })
    base = /^A tour of zee in (\S+)$/m.exec(tour.output)?.[1] ?? ''
  })
  afterAll(() => place.remove())

  it('exits with 0 and prints every claim as held', () => {
    expect(tour.code, tour.output).toBe(0)
    expect(tour.output.match(/^✓ .+$/gm)).toEqual([
      '✓ the token stays on this machine',
      '✓ the failing test is recorded',
      '✓ zdx recorded its own 5 tool calls: bash, search, read, edit, bash',
      '✓ the test passes',
      '✓ the evidence is complete and in order',
      '✓ the answer claims nothing that the record contradicts',
      '✓ the fix was taken back and restored',
      '✓ the archive finds the session',
      '✓ the log of Claude Code contradicts its answer',
      '✓ the cited lines are unchanged',
      '✓ a replay returns the same answer',
      '✓ the memory survived',
      '✓ the memory reached the model',
      '✓ three pages are written',
    ])
  })

  it('labels the model as scripted wherever it speaks', () => {
    expect(tour.output).toContain('The model is SCRIPTED')
    expect(tour.output).toMatch(/^zdx .*\(scripted model\)$/m)
    expect(tour.output).toMatch(/^ {2}Answers come from .* \(scripted\)$/m)
    expect(tour.output).toMatch(/^zino .*\(scripted model\)$/m)
  })

  it('prints each step as a command line of one of the four programs', () => {
    const commands = tour.output.match(/^\$ .+$/gm) ?? []
    expect(commands.filter((line) => !/^\$ (zcl|zdx|zeno|zino) /.test(line))).toEqual([])
    for (const program of ['zcl', 'zdx', 'zeno', 'zino']) {
      expect(commands.join('\n')).toMatch(new RegExp(`(^\\$|--) ${program} `, 'm'))
    }
  })

  it('stores the search, read, edit and test run of the agent in its session', () => {
    const text = readFileSync(pathOf('session'), 'utf8')
    for (const tool of ['bash', 'search', 'read', 'edit']) expect(text).toContain(`"${tool}"`)
    const fixed = readFileSync(path.join(pathOf('repository'), 'src/price.mjs'), 'utf8')
    expect(fixed).toContain('(cents * percent) / 100')
  })

  it('records the failing test, the tool calls of the agent and the passing test', () => {
    const events = linesOf(pathOf('evidence')) as unknown as {
      tool: string
      op: string
      input: { argv?: string[] }
      result: { ok: boolean; exitCode?: number }
    }[]
    const tests = events.filter(({ input }) => input.argv?.[0] === 'node')
    expect(tests.map(({ result }) => result.ok)).toEqual([false, true])
    const own = events.filter(({ tool }) => tool === 'zdx').map(({ op }) => op)
    expect(own).toEqual(['bash', 'search', 'read', 'edit', 'bash'])
    const report = JSON.parse(readFileSync(pathOf('report'), 'utf8')) as {
      ok: boolean
      metrics: { toolCallsTotal: number }
    }
    expect(report).toMatchObject({ ok: true, metrics: { toolCallsTotal: events.length } })
  })

  it('cites lines by their SHA-256 hash', () => {
    const [row] = linesOf(pathOf('citations'))
    const text = readFileSync(path.join(pathOf('repository'), 'src/price.mjs'), 'utf8')
    const cited = text.split('\n').slice(1, 4).join('\n')
    const hash = `sha256:${createHash('sha256').update(cited).digest('hex')}`
    expect(row).toMatchObject({ path: 'src/price.mjs', lines: [2, 4], hash })
  })

  it('stores a memory of zino on disk and stops zino', async () => {
    expect(readFileSync(pathOf('memory'), 'utf8')).toContain('divide it by 100')
    expect(await place.leftRunning()).toEqual([])
  })

  it('writes pages that show the session, the reads and the attempt, and load nothing', () => {
    for (const [name, words] of [
      ['session.html', 'percent'],
      ['reading.html', 'price.mjs'],
      ['attempt.html', 'fix-the-discount'],
    ] as const) {
      const page = readFileSync(inBase(name), 'utf8')
      expect(page, name).toContain(words)
      expect(page, name).not.toMatch(/<(script|link|img)[^>]+(src|href)="https?:/)
    }
  })

  it('lists only files that exist', () => {
    const named = tour.output.split('\nAll of it')[1]?.split('\nTry next')[0] ?? ''
    const files = [...named.matchAll(/^ {2}\S* +(\/\S+)$/gm)].map(([, file = '']) => file)
    expect(files.length).toBeGreaterThanOrEqual(9)
    expect(files.filter((file) => !existsSync(file))).toEqual([])
  })

  it('suggests five commands, and the four that need no model run', () => {
    const [, enter = '', rest = ''] =
      /^Try next {2}after {2}(.+)\n([\s\S]+?)\n\n/m.exec(tour.output) ?? []
    const commands = rest.split('\n').map((line) => line.trim())
    expect(commands).toHaveLength(5)
    const env = { ...process.env, HOME: place.home, TMPDIR: place.temp }
    for (const command of commands.slice(0, 4)) {
      // A replay that finds a difference exits with 1.
      const line = `${enter} && { ${command}; } || [ $? = 1 ]`
      const output = execFileSync('sh', ['-c', line], { env, encoding: 'utf8' })
      expect(output, command).not.toBe('')
    }
  })

  it('writes nothing outside its own folder, which the printed command removes', () => {
    expect(readdirSync(place.home)).toEqual([])
    expect(readdirSync(place.temp).filter((name) => base !== path.join(place.temp, name))).toEqual(
      [],
    )
    execFileSync('sh', ['-c', /^rm -r \S+/m.exec(tour.output)?.[0] ?? 'false'])
    expect(existsSync(base)).toBe(false)
  })
})

describe('zee tour', () => {
  it('removes its files at the end, leaves no process and names --keep', async () => {
    const place = new TourPlace()
    try {
      const tour = await place.run()
      expect(tour.code, tour.output).toBe(0)
      expect(tour.output).toContain('✓ three pages are written')
      expect(tour.output).toMatch(/^ {2}zee tour --keep /m)
      expect(await place.leftRunning()).toEqual([])
      expect(readdirSync(place.temp)).toEqual([])
      expect(readdirSync(place.home)).toEqual([])
    } finally {
      place.remove()
    }
  })

  it.each([
    ['Enter', '\r'],
    ['Ctrl+C', '\u0003'],
    ['SIGTERM', 'SIGTERM'],
  ] as const)(
    'offers the dashboard on a terminal and removes its files after %s',
    async (_key, keys) => {
      const place = new TourPlace()
      try {
        const tour = await place.onTerminal([{ text: 'Open the dashboard', keys }])
        expect(tour.code, tour.output).toBe(0)
        expect(readdirSync(place.temp)).toEqual([])
        expect(await place.leftRunning()).toEqual([])
      } finally {
        place.remove()
      }
    },
  )

  it('serves the dashboard of its records, and removes them after Ctrl+C', async () => {
    const place = new TourPlace()
    try {
      let session = ''
      const look = async (output: string) => {
        const url = /http:\S+/.exec(output)?.[0] ?? ''
        session = await (await fetch(`${url}api/rows`)).text()
      }
      const tour = await place.onTerminal([
        { text: 'Open the dashboard', keys: 'y\r' },
        { text: 'Ctrl+C ends it', before: look, keys: '\u0003' },
      ])
      expect(tour.code, tour.output).toBe(0)
      expect(session).toContain('discount')
      expect(readdirSync(place.temp)).toEqual([])
      expect(await place.leftRunning()).toEqual([])
    } finally {
      place.remove()
    }
  })
})

describe('an interrupted tour', () => {
  it.each([
    ['SIGINT', 'while the agent works', 'Answers come from', 130],
    ['SIGINT', 'while zino starts', '$ zino up --detach', 130],
    ['SIGTERM', 'while zino runs', '$ zino memory add', 143],
  ] as const)(
    'that gets %s %s leaves no process and no file',
    async (signal, _when, text, code) => {
      const place = new TourPlace()
      try {
        const tour = await place.run({ endAt: { text, signal } })
        expect(tour.code, tour.output).toBe(code)
        expect(tour.output).toMatch(/\ntour: interrupted\n$/)
        expect(await place.leftRunning()).toEqual([])
        expect(readdirSync(place.temp)).toEqual([])
        expect(readdirSync(place.home)).toEqual([])
      } finally {
        place.remove()
      }
    },
  )

  it('keeps its folder when started with --keep', async () => {
    const place = new TourPlace()
    try {
      const endAt = { text: 'Answers come from', signal: 'SIGINT' } as const
      const tour = await place.run({ args: ['--keep'], endAt })
      expect(tour.code).toBe(130)
      expect(readdirSync(place.temp)).toEqual([expect.stringMatching(/^zee-tour-/)])
    } finally {
      place.remove()
    }
  })
})

it('a tour with --keep leaves its files and no process', async () => {
  const place = new TourPlace()
  try {
    const tour = await place.run({ args: ['--keep'] })
    expect(tour.code, tour.output).toBe(0)
    expect(await place.leftRunning()).toEqual([])
    const enter = /^Try next {2}after {2}(.+)$/m.exec(tour.output)?.[1] ?? 'false'
    const env = { ...process.env, HOME: place.home, TMPDIR: place.temp }
    const ask = `${enter} && zino up --detach && zino chat "what about the discount in the shop?"; zino stop`
    const output = execFileSync('sh', ['-c', ask], { env, encoding: 'utf8' })
    expect(output).toContain('You taught me: In the shop a discount')
    expect(await place.leftRunning()).toEqual([])
  } finally {
    place.remove()
  }
})

it('a tour with a real model labels nothing as scripted and prints no key', async () => {
  const edit = { path: 'src/price.mjs', old: 'cents * percent', new: '(cents * percent) / 100' }
  const model = await fakeModels([
    { text: 'I fix it.', calls: [{ name: 'edit', input: edit }] },
    { text: 'Done.' },
    { text: 'A percent number.' },
  ])
  const place = new TourPlace()
  try {
    const env = { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'test-key-0123456789' }
    const tour = await place.run({ args: ['--provider', 'openai'], env })
    expect(tour.code, tour.output).toBe(0)
    expect(tour.output.toLowerCase()).not.toContain('scripted')
    expect(model.requests).toHaveLength(3)
    expect(JSON.stringify(model.requests[2]?.body)).toContain('divide it by 100')
    expect(tour.output).not.toContain('test-key-0123456789')
  } finally {
    place.remove()
    await model.close()
  }
})

it.each([
  [['--provider', 'absent'], /unknown provider 'absent' \(known: anthropic, /],
  [['--provider', 'ollama'], /ollama has no default model: add --model <name>/],
  [['--model', 'x'], /--model needs --provider/],
  [['--bogus'], /--bogus/],
])('the tour refuses %j with exit 2 and one line', async (args, words) => {
  const place = new TourPlace()
  try {
    const tour = await place.run({ args })
    expect(tour.code).toBe(2)
    expect(tour.output).toMatch(/^zee: [^\n]+\n$/)
    expect(tour.output).toMatch(words)
    expect(readdirSync(place.temp)).toEqual([])
  } finally {
    place.remove()
  }
})
