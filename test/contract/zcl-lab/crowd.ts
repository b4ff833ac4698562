// Runs a plan with workers that are killed at random, over any queue, and the same plan in one
// undisturbed process. The totals of both must be equal.
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { builtProgram } from '../../support/paths.ts'
import { cleanEnvironment, readJson, until } from '../zcl/project.ts'
import { fromFile, type LabProject } from './lab-project.ts'

export interface Crowd {
  attempts: number
  workers: number
  /** Total number of workers to kill. */
  kills: number
  /** Flags for the run and the workers, such as `--queue`. */
  queue: readonly string[]
  deadlineMs: number
}

export interface CrowdResult {
  killed: number
  /** Number of tries abandoned by dead workers. */
  abandoned: number
  /** Slots that do not have exactly one counted outcome. */
  wrong: string[]
  totals: Totals
}

/** The results of a run without times and worker ids. */
export interface Totals {
  passed: number
  failed: number
  infra: number
  pending: number
  /** Slot, mission, outcome and code of every planned attempt. */
  slots: unknown[][]
  /** By mission, from `zcl stats`: rates, pass@k, pass^k, calls, failed calls, bytes. */
  missions: unknown[]
  /** The totals of `zcl report`. */
  report: unknown
}

/**
 * The outcome depends on the slot only. Every mission has passed and failed attempts; one slot in five
 * traces a call, and one in ten traces a failing call.
 */
const runner = [
  'sh',
  '-c',
  `slot=$(echo "\${ZCL_ATTEMPT_ID%%-*}" | sed 's/^0*//'); ok=true
  case $((slot % 10)) in 3) "$1" run -- true;; 8) "$1" run -- false || ok=false;; 4|7) ok=false;; esac
  echo "{\\"ok\\":$ok,\\"result\\":\\"x\\"}" > "$ZCL_OUT_DIR/mission.result.json"; sleep 0.03`,
  'runner',
  builtProgram('zcl'),
]

const missions = [{ missionId: 'a' }, { missionId: 'b' }, { missionId: 'c' }]

function planOf(lab: LabProject, attempts: number, flags: readonly string[]): string[] {
  const total = ['--total', String(attempts), ...fromFile]
  const options = ['--allow-unproven', ...total, ...flags]
  return ['suite', 'run', '--file', lab.suite(missions), ...options, '--', ...runner]
}

/** Runs the plan in one process. */
export async function runAlone(lab: LabProject, attempts: number): Promise<Totals> {
  const ran = await lab.zcl(planOf(lab, attempts, ['--json']))
  return totalsOf(lab, lab.answerOf(ran).json.runId)
}

/** Kills the starter as well; the workers finish its plan. */
export async function runCrowd(lab: LabProject, crowd: Crowd): Promise<CrowdResult> {
  const starter = start(lab, planOf(lab, crowd.attempts, ['--parallel', '2', ...crowd.queue]))
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
    // Spreads the kills evenly over the attempts.
    const isDue = begunIn(lab.runFolder(runId)) >= (killed * crowd.attempts) / crowd.kills
    if (killed < crowd.kills && living.size > 0 && isDue) {
      const victims = [...living]
      const victim = victims[Math.floor(Math.random() * victims.length)]
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 150))
      if (victim?.kill('SIGKILL') === true) killed++
    }
    while (living.size < crowd.workers && marks(queues).length > 0) join()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await until(() => living.size === 0, 'the end of all workers', crowd.deadlineMs)
  const counts = counted(lab.runFolder(runId), crowd.attempts)
  return { killed, ...counts, totals: await totalsOf(lab, runId) }
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

function begunIn(runFolder: string): number {
  const attempts = path.join(runFolder, 'attempts')
  return existsSync(attempts) ? readdirSync(attempts).length : 0
}

/** Counts attempt folders and ignores summaries. */
function counted(folder: string, attempts: number): Pick<CrowdResult, 'abandoned' | 'wrong'> {
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
  return { abandoned, wrong }
}

async function totalsOf(lab: LabProject, runId: string): Promise<Totals> {
  const folder = lab.runFolder(runId)
  const summary = readJson(path.join(folder, 'suite.run.summary.json')) as unknown as Totals & {
    attempts: { slot: number; missionId: string; outcome: string; code?: string }[]
  }
  const { passed, failed, infra, pending, attempts } = summary
  const stats = await lab.json(['stats', runId, '--k', '1,5', '--seed', '7'])
  const suites = stats.json.suites as { missions: MissionStatistics[] }[]
  const report = await lab.json(['report', folder])
  const { abandoned: _kept, ...aggregate } = report.json.aggregate as Record<string, unknown>
  return {
    ...{ passed, failed, infra, pending },
    slots: attempts.map(({ slot, missionId, outcome, code }) => [slot, missionId, outcome, code]),
    missions: suites.flatMap((suite) =>
      suite.missions.map(({ missionId, rate, passAt, measures }) => {
        const { toolCalls, failures, bytes } = measures
        return { missionId, rate, passAt, toolCalls, failures, bytes }
      }),
    ),
    report: aggregate,
  }
}

interface MissionStatistics {
  missionId: string
  rate: unknown
  passAt: unknown
  measures: Record<string, unknown>
}
