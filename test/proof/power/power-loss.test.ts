// Power loss at every instant of a command, in three models of file systems. The real programs read each
// state: what was acknowledged is there, and a child or a change of a user's file has its record.
import { afterAll, describe, expect, test } from 'vitest'
import { appendFileSync } from 'node:fs'
import { Random } from '../../long/random.ts'
import type { Change } from '../files/changes.ts'
import { Scene } from '../faults/scene.ts'
import type { SweptCommand } from '../faults/sweep.ts'
import { zclCommands } from '../faults/zcl-commands.ts'
import { zdxCommands } from '../faults/zdx-commands.ts'
import { zenoCommands } from '../faults/zeno-commands.ts'
import type { CrashState } from './states.ts'
import { crashStates, eventsOf, powerModels } from './states.ts'
import { Disk } from './disk.ts'

const isFull = Number(process.env.ZEE_ROUNDS ?? 0) >= 10_000 || process.env.ZEE_POWER !== undefined
const wanted = process.env.ZEE_POWER ?? ''
/** States per command in `npm test`. */
const sampleSize = 6
const random = new Random(Number(process.env.ZEE_SEED ?? 29))

/** Commands that acknowledge something with exit code 0. */
const commands = [...zclCommands, ...zdxCommands, ...zenoCommands].filter(
  ({ isDone, name }) =>
    isDone !== undefined && !/^(?:gc|export|sessions export|rotate|send)/.test(name),
)
const inSample = new Set([
  ...['zcl run', 'zcl import claude', 'zcl shim install'],
  ...['zdx exec with edit', 'zdx exec with rm -rf .git'],
])

describe.each(
  commands.filter(({ program, name }) =>
    isFull ? `${program} ${name}`.startsWith(wanted) : inSample.has(`${program} ${name}`),
  ),
)('$program $name', (command) => {
  const scene = new Scene()
  afterAll(() => scene.remove())

  test(
    'loses nothing that it acknowledged when the power fails',
    { timeout: 3_600_000 },
    async () => {
      const states = await statesOf(scene, command)
      const chosen = isFull ? states : sample(states)
      const failures: string[] = []
      for (const state of chosen) {
        state.disk.store(scene.root)
        const failure = await judge(scene, command, state, states.at(-1)?.at ?? 0)
        if (failure === undefined) continue
        failures.push(`${state.model}, after event ${state.at}: ${failure}`)
        console.error(failures.at(-1))
      }
      report(command, chosen, failures)
      expect(failures).toEqual([])
    },
  )
})

async function statesOf(scene: Scene, command: SweptCommand): Promise<CrashState[]> {
  await command.prepare(scene)
  const { disk, identities } = Disk.read(scene.root)
  const ran = await scene.hooked(
    command.program,
    command.args,
    { withChanges: true },
    command.input,
  )
  expect(ran.code, ran.stderr).toBe(0)
  const changes = scene.logged<Change>().filter((line) => 'change' in line)
  return [...crashStates(disk, eventsOf(changes, disk, identities), random)]
}

async function judge(
  scene: Scene,
  command: SweptCommand,
  { at }: CrashState,
  end: number,
): Promise<string | undefined> {
  try {
    await command.checkKept(scene)
    const isThere = command.isDurable ?? command.isDone
    if (at === end && !(await isThere?.(scene))) return 'exit 0, but the effect is gone'
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** States after the acknowledgement, some of each model. */
function sample(states: readonly CrashState[]): CrashState[] {
  const end = states.at(-1)?.at
  return powerModels.flatMap((model) =>
    states.filter((state) => state.at === end && state.model === model).slice(0, sampleSize / 3),
  )
}

/** Counts for docs/reliability.md, one line per command, in the file that `ZEE_POWER_COUNTS` names. */
function report(
  { program, name }: SweptCommand,
  states: readonly CrashState[],
  failures: string[],
) {
  const file = process.env.ZEE_POWER_COUNTS
  if (file === undefined) return
  const counts = powerModels.map((each) => states.filter(({ model }) => model === each).length)
  appendFileSync(file, `${JSON.stringify({ program, name, counts, failures: failures.length })}\n`)
}
