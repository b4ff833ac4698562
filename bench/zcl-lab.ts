// What the lab itself costs: CPU per attempt beyond the runner's own, over the embedded queue and over
// Redis, and whether many attempts make each of them dearer: the lease alone, and a run as a whole.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openFolderQueue } from '../packages/zcl/src/lab/queue/folder-queue.ts'
import type { Case, CommandVariant, FunctionVariant, Place } from './harness/case.ts'

const attempts = 100
const leases = 100
/** `ZEE_BENCH_ATTEMPTS=10000` asks for the whole of what is promised, in some minutes. */
const many = Number(process.env.ZEE_BENCH_ATTEMPTS ?? 1000)
/** The bar of 60 ms for each attempt, the start of zcl and the runner's own time included. */
const mostCpu = 60 * attempts

const floor = `${attempts} runners alone`
const folder = `suite run, ${attempts} attempts`
const redis = `suite run over Redis, ${attempts} attempts`

/** Leaves a result in a file: as cheap as a runner can be. */
const runner = `echo '{"ok":true,"result":"x"}' > "$ZCL_OUT_DIR/mission.result.json"`

export const cases: readonly Case[] = [
  {
    name: 'attempt',
    question: 'how much CPU does the lab spend on an attempt beyond its runner?',
    repetitions: 3,
    prepare: writeSuite,
    variants: [alone(), suiteRun(), suiteRunOverRedis()],
    bars: [
      { variant: folder, figure: 'cpu', atMost: mostCpu },
      { variant: redis, figure: 'cpu', atMost: mostCpu },
    ],
  },
  {
    name: 'queue',
    question: `what do ${leases} leases cost with 100 jobs queued, and with 10,000?`,
    repetitions: 5,
    variants: [leasesOf(100), leasesOf(10_000)],
    bars: [{ variant: 'of 10,000', figure: 'cpu', atMost: 1.25, times: 'of 100' }],
  },
  {
    name: 'run',
    question: `what does one attempt of a run of 100 cost, and one of ${inWords(many)}?`,
    repetitions: 1,
    prepare: writeSuite,
    variants: [attemptsOf(100), attemptsOf(many)],
    bars: [{ variant: `one of ${inWords(many)}`, figure: 'cpu', atMost: 1, times: 'one of 100' }],
  },
]

function writeSuite(scratch: string): void {
  const suite = { suiteId: 'bench', missions: [{ missionId: 'one' }] }
  writeFileSync(path.join(scratch, 'suite.json'), JSON.stringify(suite))
  writeFileSync(path.join(scratch, 'runner.sh'), `${runner}\n`)
  mkdirSync(path.join(scratch, 'home'))
}

function alone(): CommandVariant {
  const loop = `mkdir -p "$1/alone"; export ZCL_OUT_DIR="$1/alone"
    for i in $(seq ${attempts}); do sh "$1/runner.sh"; done`
  return { name: floor, command: ({ pipeline, scratch }) => pipeline(loop, scratch) }
}

function suiteRun(): CommandVariant {
  return {
    name: folder,
    command: (place) => place.pipeline('"$@" >/dev/null', ...runOf(place, 'folder')),
  }
}

/** The server belongs to the sample, and its time counts. */
function suiteRunOverRedis(): CommandVariant {
  const script = `socket=$1/redis-$$.sock; shift
    redis-server --port 0 --unixsocket "$socket" --save '' --daemonize no >/dev/null & server=$!
    trap 'kill $server; wait $server' EXIT
    until [ -S "$socket" ]; do sleep 0.05; done
    "$@" --queue "unix:$socket" -- sh "$(dirname "$socket")/runner.sh" >/dev/null`
  return {
    name: redis,
    command: (place) => {
      const words = runOf(place, 'redis')
      return place.pipeline(script, place.scratch, ...words.slice(0, words.indexOf('--')))
    },
  }
}

interface RunPlace extends Pick<Place, 'node' | 'repository' | 'scratch'> {
  total?: number
}

function runOf({ node, repository, scratch, total = attempts }: RunPlace, outRoot: string) {
  const zcl = [node, path.join(repository, 'packages/zcl/bin/zcl.cjs')]
  const flags = ['--finalization-mode', 'auto_from_result_json', '--parallel', '2', '--json']
  const suite = ['--file', path.join(scratch, 'suite.json'), '--total', String(total)]
  const place = ['--out-root', path.join(scratch, outRoot)]
  const home = `HOME=${path.join(scratch, 'home')}`
  const run = ['env', home, ...zcl, 'suite', 'run', ...suite, ...place, ...flags]
  return [...run, '--', 'sh', path.join(scratch, 'runner.sh')]
}

/** A whole run, its start, queue, attempts, summary and answer; figures are those of one attempt. */
function attemptsOf(total: number): FunctionVariant {
  return {
    name: `one of ${inWords(total)}`,
    unit: 'records',
    run(scratch) {
      const place = { node: process.execPath, repository: process.cwd(), scratch, total }
      const script = `TIMEFORMAT='%R %U %S'; { time "$@" >/dev/null 2>&1; } 2>&1`
      const words = runOf(place, `run-${total}-${process.pid}`)
      const ran = spawnSync('bash', ['-c', script, 'bench', ...words], { encoding: 'utf8' })
      const [wall = 0, user = 0, system = 0] = ran.stdout
        .replaceAll(',', '.')
        .split(' ')
        .map(Number)
      if (ran.status !== 0) throw new Error(`suite run ended with ${ran.status}: ${ran.stdout}`)
      return {
        wallMs: (wall * 1000) / total,
        cpuMs: ((user + system) * 1000) / total,
        amount: 1,
      }
    },
  }
}

function inWords(count: number): string {
  return count.toLocaleString('en')
}

function leasesOf(queued: number): FunctionVariant {
  return {
    name: `of ${inWords(queued)}`,
    unit: 'records',
    async run(scratch) {
      const place = path.join(scratch, `queue-${queued}-${process.pid}`)
      const queue = await openFolderQueue(place)
      const job = (_: unknown, index: number) => ({ runId: 'r', slot: index + 1, missionId: 'm' })
      await queue.enqueue(Array.from({ length: queued }, job))
      const before = process.cpuUsage()
      const begin = process.hrtime.bigint()
      for (let index = 0; index < leases; index++) {
        const lease = await queue.lease()
        if (typeof lease === 'string') throw new Error(`the queue is ${lease}`)
        await lease.complete()
      }
      const { user, system } = process.cpuUsage(before)
      const wallMs = Number(process.hrtime.bigint() - begin) / 1e6
      if (readFileSync(path.join(place, 'cursor.json')).length === 0) throw new Error('no cursor')
      return { wallMs, cpuMs: (user + system) / 1000, amount: leases }
    },
  }
}
