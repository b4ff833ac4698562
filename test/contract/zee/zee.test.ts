// The front door: help, pass-through, doctor, search, open and usage over the built programs.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtProgram } from '../../support/paths.ts'
import { runUnprivileged } from '../../support/run-program.ts'
import { ZeeSandbox } from './sandbox.ts'

const empty = new ZeeSandbox()
const used = new ZeeSandbox()
let attempt = ''
let second = ''

beforeAll(async () => {
  await used.answer('where is the lighthouse?', 'The lighthouse is in the harbour.')
  attempt = await used.attempt(['echo', 'lighthouse keeper'])
  second = await used.attempt(['echo', 'it says "lit"'])
})
afterAll(() => {
  empty.remove()
  used.remove()
})

describe('zee', () => {
  it('prints help and exits 0 without arguments when stdout is not a terminal', async () => {
    const { code, stdout } = await empty.zee([])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Usage: zee /)
  })

  it('shows what is here and three next steps on a terminal', () => {
    const shown = onTerminal(used)
    expect(shown).toContain('sessions  1 here, 1 in all; newest just now: where is the lighthouse?')
    expect(shown).toMatch(/^runs {6}2, newest \d{8}-/m)
    expect(shown).toContain('models    none: no key and no local server')
    const steps = shown.slice(shown.indexOf('Next')).trim().split('\n')
    expect(steps).toHaveLength(4)
  })

  it('offers a key, a local server or a demo on the first run', () => {
    const shown = onTerminal(empty)
    expect(shown).toContain('Three ways to begin:')
    expect(shown).toMatch(
      /1 {2}store a key[\s\S]+2 {2}use a local model server[\s\S]+3 {2}see a demo/,
    )
  })

  it.each([
    ['zee', 'ui'],
    ['zino', 'http'],
  ] as const)('%s %s refuses a port above 65535 with exit 2', async (name, command) => {
    const { code, stderr } = await empty.run(name, [command, '--port', '65536'])
    expect(code).toBe(2)
    expect(stderr).toContain("'65536' is not a whole number from 0 to 65535")
  })

  it.each(['zdx', 'zeno', 'zino', 'zcl'] as const)(
    '%s passes its arguments through',
    async (name) => {
      const [direct, through] = await Promise.all([
        empty.run(name, ['--help']),
        empty.zee([name, '--help']),
      ])
      expect(through).toEqual(direct)
      const [wrong, wrongThrough] = await Promise.all([
        empty.run(name, ['--no-such-flag']),
        empty.zee([name, '--no-such-flag']),
      ])
      expect(wrongThrough).toEqual(wrong)
    },
  )

  it('passes options that Node knows, too', async () => {
    const { code, stderr } = await used.zee([
      ...['zcl', 'attempt', 'start', '--suite', 'shop', '--mission', 'two'],
      ...['--env-file', path.join(used.base, 'attempt.env')],
    ])
    expect(code, stderr).toBe(0)
    expect(existsSync(path.join(used.base, 'attempt.env'))).toBe(true)
  })

  it('names the nearest command for an unknown one and exits 2', async () => {
    const { code, stderr } = await empty.zee(['serach', 'x'])
    expect(code).toBe(2)
    expect(stderr).toContain("did you mean 'search'?")
  })
})

describe('zee doctor', () => {
  it('lists each check with ok or what to do, and exits 0 when nothing blocks', async () => {
    const { code, stdout } = await empty.zee(['doctor'])
    expect(code, stdout).toBe(0)
    expect(stdout).toMatch(/^ok {7}node +\d+\./m)
    for (const name of ['zdx', 'zeno', 'zino', 'zcl']) {
      expect(stdout).toMatch(new RegExp(`^ok {7}${name} +${name} \\d`, 'm'))
    }
    expect(stdout).toMatch(/^todo {5}keys +none: set ANTHROPIC_API_KEY/m)
    expect(stdout).toMatch(/^ok {7}zino services +not set up/m)
  })

  it('reports a key as present and never prints its value', async () => {
    const key = 'sk-ant-api03-testvalue0123456789'
    const runs = await Promise.all([
      empty.zee(['doctor'], { ANTHROPIC_API_KEY: key }),
      empty.zee(['doctor', '--json'], { ANTHROPIC_API_KEY: key }),
    ])
    for (const { stdout, stderr } of runs) {
      expect(stdout).toContain('present for anthropic')
      expect(stdout + stderr).not.toContain('testvalue')
    }
  })

  it('counts the services of zino as `zino up` does, also while timers run', async () => {
    const place = new ZeeSandbox()
    const env = { ZINO_CONFIG: path.join(place.project, 'ZINO.toml') }
    const play = path.join(place.project, 'play.jsonl')
    writeFileSync(play, '{"text":"hello"}\n')
    const zino = (...words: string[]) => place.run('zino', words, env)
    try {
      expect((await zino('init', place.project, '--script', play)).code).toBe(0)
      expect((await zino('up', '--detach')).stdout).toContain('all 7 services answer')
      expect((await zino('remind', 'tomorrow 9:00', 'water the plants')).code).toBe(0)
      expect((await zino('status', '--json')).stdout).toContain('"name": "tmr"')
      expect((await place.zee(['doctor'], env)).stdout).toContain('running, 7 services')
    } finally {
      await zino('stop')
      place.remove()
    }
  })

  it('exits 1 and says what to do when the sessions folder cannot be written', async () => {
    const locked = path.join(empty.base, 'locked')
    mkdirSync(locked)
    chmodSync(locked, 0o500)
    const env = { ...empty.env, ZDX_HOME: path.join(locked, 'zdx') }
    const ran = await runUnprivileged('zee', ['doctor', '--json'], { cwd: empty.project, env })
    expect(ran.code).toBe(1)
    const { ok, checks } = JSON.parse(ran.stdout) as {
      ok: boolean
      checks: { id: string; status: string; advice?: string }[]
    }
    expect(ok).toBe(false)
    const blocked = checks.filter(({ status }) => status === 'blocked')
    expect(blocked).toEqual([
      expect.objectContaining({ id: 'sessions folder', advice: `make ${locked} writable` }),
    ])
  })
})

describe('zee search', () => {
  it('finds text in sessions and attempts, newest first, with the command that shows it', async () => {
    const { code, stdout } = await used.zee(['search', '--json', 'LIGHTHOUSE'])
    expect(code).toBe(0)
    const hits = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; timeMs: number; command: string })
    expect(hits.map(({ kind }) => kind).toSorted()).toEqual(['attempt', 'session', 'session'])
    const times = hits.map(({ timeMs }) => timeMs)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    for (const { command } of hits) {
      const [program, ...args] = command.split(' ')
      const shown = await used.run(program as 'zdx', args)
      expect(shown.code, shown.stderr).toBe(0)
      expect((shown.stdout + shown.stderr).toLowerCase()).toContain('lighthouse')
    }
  })

  it('finds a run by its suite, and text with quotes in a trace, as text', async () => {
    const found = async (text: string) =>
      (await used.zee(['search', '--json', text])).stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { kind: string; excerpt: string; command: string })
    const run = (await found('shop')).find(({ kind }) => kind === 'run')
    expect(run?.excerpt).toContain('shop 2')
    const shown = await used.run('zcl', (run?.command ?? '').split(' ').slice(1))
    expect(shown.stdout).toContain('shop')
    const [quoted] = await found('says "lit"')
    expect(quoted).toMatchObject({ kind: 'attempt', excerpt: 'it says "lit"' })
  })

  it.each(['', '  '])('refuses the empty text %j', async (text) => {
    const { code, stderr } = await used.zee(['search', text])
    expect([code, stderr]).toEqual([2, 'zee: the text to find is empty\n'])
  })

  it('quotes the paths of its commands for a shell, and counts whole milliseconds', async () => {
    const place = new ZeeSandbox()
    try {
      const folder = path.join(place.project, 'my shop')
      mkdirSync(path.join(folder, '.zeno'), { recursive: true })
      mkdirSync(path.join(folder, '.git'))
      const file = path.join(folder, ".zeno/it's.jsonl")
      writeFileSync(file, '{"ts":"2026-01-01T00:00:00Z","event":"request","text":"lighthouse"}\n')
      utimesSync(file, 1.0009, 1.0009)
      const found = await place.zee(['search', '--json', 'lighthouse'], { ZENO_ROOT: folder })
      const { command, timeMs } = JSON.parse(found.stdout) as { command: string; timeMs: number }
      expect(Number.isInteger(timeMs)).toBe(true)
      const shown = spawnSync('sh', ['-c', command.replace(/^zeno/, builtProgram('zeno'))])
      expect(shown.stdout.toString()).toContain('lighthouse')
    } finally {
      place.remove()
    }
  })

  it('says so when nothing matches', async () => {
    expect((await used.zee(['search', 'no such words'])).stdout).toBe(
      "Nothing found for 'no such words'.\n",
    )
  })
})

describe('traces of zeno', () => {
  it.each(['trace.jsonl', '.zeno/trace.jsonl'])(
    'a trace at %s of the project is found by search and opened by its name',
    async (name) => {
      const place = new ZeeSandbox()
      try {
        writeFileSync(path.join(place.project, 'other.jsonl'), '{"text":"wombat"}\n')
        const grep = ['--op', 'grep', '--args', '{"pattern":"wombat"}']
        const sent = await place.run('zeno', ['send', '--root', '.', '--log', name, ...grep])
        expect(sent.code, sent.stderr).toBe(0)
        const { stdout } = await place.zee(['search', '--json', 'wombat'])
        const hit = JSON.parse(stdout) as { kind: string; command: string }
        expect(hit.kind).toBe('trace')
        const shown = await place.run('zeno', hit.command.split(' ').slice(1))
        expect(shown.stdout).toContain('wombat')
        const opened = await place.zee(['open', '--print', 'trac'])
        expect(opened.code, opened.stderr).toBe(0)
        expect(readFileSync(opened.stdout.trim(), 'utf8')).toContain('wombat')
      } finally {
        place.remove()
      }
    },
  )

  it('a trace in a project that ZENO_ROOT names is listed once', async () => {
    const place = new ZeeSandbox()
    try {
      const env = { ZENO_ROOT: '.' }
      const grep = ['--op', 'grep', '--args', '{"pattern":"wombat"}']
      await place.run('zeno', ['send', '--root', '.', '--log', 'trace.jsonl', ...grep])
      const { stdout } = await place.zee(['search', '--json', 'wombat'], env)
      expect(stdout.trimEnd().split('\n')).toHaveLength(1)
      const opened = await place.zee(['open', '--print', 'trace'], env)
      expect(opened.code, opened.stderr).toBe(0)
    } finally {
      place.remove()
    }
  })
})

describe('zee open', () => {
  it.each(['session', 'run', 'attempt'])(
    '--print writes the page of a %s and prints its path',
    async (kind) => {
      const id = {
        session: JSON.parse(
          (await used.run('zdx', ['sessions', 'list', '--format', 'json'])).stdout,
        ) as { id: string },
        run: { id: path.basename(path.dirname(path.dirname(attempt))) },
        attempt: {
          id: path.relative(path.resolve(attempt, '../../..'), attempt).replace('attempts/', ''),
        },
      }[kind]?.id
      const { code, stdout, stderr } = await used.zee(['open', '--print', id ?? ''])
      expect(code, stderr).toBe(0)
      const page = readFileSync(stdout.trim(), 'utf8')
      expect(page).toContain('lighthouse')
      expect(page).toContain('</html>')
    },
  )

  it('accepts the id of an attempt with its run, as `zee search` prints it', async () => {
    const found = await used.zee(['search', '--json', 'lighthouse keeper'])
    const { id } = JSON.parse(found.stdout) as { id: string }
    const { code, stdout, stderr } = await used.zee(['open', '--print', id])
    expect(code, stderr).toBe(0)
    expect(readFileSync(stdout.trim(), 'utf8')).toContain('lighthouse keeper')
  })

  it('gives attempts of the same name, and traces of the same name, pages of their own', async () => {
    const pages = new Set<string>()
    expect(path.basename(second)).toBe(path.basename(attempt))
    const traces = ['a', 'b'].map((name) => path.join(used.base, name, 'trace.jsonl'))
    for (const trace of traces) {
      mkdirSync(path.dirname(trace))
      writeFileSync(trace, '{"ts":"2026-01-01T00:00:00Z","event":"request","op":"list_files"}\n')
    }
    for (const each of [attempt, second, ...traces]) {
      const { code, stdout, stderr } = await used.zee(['open', '--print', each])
      expect(code, stderr).toBe(0)
      pages.add(stdout)
    }
    expect(pages.size).toBe(4)
  })

  it('lists what an ambiguous id names and exits 1', async () => {
    const { code, stderr } = await used.zee(['open', '--print', path.basename(attempt)])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^zee: '001-fix-it-r1' names 2 things: attempt \S+, attempt \S+/)
  })

  it('accepts a unique prefix and `latest`', async () => {
    const { id } = JSON.parse(
      (await used.run('zdx', ['sessions', 'list', '--format', 'json'])).stdout,
    ) as { id: string }
    const byPrefix = await used.zee(['open', '--print', id.slice(0, 6)])
    expect(path.basename(byPrefix.stdout.trim())).toBe(`session-${id}.html`)
    const latest = await used.zee(['open', '--print', 'latest'])
    expect(existsSync(latest.stdout.trim())).toBe(true)
  })

  it('exits 1 for an unknown id and for an empty machine', async () => {
    const unknown = await used.zee(['open', 'zzzz'])
    expect(unknown.code).toBe(1)
    expect(unknown.stderr).toContain("nothing has the id 'zzzz'")
    const nothing = await empty.zee(['open', 'latest'])
    expect(nothing.code).toBe(1)
    expect(nothing.stderr).toContain('nothing is recorded yet')
  })
})

describe('zee usage', () => {
  it('sums tokens from receipts by model and by project', async () => {
    const { stdout } = await used.zee(['usage', '--by', 'project', '--json'])
    const { rows, total } = JSON.parse(stdout) as {
      rows: { project: string; inputTokens: number }[]
      total: { requests: number; outputTokens: number }
    }
    expect(rows).toEqual([expect.objectContaining({ project: used.project, inputTokens: 1200 })])
    expect(total).toMatchObject({ requests: 1, outputTokens: 34 })
  })

  it('counts nothing before --since and rejects what is not a date', async () => {
    const later = await used.zee(['usage', '--since', '2999-01-01'])
    expect(later.stdout).toContain('No receipts yet')
    const wrong = await used.zee(['usage', '--since', 'soon'])
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain("--since 'soon' is neither a date")
  })
})

/** The output of `zee` on a terminal; input ends at once. */
function onTerminal(sandbox: ZeeSandbox): string {
  const { stdout } = spawnSync('script', ['-qec', builtProgram('zee'), '/dev/null'], {
    cwd: sandbox.project,
    env: { ...process.env, ...sandbox.env, TERM: 'xterm', NO_COLOR: '1' },
    input: '\u0004',
    encoding: 'utf8',
    timeout: 20_000,
  })
  return stdout.replaceAll('\r', '')
}
