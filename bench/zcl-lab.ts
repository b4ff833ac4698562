// CPU that the lab spends per attempt beyond the runner's own, with the embedded queue and with
// Redis. Two cases check that the cost per lease and per attempt does not grow with their number.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openFolderQueue } from '../packages/zcl/src/lab/queue/folder-queue.ts'
import type { Case, CommandVariant, FunctionVariant, Place } from './harness/case.ts'

const attempts = 100
const leases = 100
/** `ZEE_BENCH_ATTEMPTS=10000` measures the documented maximum, which takes minutes. */
const largeRun = Number(process.env.ZEE_BENCH_ATTEMPTS ?? 1000)
/** 60 ms per attempt, including the start of zcl and the runner. */
const maxCpuMs = 60 * attempts

const floor = `${attempts} runners alone`
const folder = `suite run, ${attempts} attempts`
const redis = `suite run over Redis, ${attempts} attempts`

/** The cheapest possible runner: writes its result to a file. */
const runner = `echo '{"ok":true,"result":"x"}' > "$ZCL_OUT_DIR/mission.result.json"`

export const cases: readonly Case[] = [
  {
    name: 'attempt',
    question: 'how much CPU does the lab spend on an attempt beyond its runner?',
    repetitions: 3,
    prepare: writeSuite,
    variants: [alone(), suiteRun(), suiteRunOverRedis()],
    goals: [
      { variant: folder, figure: 'cpu', atMost: maxCpuMs },
      { variant: redis, figure: 'cpu', atMost: maxCpuMs },
    ],
  },
  {
    name: 'queue',
    question: `what do ${leases} leases cost with 100 jobs queued, and with 10,000?`,
    repetitions: 5,
    variants: [leasesOf(100), leasesOf(10_000)],
    goals: [{ variant: 'of 10,000', figure: 'cpu', atMost: 1.25, peer: 'of 100' }],
  },
  {
    name: 'run',
    question: `what does one attempt cost in a run of 100, and in a run of ${grouped(largeRun)}?`,
    repetitions: 1,
    prepare: writeSuite,
    variants: [attemptsOf(100), attemptsOf(largeRun)],
    goals: [
      { variant: `one of ${grouped(largeRun)}`, figure: 'cpu', atMost: 1, peer: 'one of 100' },
    ],
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

/** The time of the Redis server counts: each sample starts its own. */
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

/** Measures a complete run, from its start to its summary. The figures are per attempt. */
function attemptsOf(total: number): FunctionVariant {
  return {
    name: `one of ${grouped(total)}`,
    unit: 'attempts',
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

function grouped(count: number): string {
  return count.toLocaleString('en')
}

function leasesOf(queued: number): FunctionVariant {
  return {
    name: `of ${grouped(queued)}`,
    unit: 'leases',
    async run(scratch) {
      const queueFolder = path.join(scratch, `queue-${queued}-${process.pid}`)
      const queue = await openFolderQueue(queueFolder)
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
      if (readFileSync(path.join(queueFolder, 'cursor.json')).length === 0)
        throw new Error('no cursor')
      return { wallMs, cpuMs: (user + system) / 1000, amount: leases }
    },
  }
}
