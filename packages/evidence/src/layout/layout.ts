// Paths of runs, attempts and artifacts below an output root, and the ids that name their folders.
import path from 'node:path'

export const artifactName = {
  run: 'run.json',
  suite: 'suite.json',
  runReport: 'run.report.json',
  attempt: 'attempt.json',
  prompt: 'prompt.txt',
  trace: 'tool.calls.jsonl',
  /** The calls that `zcl run` started; each ends with an event in the trace. */
  begins: 'tool.begins.jsonl',
  feedback: 'feedback.json',
  notes: 'notes.jsonl',
  /** What the agent and its user said, from the log of the agent. */
  messages: 'messages.jsonl',
  report: 'attempt.report.json',
  runnerRef: 'runner.ref.json',
  runnerMetrics: 'runner.metrics.json',
  attemptEnv: 'attempt.env.sh',
  runtimeEnv: 'attempt.runtime.env.json',
  captures: 'captures.jsonl',
  runnerCommand: 'runner.command.txt',
  runnerStdout: 'runner.stdout.log',
  runnerStderr: 'runner.stderr.log',
} as const

/** Artifacts of the lab: outcome and grades of a try, plan and summary of a run. */
export const labArtifactName = {
  /** What the harness itself saw of the attempt. */
  harnessRecord: 'harness.record.json',
  workspace: 'workspace.json',
  workspaceDiff: 'workspace.diff',
  verification: 'verify.result.json',
  score: 'score.result.json',
  judge: 'judge.result.json',
  outcome: 'attempt.outcome.json',
  oracleVerdict: 'oracle.verdict.json',
  runPlan: 'suite.run.plan.json',
  runSummary: 'suite.run.summary.json',
  /** Of a fork: its source, its outcome and where it departs; and the calls that a trace answered. */
  fork: 'fork.json',
  served: 'served.jsonl',
} as const

export const attemptsFolderName = 'attempts'
export const captureFolderName = 'captures/cli'

export interface AttemptIdParts {
  index: number
  missionId: string
  retry: number
}

export function runsFolder(outRoot: string): string {
  return path.join(outRoot, 'runs')
}

export function runFolder(outRoot: string, runId: string): string {
  return path.join(outRoot, 'runs', runId)
}

export function attemptsFolder(runDir: string): string {
  return path.join(runDir, attemptsFolderName)
}

/** Scratch space of a run; garbage collection removes it with the run. */
export function scratchFolder(outRoot: string, runId: string): string {
  return path.join(outRoot, 'tmp', runId)
}

/** Workspaces of running attempts; each is removed or moved when its attempt ends. */
export function workspacesFolder(outRoot: string): string {
  return path.join(outRoot, 'tmp', 'workspaces')
}

/** Jobs of a run for its workers; garbage collection removes them with the run. */
export function queueFolder(outRoot: string, runId: string): string {
  return path.join(outRoot, 'queue', runId)
}

/** The run folder of an attempt, or undefined if the attempt is not in an `attempts` folder. */
export function runFolderOfAttempt(attemptDir: string): string | undefined {
  const parent = path.dirname(path.resolve(attemptDir))
  return path.basename(parent) === attemptsFolderName ? path.dirname(parent) : undefined
}

/** `007-open-the-page-r1`; an index above 999 has more digits. */
export function attemptIdOf({ index, missionId, retry }: AttemptIdParts): string {
  return `${String(index).padStart(3, '0')}-${missionId}-r${retry}`
}

const attemptIdForm = /^([0-9]{3,15})-([a-z0-9]+(?:-[a-z0-9]+)*)-r([1-9][0-9]{0,14})$/

export function parseAttemptId(text: string): AttemptIdParts | undefined {
  const found = attemptIdForm.exec(text)
  if (found === null) return undefined
  return { index: Number(found[1]), missionId: found[2] ?? '', retry: Number(found[3]) }
}
