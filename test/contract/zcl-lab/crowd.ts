// Workers that are killed at random while a run goes on, over any queue: what must hold afterwards.
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { builtProgram } from '../../support/paths.ts'
import { cleanEnvironment, readJson, until } from '../zcl/project.ts'
import { fromFile, type LabProject } from './lab-project.ts'

export interface Crowd {
  attempts: number
  workers: number
  /** How many workers are killed in all. */
  kills: number
  /** Flags for the run and the workers, such as `--queue`. */
  queue: readonly string[]
  deadlineMs: number
}

export interface CrowdResult {
  killed: number
  passed: number
  failed: number
  infra: number
  pending: number
  /** Tries that a dead worker left. */
  abandoned: number
  /** Slots with other than one counted outcome. */
  wrong: string[]
}

/** Every third mission fails, so that totals can be wrong in both directions. */
const runner = [
  'sh',
  '-c',
  `case "$ZCL_MISSION_ID" in c) ok=false;; *) ok=true;; esac
  echo "{\\"ok\\":$ok,\\"result\\":\\"x\\"}" > "$ZCL_OUT_DIR/mission.result.json"; sleep 0.03`,
]

/** The starter is killed as well: workers finish what it planned. */
export async function runCrowd(lab: LabProject, crowd: Crowd): Promise<CrowdResult> {
  lab.suite([{ missionId: 'a' }, { missionId: 'b' }, { missionId: 'c' }])
  const total = ['--total', String(crowd.attempts), '--parallel', '2']
  const run = ['suite', 'run', '--file', 'suite.json', ...fromFile, ...total, ...crowd.queue]
  const starter = start(lab, [...run, '--', ...runner])
  const queues = path.join(lab.outRoot, 'queue')
  await until(() => marks(queues).length > 0, 'the queue', crowd.deadlineMs)
  const [runId = ''] = readdirSync(queues)
  const living = new Set<ChildProcess>([starter])
  let killed = 0
  const join = () => {
    const worker = start(lab, ['worker', '--parallel', '2', ...crowd.queue])
    living.add(worker)
    worker.once('exit', () => living.delete(worker))
  }
  starter.once('exit', () => living.delete(starter))
  for (let index = 0; index < crowd.workers; index++) join()
  const end = Date.now() + crowd.deadlineMs
  while (marks(queues).length > 0) {
    if (Date.now() > end) throw new Error('the run did not end in time')
    if (killed < crowd.kills && living.size > 0) {
      const victims = [...living]
      const victim = victims[Math.floor(Math.random() * victims.length)]
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 150))
      if (victim?.kill('SIGKILL') === true) killed++
    }
    while (living.size < crowd.workers && marks(queues).length > 0) join()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await until(() => living.size === 0, 'the end of all workers', crowd.deadlineMs)
  return counted(lab.runFolder(runId), crowd.attempts, killed)
}

function start(lab: LabProject, args: readonly string[]): ChildProcess {
  return spawn(builtProgram('zcl'), args, {
    cwd: lab.folder,
    env: { ...cleanEnvironment(), HOME: lab.home },
    stdio: 'ignore',
  })
}

function marks(queues: string): string[] {
  if (!existsSync(queues)) return []
  return readdirSync(queues).filter((name) => existsSync(path.join(queues, name, 'queue.json')))
}

/** By the attempts' own folders, not by any summary. */
function counted(folder: string, attempts: number, killed: number): CrowdResult {
  const answers = new Map<number, string[]>()
  let abandoned = 0
  for (const name of readdirSync(path.join(folder, 'attempts'))) {
    const file = path.join(folder, 'attempts', name, 'attempt.outcome.json')
    const outcome = existsSync(file) ? String(readJson(file).outcome) : 'none'
    const slot = Number(name.split('-')[0])
    if (outcome === 'passed' || outcome === 'failed') {
      answers.set(slot, [...(answers.get(slot) ?? []), outcome])
    } else abandoned++
  }
  const wrong = Array.from({ length: attempts }, (_, index) => index + 1)
    .filter((slot) => answers.get(slot)?.length !== 1)
    .map((slot) => `${slot}: ${answers.get(slot)?.join() ?? 'none'}`)
  const summary = readJson(path.join(folder, 'suite.run.summary.json')) as unknown as CrowdResult
  const { passed, failed, infra, pending } = summary
  return { killed, passed, failed, infra, pending, abandoned, wrong }
}
