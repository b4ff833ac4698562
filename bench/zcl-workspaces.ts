// What the workspaces of attempts cost, compared with `cp -r`: 50 MB each, eight at a time, removed after
// the attempt. Files are cloned where the file system can; elsewhere both copy the content.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { copyTree, removeTree } from '../packages/zcl/src/lab/workspace/workspace.ts'
import type { Case, FunctionVariant } from './harness/case.ts'

/** `ZEE_BENCH_ATTEMPTS=1000` measures the documented size, which takes minutes. */
const attempts = Number(process.env.ZEE_BENCH_ATTEMPTS ?? 16)
const workers = 8
const folders = 100
const filesPerFolder = 20
const fileBytes = 26_214

const cp = 'cp -r and rm -r'
const zcl = 'workspaces of zcl'

export const cases: readonly Case[] = [
  {
    name: 'copies',
    question: `what do ${attempts} workspaces of 50 MB cost, ${workers} at a time?`,
    repetitions: 3,
    prepare: writeSource,
    variants: [copiesByCp(), copiesByZcl()],
    goals: [
      { variant: zcl, figure: 'cpu', atMost: 1.2, peer: cp },
      { variant: zcl, figure: 'wall', atMost: 1.2, peer: cp },
    ],
  },
]

function writeSource(scratch: string): void {
  for (let folder = 0; folder < folders; folder++) {
    const place = path.join(scratch, 'source', `part-${folder}`)
    mkdirSync(place, { recursive: true })
    for (let file = 0; file < filesPerFolder; file++) {
      writeFileSync(path.join(place, `file-${file}.txt`), Buffer.alloc(fileBytes, folder + file))
    }
  }
}

function copiesByCp(): FunctionVariant {
  const script = `TIMEFORMAT='%R %U %S'
    { time seq ${attempts} | xargs -P ${workers} -n 1 sh -c 'cp -r "$1/source" "$1/cp-$2" && rm -r "$1/cp-$2"' sh "$1"; } 2>&1`
  return {
    name: cp,
    unit: 'workspaces',
    run(scratch) {
      const ran = spawnSync('bash', ['-c', script, 'bench', scratch], { encoding: 'utf8' })
      if (ran.status !== 0)
        throw new Error(`cp ended with ${ran.status}: ${ran.stdout}${ran.stderr}`)
      const times = ran.stdout.replaceAll(',', '.').trim().split(/\s+/).map(Number)
      const [wall = 0, user = 0, system = 0] = times
      return { wallMs: wall * 1000, cpuMs: (user + system) * 1000, amount: attempts }
    },
  }
}

function copiesByZcl(): FunctionVariant {
  return {
    name: zcl,
    unit: 'workspaces',
    async run(scratch) {
      const base = path.join(scratch, `zcl-${process.pid}`)
      let next = 0
      const work = async (): Promise<void> => {
        while (next < attempts) {
          const target = path.join(base, String(next++))
          await copyTree(path.join(scratch, 'source'), target)
          await removeTree(target)
        }
      }
      await Promise.all(Array.from({ length: workers }, work))
      rmSync(base, { recursive: true, force: true })
      return attempts
    },
  }
}
