// What standing between an agent and its commands costs, and how fast evidence is read back: one
// traced call against an empty Node file, 512 MB through the funnel against `cat` in its place,
// report and validate over a large run against reading its bytes.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { createRedactor, type Redactor } from '@zee/core/redact'
import type { AttemptIdentity } from '@zee/evidence/attempt'
import { startAttempt, type StartedAttempt } from '@zee/evidence/runs'
import { prepareInput, traceEvent, type ObservedCall } from '@zee/evidence/trace'
import { validate } from '@zee/evidence/validate'
import { reportRun } from '@zee/evidence/report'
import type { Case, CommandVariant, FunctionVariant } from './harness/case.ts'

const floor = 'node empty.cjs'
const bareSpawn = 'node that only spawns true'
const own = 'zcl run -- true'
const copies = 'cat file | cat | cat'
const ownCopy = 'zcl run -- cat file | cat'
const megabytes = 512
const calls = 100
const startedAt = new Date('2026-01-02T03:04:05.678Z')

export const cases: readonly Case[] = [
  {
    name: 'run',
    question: 'what does one traced call cost, everything included?',
    repetitions: 10,
    prepare: prepareCall,
    variants: [node(floor, 'empty.cjs'), node(bareSpawn, 'spawn.cjs'), tracedCall()],
    bars: [{ variant: own, figure: 'cpu', atMost: 1.7, times: floor }],
  },
  {
    name: 'wait',
    question:
      'how much later than an empty Node file does it end (the wall time is the difference)?',
    repetitions: 5,
    prepare: prepareCall,
    variants: [waitAbove(bareSpawn), waitAbove(own)],
    bars: [{ variant: own, figure: 'wall', atMost: 14 }],
  },
  {
    name: 'through',
    question: `how fast and in how much memory do ${megabytes} MB go through a traced call?`,
    repetitions: 5,
    async prepare(scratch) {
      await prepareCall(scratch)
      writeZeros(path.join(scratch, 'data'))
    },
    variants: [
      {
        name: copies,
        command: ({ pipeline, scratch }) =>
          pipeline('cat "$1" | cat | cat >/dev/null', path.join(scratch, 'data')),
      },
      {
        name: ownCopy,
        command: ({ pipeline, scratch, node: program, repository }) =>
          pipeline(
            '"$@" | cat >/dev/null',
            ...ownCall(scratch, program, repository),
            'cat',
            path.join(scratch, 'data'),
          ),
      },
    ],
    bars: [
      { variant: ownCopy, figure: 'wall', atMost: 1.6, times: copies },
      { variant: ownCopy, figure: 'rss', atMost: 95 },
    ],
  },
  {
    name: 'read',
    question: `how fast is a run of ${calls} calls an attempt reported and validated?`,
    repetitions: 3,
    async prepare(scratch) {
      for (const attempts of [100, 1000]) await writeRun(scratch, attempts)
    },
    variants: [
      overRun('read alone', 1000, readBytes),
      overRun('report of 100', 100, report),
      overRun('report of 1,000', 1000, report),
      overRun('validate of 100', 100, check),
      overRun('validate of 1,000', 1000, check),
    ],
    bars: [
      { variant: 'report of 1,000', figure: 'rate', atLeast: 150 },
      { variant: 'validate of 1,000', figure: 'rate', atLeast: 40 },
      { variant: 'report of 1,000', figure: 'rss', atMost: 1.3, times: 'report of 100' },
      { variant: 'validate of 1,000', figure: 'rss', atMost: 1.3, times: 'validate of 100' },
    ],
  },
]

function node(name: string, file: string): CommandVariant {
  return {
    name,
    runsPerSample: 5,
    command: (place) => ['env', place.node, path.join(place.scratch, file)],
  }
}

function tracedCall(): CommandVariant {
  return {
    name: own,
    runsPerSample: 5,
    command: (place) => [...ownCall(place.scratch, place.node, place.repository), 'true'],
  }
}

/** `zcl run --` in the attempt of the scratch folder; the command follows. */
function ownCall(scratch: string, program: string, repository: string): string[] {
  const zcl = path.join(repository, 'packages/zcl/bin/zcl.cjs')
  return ['env', ...variablesOf(scratch), program, zcl, 'run', '--']
}

function variablesOf(scratch: string): string[] {
  return readFileSync(path.join(scratch, 'variables'), 'utf8').split('\n')
}

async function prepareCall(scratch: string): Promise<void> {
  writeFileSync(path.join(scratch, 'empty.cjs'), '')
  const spawning = "require('node:child_process').spawn('true', { stdio: 'inherit' })\n"
  writeFileSync(path.join(scratch, 'spawn.cjs'), spawning)
  mkdirSync(path.join(scratch, 'home'))
  // Functions run in a process that does not know where the bench stands; this one does.
  writeFileSync(path.join(scratch, 'repository'), path.resolve(process.argv[1] ?? '', '../..'))
  const { runId, attemptId, folder } = await newAttempt(path.join(scratch, 'out'))
  const variables = [
    `HOME=${path.join(scratch, 'home')}`,
    `ZCL_RUN_ID=${runId}`,
    'ZCL_SUITE_ID=bench',
    'ZCL_MISSION_ID=call',
    `ZCL_ATTEMPT_ID=${attemptId}`,
    `ZCL_OUT_DIR=${folder}`,
  ]
  writeFileSync(path.join(scratch, 'variables'), variables.join('\n'))
}

function newAttempt(outRoot: string, runId?: string): Promise<StartedAttempt> {
  return startAttempt({
    outRoot,
    runId,
    suiteId: 'bench',
    missionId: 'call',
    retry: 1,
    mode: 'discovery',
    settings: {},
    now: startedAt,
  })
}

/** The shortest of its runs minus the shortest of the empty file's, the two taking turns. */
function waitAbove(name: typeof bareSpawn | typeof own): FunctionVariant {
  return {
    name,
    unit: 'records',
    run(scratch) {
      const repository = readFileSync(path.join(scratch, 'repository'), 'utf8')
      const command =
        name === own
          ? [...ownCall(scratch, process.execPath, repository), 'true']
          : ['env', process.execPath, path.join(scratch, 'spawn.cjs')]
      const empty = ['env', process.execPath, path.join(scratch, 'empty.cjs')]
      let [least, leastEmpty] = [Infinity, Infinity]
      for (let turn = 0; turn < 15; turn++) {
        leastEmpty = Math.min(leastEmpty, wallOf(empty))
        least = Math.min(least, wallOf(command))
      }
      return { wallMs: least - leastEmpty }
    },
  }
}

function wallOf([program = '', ...args]: readonly string[]): number {
  const begin = process.hrtime.bigint()
  const { status } = spawnSync(program, args, { stdio: 'ignore' })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`)
  return Number(process.hrtime.bigint() - begin) / 1e6
}

function writeZeros(file: string): void {
  const chunk = Buffer.alloc(1_000_000)
  const descriptor = openSync(file, 'w')
  for (let index = 0; index < megabytes; index++) writeSync(descriptor, chunk)
  closeSync(descriptor)
}

interface StoredRun {
  folder: string
  traces: string[]
  megabytes: number
}

/** A run as a busy agent leaves it: shell calls with half a kilobyte of output, one in ten failing. */
async function writeRun(scratch: string, attempts: number): Promise<void> {
  const redactor = createRedactor({})
  const outRoot = path.join(scratch, String(attempts))
  const traces: string[] = []
  let runId: string | undefined
  let folder = ''
  let bytes = 0
  for (let index = 0; index < attempts; index++) {
    const attempt = await newAttempt(outRoot, runId)
    runId = attempt.runId
    folder = path.dirname(path.dirname(attempt.folder))
    const identity = { runId, suiteId: 'bench', missionId: 'call', attemptId: attempt.attemptId }
    const text = traceText(identity, redactor)
    const file = path.join(attempt.folder, 'tool.calls.jsonl')
    writeFileSync(file, text)
    traces.push(file)
    bytes += Buffer.byteLength(text)
  }
  const stored: StoredRun = { folder, traces, megabytes: bytes / 1e6 }
  writeFileSync(path.join(scratch, `${attempts}.json`), JSON.stringify(stored))
}

/** Each line names the hash of the one before it, the first the hash of nothing. */
function traceText(identity: AttemptIdentity, redactor: Redactor): string {
  const lines: string[] = []
  for (let call = 0; call < calls; call++) {
    const previous = createHash('sha256').update(lines.at(-1) ?? '')
    const event = traceEvent(identity, observed(call, redactor), redactor)
    lines.push(event.line(previous.digest('hex')))
  }
  return `${lines.join('\n')}\n`
}

function observed(call: number, redactor: Redactor): ObservedCall {
  const ok = call % 10 !== 9
  const text = Buffer.from(`src/part-${call}/file.ts:12: the quick brown fox\n`.repeat(11))
  return {
    tool: 'cli',
    op: 'exec',
    startedAt: new Date(+startedAt + call * 1000),
    input: prepareInput({ argv: ['rg', '-n', `word-${call}`, 'src'] }, redactor),
    result: ok
      ? { ok, exitCode: 0, durationMs: 12 }
      : { ok, code: 'ZCL_E_TOOL_FAILED', exitCode: 1, durationMs: 12 },
    out: { bytes: text.length, head: text },
    err: { bytes: 0, head: new Uint8Array(0) },
  }
}

function overRun(
  name: string,
  attempts: number,
  work: (run: StoredRun) => void | Promise<void>,
): FunctionVariant {
  return {
    name,
    unit: 'MB',
    async run(scratch) {
      const file = path.join(scratch, `${attempts}.json`)
      const stored = JSON.parse(readFileSync(file, 'utf8')) as StoredRun
      await work(stored)
      return stored.megabytes
    },
  }
}

function readBytes({ traces }: StoredRun): void {
  for (const file of traces) readFileSync(file)
}

async function report({ folder }: StoredRun): Promise<void> {
  const { refused } = await reportRun(folder, {
    strictness: 'by_mode',
    computedAt: startedAt.toISOString(),
  })
  if (refused.length > 0) throw new Error('not all could be reported')
}

function check({ folder }: StoredRun): void {
  const { errors } = validate(folder, folder, { strict: false })
  if (errors[0] !== undefined) throw new Error(`${errors[0].code}: ${errors[0].message}`)
}
