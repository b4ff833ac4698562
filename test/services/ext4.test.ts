// A loop-mounted ext4 image, copied after each acknowledgement: the copy is the disk after a power loss.
// What was acknowledged is readable in every copy. Needs root and the right to mount.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runProgram } from '../support/run-program.ts'
import type { ProgramName } from '../support/run-program.ts'

const base = mkdtempSync(path.join(os.tmpdir(), 'zee-ext4-'))
const image = path.join(base, 'disk.img')
/** Always the same path, so that the programs find what they wrote; a link switches the disk. */
const disk = path.join(base, 'disk')
const [live, lost] = [path.join(base, 'live'), path.join(base, 'lost')]
const rounds = Number(process.env.ZEE_ROUNDS ?? 3)
const canMount = makeImage()

function makeImage(): boolean {
  for (const folder of [live, lost]) mkdirSync(folder)
  writeFileSync(image, '')
  truncateSync(image, 48 * 1024 * 1024)
  const made = spawnSync('mkfs.ext4', ['-q', '-E', 'lazy_itable_init=0', image])
  // A long commit interval: only what a program syncs is on the disk.
  const options = ['-o', 'loop,commit=300', image, live]
  return made.status === 0 && spawnSync('mount', options).status === 0
}

afterAll(() => {
  if (canMount) execFileSync('umount', [live])
  rmSync(base, { recursive: true, force: true })
})

function useDisk(mounted: string): void {
  rmSync(disk, { force: true })
  symlinkSync(mounted, disk)
}

const env = { HOME: path.join(disk, 'home'), ZEE_TEST_BUILT: '1', NODE_EXTRA_CA_CERTS: undefined }

async function run(
  program: ProgramName,
  args: string[],
  more: Record<string, string> = {},
): Promise<string> {
  const ran = await runProgram(program, args, {
    cwd: path.join(disk, 'project'),
    env: { ...env, ...more },
  })
  if (ran.code !== 0) throw new Error(`${program} ${args.join(' ')}: ${ran.stderr}`)
  return ran.stdout
}

/** Copies the image as it is on the disk, mounts the copy and reads it. */
async function afterPowerLoss(check: () => Promise<void>): Promise<void> {
  const copy = path.join(base, 'copy.img')
  copyFileSync(image, copy)
  execFileSync('mount', ['-o', 'loop', copy, lost])
  useDisk(lost)
  try {
    await check()
  } finally {
    useDisk(live)
    execFileSync('umount', [lost])
  }
}

test.skipIf(!canMount)(
  'ext4 keeps what zcl and zdx acknowledged when the power fails',
  { timeout: 600_000 },
  async () => {
    useDisk(live)
    for (const name of ['home', 'project']) mkdirSync(path.join(disk, name))
    await run('zcl', ['init'])
    const start = ['attempt', 'start', '--suite', 's', '--mission', 'm', '--json']
    const started = JSON.parse(await run('zcl', start)) as {
      env: Record<string, string>
      outDirAbs: string
    }
    const attempt = started.env
    const play = path.join(disk, 'project/play.jsonl')
    for (let round = 1; round <= rounds; round += 1) {
      const words = `round-${round}`
      await run('zcl', ['run', '--', 'echo', words], attempt)
      await afterPowerLoss(async () => {
        expect(await run('zcl', ['attempt', 'explain', started.outDirAbs])).toContain(words)
        await run('zcl', ['validate', started.outDirAbs])
      })
      const steps = [
        { tool: 'write', input: { path: 'a.txt', content: words } },
        { end: true },
        { text: words },
      ]
      writeFileSync(play, steps.map((step) => `${JSON.stringify(step)}\n`).join(''))
      await run('zdx', [
        '--provider',
        'script',
        '--model',
        play,
        'exec',
        '-p',
        'go',
        '--session',
        words,
      ])
      await afterPowerLoss(async () => {
        expect(await run('zdx', ['sessions', 'show', words])).toContain(words)
        await run('zdx', ['sessions', 'undo', words])
      })
    }
  },
)
