// `zdx sessions replay --model X`: asks a real model the prompts of a session in the rebuilt project, and
// leaves the recording and the new run as attempts, ready for `zcl compare`.
import { runTurn } from '@zee/agent'
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { kebabId } from '@zee/core/ids'
import { attemptEnvironment } from '@zee/evidence/attempt'
import { reportAttempt } from '@zee/evidence/report'
import { startAttempt } from '@zee/evidence/runs'
import path from 'node:path'
import type { Globals } from '../../cli/cli.ts'
import { openConversation } from '../../conversation/conversation.ts'
import { openEvidence, openFeedback } from '../../evidence/evidence.ts'
import type { Interrupts } from '../../interrupt/interrupt.ts'
import { retryLine } from '../../render/render.ts'
import { baseFolder } from '../../settings/settings.ts'
import type { Recording } from './recording.ts'
import type { ReplayOptions } from './play.ts'
import { playRecording, withRebuiltProject } from './play.ts'

export interface ModelReplayOptions extends Omit<ReplayOptions, 'around' | 'goesOn' | 'signal'> {
  globals: Globals
  interrupts: Interrupts
}

export interface ModelReplay {
  /** Run ids for `zcl compare`. */
  recordedRun: string
  modelRun: string
  outRoot: string
}

interface RunResult {
  ok: boolean
  text: string
}

export async function replayWithModel(
  id: string,
  recording: Recording,
  options: ModelReplayOptions,
): Promise<ModelReplay> {
  const { host, paths, interrupts } = options
  const outRoot = path.resolve(host.cwd, host.env.ZCL_OUT_ROOT || '.zcl')
  const inAttempt = (work: (attemptHost: Host) => Promise<RunResult>) =>
    runAttempt(host, outRoot, id, recording, work)
  const recordedRun = await inAttempt(async (attemptHost) =>
    withRebuiltProject(recording, paths, async (rebuilt) => {
      const { turn } = await openEvidence(attemptHost)
      const { signal } = interrupts
      await playRecording(recording, rebuilt, { ...options, ...turn, signal, goesOn: true })
      return recordedResult(recording)
    }),
  )
  const modelRun = await inAttempt((attemptHost) =>
    withRebuiltProject(recording, paths, ({ cwd }) =>
      askModel(recording, attemptHost, cwd, options),
    ),
  )
  return { recordedRun, modelRun, outRoot }
}

/** Starts an attempt in a run of its own, runs the work with its environment, and reports it. */
async function runAttempt(
  host: Host,
  outRoot: string,
  id: string,
  recording: Recording,
  work: (attemptHost: Host) => Promise<RunResult>,
): Promise<string> {
  const suiteId = 'zdx-replay'
  const missionId = kebabId(id) || 'session'
  const started = await startAttempt({
    outRoot,
    suiteId,
    missionId,
    retry: 1,
    mode: 'discovery',
    prompt: promptsOf(recording).join('\n\n'),
    settings: {},
    now: host.clock.now(),
  })
  const { runId, attemptId, folder } = started
  const identity = { runId, suiteId, missionId, attemptId }
  const env = { ...host.env, ...attemptEnvironment(identity, folder) }
  const attemptHost = { ...host, env: { ...env, ZDX_HOME: baseFolder(host.env, host.cwd) } }
  const { ok, text } = await work(attemptHost)
  const writeFeedback = await openFeedback(attemptHost)
  await writeFeedback(ok, text || (ok ? 'no answer' : 'the run failed'))
  const location = { folder, name: attemptId, runFolder: path.dirname(path.dirname(folder)) }
  const computedAt = rfc3339(host.clock.now())
  await reportAttempt(location, { strictness: 'by_mode', computedAt })
  return runId
}

function promptsOf({ steps }: Recording): string[] {
  return steps.flatMap((step) => (step.kind === 'turn' ? [step.prompt] : []))
}

/** The recording is a success if its last turn ended with an answer. */
function recordedResult({ steps }: Recording): RunResult {
  const last = steps.findLast((step) => step.kind === 'turn')?.rounds.at(-1)
  return { ok: last !== undefined && last.calls.length === 0, text: last?.text ?? '' }
}

async function askModel(
  recording: Recording,
  host: Host,
  cwd: string,
  { globals, interrupts }: ModelReplayOptions,
): Promise<RunResult> {
  const conversation = await openConversation({
    host,
    globals: { ...globals, root: cwd, session: undefined, continue: false, noSave: true },
    interrupts,
    onRetry: (wait) => void host.stderr.write(`${retryLine(wait)}\n`),
  })
  const result: RunResult = { ok: true, text: '' }
  try {
    for (const prompt of promptsOf(recording)) {
      for await (const event of runTurn(conversation.turn(prompt, interrupts.signal))) {
        if (event.type === 'assistant_final') result.text = event.text
        if (event.type === 'error') result.text = event.message
        if (event.type === 'turn_end') result.ok = event.reason === 'done'
      }
      interrupts.signal.throwIfAborted()
      if (!result.ok) break
    }
    return result
  } finally {
    await conversation.close()
  }
}
