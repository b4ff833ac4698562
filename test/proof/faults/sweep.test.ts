// Faults of the disk at every file operation of every command. `npm test` runs a sample, `npm run test:long`
// all of them. `ZEE_SWEEP=zcl` or `ZEE_SWEEP='zcl run'` limits the full sweep to a program or a command.
import { appendFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Random } from '../../long/random.ts'
import { Scene } from './scene.ts'
import type { PlannedRun, SweptCommand } from './sweep.ts'
import { judgeRun, planRuns } from './sweep.ts'
import { otherCommands } from './other-commands.ts'
import { zclCommands } from './zcl-commands.ts'
import { zdxCommands } from './zdx-commands.ts'
import { zenoCommands } from './zeno-commands.ts'
import { zinoServices } from './zino-services.ts'

const commands: readonly SweptCommand[] = [
  ...zclCommands,
  ...zdxCommands,
  ...zenoCommands,
  ...otherCommands,
  ...zinoServices,
]
const isFull = Number(process.env.ZEE_ROUNDS ?? 0) >= 10_000 || process.env.ZEE_SWEEP !== undefined
const wanted = process.env.ZEE_SWEEP ?? ''
const sampleSize = 6
const sampled = 'zdx exec'
const random = new Random(Number(process.env.ZEE_SEED ?? 29))

const swept = commands.filter(({ program, name }) => `${program} ${name}`.startsWith(wanted))

test.for(isFull ? swept : [])(
  '$program $name survives every fault at every file operation',
  { timeout: 3_600_000 },
  async (command) => {
    const scene = new Scene()
    try {
      const runs = await planRuns(scene, command)
      if (process.env.ZEE_SWEEP_DRY === '1') return
      const failures = await judgeAll(scene, command, runs)
      report(command, runs, failures)
      expect(failures).toEqual([])
    } finally {
      scene.remove()
    }
  },
)

test.for(isFull ? [] : commands.filter(({ program, name }) => `${program} ${name}` === sampled))(
  `$program $name survives a sample of ${sampleSize} faults`,
  { timeout: 120_000 },
  async (command) => {
    const scene = new Scene()
    try {
      const runs = await planRuns(scene, command)
      const sample = Array.from({ length: sampleSize }, () => random.of(runs))
      expect(await judgeAll(scene, command, sample)).toEqual([])
    } finally {
      scene.remove()
    }
  },
)

async function judgeAll(
  scene: Scene,
  command: SweptCommand,
  runs: readonly PlannedRun[],
): Promise<string[]> {
  const failures: string[] = []
  for (const run of runs) {
    const failure = await judgeRun(scene, command, run)
    if (failure === undefined) continue
    failures.push(failure)
    console.error(failure)
  }
  return failures
}

/** Counts for docs/reliability.md, one line per command, in the file that `ZEE_SWEEP_COUNTS` names. */
function report({ program, name }: SweptCommand, runs: readonly PlannedRun[], failures: string[]) {
  const file = process.env.ZEE_SWEEP_COUNTS
  if (file === undefined) return
  const operations = new Set(runs.map(({ operation }) => operation.index)).size
  const counts = { program, name, operations, runs: runs.length, failures: failures.length }
  appendFileSync(file, `${JSON.stringify(counts)}\n`)
}
