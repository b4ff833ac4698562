import { spawn } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { repository } from '../../support/paths.ts'
import { cleanEnvironment } from '../zcl/project.ts'
import { fromFile, LabProject, quickRunner } from './lab-project.ts'

let lab: LabProject
beforeEach(() => {
  lab = new LabProject()
})
afterEach(() => lab.remove())

const page = readFileSync(path.join(repository, 'docs/zcl-lab.md'), 'utf8')
const bin = path.join(repository, 'node_modules/.bin')

test('the transcripts in docs/zcl-lab.md match the output of the commands', async () => {
  cpSync(path.join(repository, 'examples'), path.join(lab.folder, 'examples'), { recursive: true })
  const blocks = [...page.matchAll(/```console\n([\s\S]*?)```/g)].map(([, text = '']) => text)
  expect(blocks.length).toBeGreaterThan(1)
  let folder = lab.folder
  for (const { command, output } of blocks.flatMap(commandsIn)) {
    const [, into] = /^cd (\S+)$/.exec(command) ?? []
    if (into !== undefined) folder = path.join(folder, into)
    else
      expect([command, timeless(await shell(command, folder))]).toEqual([command, timeless(output)])
  }
})

test('the example Slurm and Kubernetes manifests run unchanged except for cluster paths', async () => {
  lab.suite([{ missionId: 'a' }, { missionId: 'b' }])
  const plan = ['suite', 'plan', '--file', 'suite.json', '--jobs', 'jobs', ...fromFile]
  plan.push('--allow-unproven')
  await lab.zcl([...plan, '--', ...quickRunner])
  const example = (name: string) =>
    readFileSync(path.join(repository, 'examples/scale-out', name), 'utf8')
  lab.write('slurm.sh', example('slurm.sbatch'))
  const slurm = { SLURM_ARRAY_TASK_ID: '1', SLURM_JOB_ID: '7', TMPDIR: lab.root }
  expect(await shell('bash slurm.sh', lab.folder, slurm)).toMatch(/^001-a-r1  passed/)
  const [job, workers] = ['kubernetes-job.yaml', 'kubernetes-workers.yaml'].map(
    (name) => parse(example(name)) as Manifest,
  )
  const [, , script = ''] = job?.spec.template.spec.containers[0]?.command ?? []
  const local = script.replace('/scratch', path.join(lab.root, 'scratch'))
  const pod = { JOB_COMPLETION_INDEX: '1' }
  expect(await shell(local, lab.folder, pod)).toMatch(/^002-b-r1  passed/)
  const collected = await lab.json(['collect', 'packed'])
  expect(collected.json).toMatchObject({ collected: 2, runs: [{ passed: 2, pending: 0 }] })
  expect(workers?.spec.template.spec.containers[0]?.command.slice(0, 3)).toEqual([
    ...['zcl', 'worker', '--watch'],
  ])
})

interface Manifest {
  spec: { template: { spec: { containers: { command: string[] }[] } } }
}

function commandsIn(block: string): { command: string; output: string }[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...rest] = part.split('\n')
      return { command, output: rest.join('\n').trimEnd() }
    })
}

/** Ids and durations differ from run to run. */
function timeless(text: string): string {
  return text
    .trimEnd()
    .replace(/\d{8}-\d{6}Z-[0-9a-f]{6}/g, '<run>')
    .replace(/ +\d+(?:\.\d)? (?:ms|s)\b/g, ' <time>')
    .replace(/ +$/gm, '')
}

function shell(command: string, cwd: string, extra: Record<string, string> = {}): Promise<string> {
  const own = { HOME: lab.home, PATH: `${bin}:${process.env.PATH}` }
  const env = { ...cleanEnvironment(), ...own, ...extra }
  const child = spawn('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] })
  let out = ''
  child.stdout.on('data', (chunk) => (out += chunk))
  return new Promise((resolve) => child.on('close', () => resolve(out)))
}
