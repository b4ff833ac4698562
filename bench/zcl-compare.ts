// Time of `zcl compare` over two runs of 1,000 attempts, and of `zcl query` over 1,000,000 calls
// whose evidence is already cached. Every variant is a process from start to exit; the floor is an
// empty Node file.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Case, CommandVariant } from './harness/case.ts'

const floor = 'node empty.cjs'
const attempts = 1000
const missions = 50
const createdAt = '2026-01-02T03:04:05.678Z'

export const cases: readonly Case[] = [
  {
    name: 'compare',
    question: `how long does comparing two runs of ${attempts.toLocaleString('en')} attempts with 20 calls each take?`,
    repetitions: 3,
    prepare(scratch) {
      writeFileSync(path.join(scratch, 'empty.cjs'), '')
      for (const run of ['a', 'b'] as const) writeRun(scratch, run, 20)
    },
    variants: [
      emptyNode(),
      zcl('compare', (scratch) => ['compare', runFolder(scratch, 'a'), runFolder(scratch, 'b')]),
    ],
    goals: [{ variant: 'compare', figure: 'wall', atMost: 3000 }],
  },
  {
    name: 'query',
    question: 'how long does a second query over 1,000,000 calls take?',
    repetitions: 5,
    prepare(scratch) {
      writeFileSync(path.join(scratch, 'empty.cjs'), '')
      writeRun(scratch, 'a', 1000)
      // Fills the cache. The warm-up round reads the files that were too recent to be cached here.
      const repository = path.resolve(process.argv[1] ?? '', '../..')
      const [program = '', ...args] = zclCommand(process.execPath, repository, query(scratch))
      const { status, stderr } = spawnSync(program, args, { cwd: scratch })
      if (status !== 0) throw new Error(stderr.toString())
    },
    variants: [emptyNode(), zcl('query', query)],
    goals: [{ variant: 'query', figure: 'wall', atMost: 1000 }],
  },
]

function query(scratch: string): string[] {
  const sql =
    'select command, code, count(*) n, quantile_cont(durationMs, 0.95) p95 from calls group by all'
  return ['query', sql, '--out-root', path.join(scratch, 'out'), '--format', 'json']
}

function emptyNode(): CommandVariant {
  return {
    name: floor,
    command: (place) => ['env', place.node, path.join(place.scratch, 'empty.cjs')],
  }
}

function zcl(name: string, args: (scratch: string) => string[]): CommandVariant {
  return {
    name,
    command: ({ node, repository, scratch }) => zclCommand(node, repository, args(scratch)),
  }
}

function zclCommand(node: string, repository: string, args: readonly string[]): string[] {
  return ['env', node, path.join(repository, 'packages/zcl/bin/zcl.cjs'), ...args]
}

const runIds = { a: '20260102-030405Z-00000a', b: '20260102-030405Z-00000b' } as const

function runFolder(scratch: string, run: keyof typeof runIds): string {
  return path.join(scratch, 'out/runs', runIds[run])
}

/** 0.5 KB per call, one in ten fails. Run B passes slightly less often. */
function writeRun(scratch: string, run: keyof typeof runIds, calls: number): void {
  const folder = runFolder(scratch, run)
  const runId = runIds[run]
  mkdirSync(path.join(folder, 'attempts'), { recursive: true })
  const head = { schemaVersion: 1, runId, suiteId: 'bench', createdAt }
  writeFileSync(path.join(folder, 'run.json'), JSON.stringify(head))
  for (let index = 1; index <= attempts; index++) {
    const missionId = `mission-${index % missions}`
    const attemptId = `${String(index).padStart(3, '0')}-${missionId}-r1`
    const attemptFolder = path.join(folder, 'attempts', attemptId)
    const ids = { runId, suiteId: 'bench', missionId, attemptId }
    const passes = (index * 7919 + (run === 'a' ? 0 : 13)) % 100 < (run === 'a' ? 72 : 70)
    mkdirSync(attemptFolder)
    const attempt = { schemaVersion: 1, ...ids, mode: 'discovery', startedAt: createdAt }
    writeFileSync(path.join(attemptFolder, 'attempt.json'), JSON.stringify(attempt))
    const feedback = { schemaVersion: 1, ...ids, ok: passes, result: 'x', createdAt }
    writeFileSync(path.join(attemptFolder, 'feedback.json'), JSON.stringify(feedback))
    writeTrace(path.join(attemptFolder, 'tool.calls.jsonl'), ids, calls, index)
  }
}

const output = 'src/part/file.ts:12: the quick brown fox\n'.repeat(6)

function writeTrace(file: string, ids: object, calls: number, attempt: number): void {
  const lines: string[] = []
  for (let call = 0; call < calls; call++) {
    const ok = call % 10 !== 9
    const durationMs = 5 + ((call * attempt) % 41)
    const event = {
      v: 1,
      ts: new Date(Date.parse(createdAt) + call * 1000 + attempt).toISOString(),
      ...ids,
      tool: 'cli',
      op: 'exec',
      input: { argv: ['rg', '-n', `word-${call % 100}`, 'src'] },
      result: ok
        ? { ok, exitCode: 0, durationMs }
        : { ok, code: 'ZCL_E_TOOL_FAILED', exitCode: 1, durationMs },
      io: { outBytes: output.length, errBytes: 0, outPreview: output },
      redactionsApplied: [],
    }
    lines.push(JSON.stringify(event))
  }
  writeFileSync(file, `${lines.join('\n')}\n`)
}
