// Cost of tracing and speed of reading evidence: one traced call compared with an empty Node file,
// 512 MB through the funnel compared with `cat` in its place, report and validate over a large run
// compared with reading its bytes.
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
const traced = 'zcl run -- true'
const copies = 'cat file | cat | cat'
const tracedCopy = 'zcl run -- cat file | cat'
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
    goals: [{ variant: traced, figure: 'cpu', atMost: 1.8, peer: floor }],
  },
  {
    name: 'wait',
    question:
      'how much longer than an empty Node file does a traced call take (wall time is the difference)?',
    repetitions: 5,
    prepare: prepareCall,
    variants: [waitAbove(bareSpawn), waitAbove(traced)],
    goals: [{ variant: traced, figure: 'wall', atMost: 14 }],
  },
  {
    name: 'through',
    question: `how fast, and with how much memory, do ${megabytes} MB pass through a traced call?`,
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
        name: tracedCopy,
        command: ({ pipeline, scratch, node: program, repository }) =>
          pipeline(
            '"$@" | cat >/dev/null',
            ...tracedCommand(scratch, program, repository),
            'cat',
            path.join(scratch, 'data'),
          ),
      },
    ],
    goals: [
      { variant: tracedCopy, figure: 'wall', atMost: 1.6, peer: copies },
      { variant: tracedCopy, figure: 'rss', atMost: 95 },
    ],
  },
  {
    name: 'read',
    question: `how fast is a run with ${calls} calls per attempt reported and validated?`,
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
    goals: [
      { variant: 'report of 1,000', figure: 'rate', atLeast: 150 },
      { variant: 'validate of 1,000', figure: 'rate', atLeast: 40 },
      { variant: 'report of 1,000', figure: 'rss', atMost: 1.3, peer: 'report of 100' },
      { variant: 'validate of 1,000', figure: 'rss', atMost: 1.3, peer: 'validate of 100' },
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
    name: traced,
    runsPerSample: 5,
    command: (place) => [...tracedCommand(place.scratch, place.node, place.repository), 'true'],
  }
}

/** `zcl run --` in the attempt of the scratch folder, to be followed by a command. */
function tracedCommand(scratch: string, program: string, repository: string): string[] {
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
  // Function variants run in a process that does not know the path of the repository.
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

/** The minimum of its runs minus the minimum of the empty file's, interleaved. */
function waitAbove(name: typeof bareSpawn | typeof traced): FunctionVariant {
  return {
    name,
    unit: 'calls',
    run(scratch) {
      const repository = readFileSync(path.join(scratch, 'repository'), 'utf8')
      const command =
        name === traced
          ? [...tracedCommand(scratch, process.execPath, repository), 'true']
          : ['env', process.execPath, path.join(scratch, 'spawn.cjs')]
      const empty = ['env', process.execPath, path.join(scratch, 'empty.cjs')]
      let [minMs, minEmptyMs] = [Infinity, Infinity]
      for (let turn = 0; turn < 15; turn++) {
        minEmptyMs = Math.min(minEmptyMs, wallOf(empty))
        minMs = Math.min(minMs, wallOf(command))
      }
      return { wallMs: minMs - minEmptyMs }
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

/** Shell calls with 0.5 KB of output, one in ten fails. */
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

/** Each line contains the hash of the previous line; the first, of the empty string. */
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
  if (refused.length > 0) throw new Error('some attempts could not be reported')
}

function check({ folder }: StoredRun): void {
  const { errors } = validate(folder, folder, { strict: false })
  if (errors[0] !== undefined) throw new Error(`${errors[0].code}: ${errors[0].message}`)
}
