// The lock simulation over many seeds. `npm test` runs 20, `npm run test:long` 100,000.
// `ZEE_SEED=535` repeats one failure; with `ZEE_SIMULATIONS` it is the first seed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { currentProcess } from '../../../packages/core/src/identity/identity.ts'
import { Random } from '../../long/random.ts'
import { LockSimulation } from './simulation.ts'
import { VirtualDisk } from './virtual-disk.ts'

const isLong = Number(process.env.ZEE_ROUNDS ?? 0) >= 10_000
const count = Number(process.env.ZEE_SIMULATIONS ?? (isLong ? 100_000 : 20))
const firstSeed = Number(process.env.ZEE_SEED ?? 1)
const { ZEE_SEED, ZEE_SIMULATIONS } = process.env
const seeds = ZEE_SEED === undefined || ZEE_SIMULATIONS !== undefined ? count : 1

const disk = new VirtualDisk()
const identity = { ...currentProcess() }
beforeAll(() => disk.install())
afterAll(() => {
  disk.remove()
  Object.assign(currentProcess(), identity)
})

test(
  `two holders of a lock never both acknowledge a write, in ${seeds} simulations`,
  { timeout: 3_600_000 },
  async () => {
    let [acknowledged, acquired] = [0, 0]
    for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
      const simulation = new LockSimulation(disk, new Random(seed))
      expect(await simulation.run(), `ZEE_SEED=${seed}`).toBeUndefined()
      acknowledged += simulation.acknowledged
      acquired += simulation.acquired
    }
    expect(acknowledged).toBeGreaterThan(seeds)
    expect(acquired).toBeGreaterThan(seeds)
    if (seeds >= 1000)
      console.log(`${seeds} simulations: ${acquired} locks, ${acknowledged} writes`)
  },
)
