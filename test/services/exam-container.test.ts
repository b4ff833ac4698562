// `isolation: container` with a real engine: podman, and an image of nothing but busybox, made here. Skipped
// where podman or a static busybox is not installed, or containers cannot run.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { asProcess } from '../contract/run-here.ts'
import { LabProject } from '../contract/zcl-lab/lab-project.ts'

const image = 'localhost/zee-exam:1'
const base = mkdtempSync(path.join(os.tmpdir(), 'zee-podman-'))
const lab = new LabProject()
/** Storage, settings and image of their own: nothing of the machine changes. */
const env = {
  ...asProcess,
  CONTAINERS_CONF: path.join(base, 'containers.conf'),
  CONTAINERS_STORAGE_CONF: path.join(base, 'storage.conf'),
}
const problem = prepare()

afterAll(() => {
  lab.remove()
  rmSync(base, { recursive: true, force: true })
})

/** Makes the image; returns why containers cannot run here. */
function prepare(): string | undefined {
  const busybox = ['/bin/busybox', '/usr/bin/busybox'].find((file) => existsSync(file))
  if (busybox === undefined) return 'no static busybox'
  const bin = path.join(base, 'root/bin')
  mkdirSync(bin, { recursive: true })
  cpSync(busybox, path.join(bin, 'busybox'))
  for (const name of ['sh', 'ls', 'cat', 'grep', 'wc']) symlinkSync('busybox', path.join(bin, name))
  const limits = 'default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]'
  const engine = '[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\nruntime = "runc"'
  writeFileSync(env.CONTAINERS_CONF, `[containers]\n${limits}\n${engine}\n`)
  const places = `graphroot = "${base}/storage"\nrunroot = "${base}/run"`
  writeFileSync(env.CONTAINERS_STORAGE_CONF, `[storage]\ndriver = "vfs"\n${places}\n`)
  const tar = path.join(base, 'root.tar')
  spawnSync('tar', ['-C', path.join(base, 'root'), '-cf', tar, '.'])
  return (
    failureOf(['import', '--change', 'ENV PATH=/bin', tar, image]) ??
    failureOf(['run', '--rm', '--init', '--network', 'none', image, 'sh', '-c', ':'])
  )
}

function failureOf(args: string[]): string | undefined {
  const options = { env: { ...process.env, ...env }, encoding: 'utf8', timeout: 30_000 } as const
  const { status, stderr, error } = spawnSync('podman', args, options)
  return status === 0 ? undefined : (error?.message ?? stderr)
}

test.skipIf(problem !== undefined)(
  `an attempt in a container sees its image and its own folders, and no network (${problem ?? 'podman'})`,
  async () => {
    lab.write('secret.txt', 'hidden')
    lab.suite([{ missionId: 'one', prompt: 'go' }], {
      isolation: 'container',
      network: 'none',
      container: { image, engine: 'podman' },
      verify: [{ command: 'grep -qx right answer.txt' }],
    })
    const script = `echo right > answer.txt; command -v zcl; command -v measure; ls "${lab.folder}"; ls /usr; wc -l < /proc/net/dev`
    const run = await lab.suiteRun(['--shim', 'measure'], ['sh', '-c', script], env)
    expect(run.json.attempts, run.err).toMatchObject([{ outcome: 'passed' }])
    expect(lab.artifact(run, '001-one-r1', 'attempt.json')).toMatchObject({
      isolation: 'container',
      isolationTool: 'podman',
      network: 'none',
    })
    const { stdout } = spawnSync('cat', [path.join(run.folder, 'runner-output/001-one-r1.log')])
    // The project folder holds only the output root; two header lines and the loopback interface.
    expect(String(stdout)).not.toContain('secret.txt')
    expect(String(stdout)).toMatch(/^3$/m)
    // The programs of the attempt come before those of the image.
    expect(String(stdout)).toMatch(/\/bin\/zcl\n.*\/shims\/measure\n/)
  },
  60_000,
)
