// Replays a session: rebuilds the tree before its first change in a temporary folder, plays the recorded
// answers through the real tools, and finds the first difference of a result, an event or the tree.
import type { CallGuard, Envelope, Secrets, Turn } from '@zee/agent'
import { failure, openSecrets, runTurn, toolNames, toolsNamed } from '@zee/agent'
import type { MovedProject, SessionPaths, SessionTree } from '@zee/agent/undo'
import { openSessionTree } from '@zee/agent/undo'
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import path from 'node:path'
import { recordedModel } from './recorded-model.ts'
import type { RecordedCall, Recording, RecordedStep } from './recording.ts'
import { copyProject } from './working-copy.ts'

export interface Difference {
  kind: 'tool result' | 'event' | 'tree'
  event: number | undefined
  /** The call or the path. */
  what: string
  recorded: string
  replayed: string
}

export interface ReplayReport {
  turns: number
  calls: number
  /** Calls whose recorded result was used, because they cannot be repeated. */
  skipped: number
  difference: Difference | undefined
}

export interface ReplayOptions {
  host: Host
  paths: SessionPaths
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  /** Records the calls, for example as evidence. */
  around?: Turn['around']
  /** Plays the session to its end in spite of differences. */
  goesOn?: boolean
}

/** Results of calls that did not run in the recording. */
const notRun = new Set(['denied', 'blocked', 'cancelled', 'secret_unknown', 'unknown_tool'])

/** A rebuilt project in a temporary folder. */
export interface RebuiltProject {
  project: MovedProject
  /** The working folder of the session in it. */
  cwd: string
  tree: SessionTree
}

/** Rebuilds the project as it was before the session, for the time of `work`. */
export async function withRebuiltProject<T>(
  { root, cwd = root }: Recording,
  paths: SessionPaths,
  work: (rebuilt: RebuiltProject) => Promise<T>,
): Promise<T> {
  if (root === undefined || cwd === undefined) {
    throw new ZeeError('replay_no_root', 'the session does not say in which project it ran')
  }
  const copy = copyProject(root)
  try {
    const project = { from: root, to: copy.folder }
    const tree = await openSessionTree(paths, project)
    await tree.restoreStart()
    return await work({ project, tree, cwd: path.join(copy.folder, path.relative(root, cwd)) })
  } finally {
    copy.remove()
  }
}

/** Replays the session up to the first difference. */
export function replaySession(recording: Recording, options: ReplayOptions): Promise<ReplayReport> {
  return withRebuiltProject(recording, options.paths, async (rebuilt) => {
    const report = await playRecording(recording, rebuilt, options)
    const changed = report.difference === undefined ? rebuilt.tree.firstDifference() : undefined
    if (changed === undefined) return report
    const difference: Difference = {
      kind: 'tree',
      event: undefined,
      what: changed,
      recorded: 'the state after the last change of the session',
      replayed: 'another state',
    }
    return { ...report, difference }
  })
}

/** Plays the recorded answers in the rebuilt project. */
export async function playRecording(
  { steps }: Recording,
  { project, cwd, tree }: RebuiltProject,
  options: ReplayOptions,
): Promise<ReplayReport> {
  const replay = new Replay(options, project, cwd)
  let transactions = 0
  for (const step of steps) {
    if (step.kind === 'turn') await replay.playTurn(step)
    else await tree.applyTransaction(transactions++)
    if (replay.report.difference !== undefined && options.goesOn !== true) break
  }
  return replay.report
}

type RecordedTurn = Extract<RecordedStep, { kind: 'turn' }>

class Replay {
  readonly report: ReplayReport = { turns: 0, calls: 0, skipped: 0, difference: undefined }
  readonly #options: ReplayOptions
  readonly #project: MovedProject
  readonly #cwd: string
  readonly #stop = new AbortController()
  readonly #secrets: Secrets

  constructor(options: ReplayOptions, project: MovedProject, cwd: string) {
    this.#options = options
    this.#secrets = openSecrets({ env: options.host.env, ownKeys: [], history: [] })
    this.#project = project
    this.#cwd = cwd
  }

  async playTurn(turn: RecordedTurn): Promise<void> {
    this.report.turns += 1
    const pending = turn.rounds.flatMap(({ calls }) => calls)
    if (turn.rounds.length === 0) return
    let error: string | undefined
    for await (const event of runTurn(this.#turnFor(turn, pending))) {
      if (event.type === 'error') error = event.message
    }
    this.#options.signal.throwIfAborted()
    // An interrupted turn ends after its last result.
    const isCutShort = (turn.rounds.at(-1)?.calls.length ?? 0) > 0
    if (error === undefined || isCutShort || this.report.difference !== undefined) return
    this.#differ('event', turn.event, 'turn', 'the turn ended', `error: ${error}`)
  }

  #turnFor(turn: RecordedTurn, pending: RecordedCall[]): Turn {
    const { host, env, signal, around } = this.#options
    return {
      model: recordedModel(turn.rounds, (input) => this.#moved(input)),
      request: { model: 'recording' },
      tools: toolsNamed(toolNames),
      toolContext: { root: this.#cwd, timeoutMs: 600_000, env },
      history: [],
      prompt: turn.prompt,
      session: undefined,
      signal: AbortSignal.any([signal, this.#stop.signal]),
      clock: host.clock,
      secrets: this.#secrets,
      guard: this.#guardFor(pending),
      around,
    }
  }

  #guardFor(pending: RecordedCall[]): CallGuard {
    let current: RecordedCall | undefined
    return {
      before: async () => {
        current = pending.shift()
        const recorded = current?.result
        if (current === undefined || recorded === undefined) {
          return { refused: failure('cancelled', 'The recording ends here'), notices: [] }
        }
        if (this.#canRepeat(current, recorded)) return { notices: [] }
        this.report.skipped += 1
        return { refused: recorded, notices: [] }
      },
      after: async (_call, result) => {
        if (!result.ok && result.error.code === 'secret_unknown') this.report.skipped += 1
        else if (current?.result !== undefined) {
          this.report.calls += 1
          this.#compare(current, await this.#secrets.hideResult(current.result), result)
        }
        return { result, notices: [] }
      },
    }
  }

  /** Calls of other systems, refused calls, and changes outside the project are not repeated. */
  #canRepeat({ name, input }: RecordedCall, recorded: Envelope): boolean {
    if (!toolNames.includes(name) || name === 'recall') return false
    if (!recorded.ok && notRun.has(recorded.error.code)) return false
    if (name !== 'write' && name !== 'edit') return true
    const target = path.resolve(this.#cwd, String(this.#moved(input).path))
    return target.startsWith(this.#project.to + path.sep)
  }

  #compare(call: RecordedCall, recorded: Envelope, result: Envelope): void {
    const expected = comparable(recorded)
    const replayed = comparable(result).replaceAll(this.#project.to, this.#project.from)
    if (expected === replayed) return
    const object = call.input.command ?? call.input.path ?? ''
    this.#differ(
      'tool result',
      call.resultEvent,
      `${call.name} ${String(object)}`,
      expected,
      replayed,
    )
    if (this.#options.goesOn !== true) this.#stop.abort()
  }

  #differ(
    kind: Difference['kind'],
    event: number | undefined,
    what: string,
    recorded: string,
    replayed: string,
  ): void {
    this.report.difference ??= { kind, event, what, recorded, replayed }
  }

  /** The input with paths of the project replaced by paths of the copy. */
  #moved(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const { from, to } = this.#project
    const entries = Object.entries(input).map(([key, value]) => [
      key,
      typeof value === 'string' && key !== 'content' && key !== 'old' && key !== 'new'
        ? value.replaceAll(from, to)
        : value,
    ])
    return Object.fromEntries(entries) as Record<string, unknown>
  }
}

/** Without the context that a hook added, and without the numbers of placeholders. */
function comparable(envelope: Envelope): string {
  const { hook_context: _context, ...data } = envelope.ok ? envelope.data : {}
  const text = JSON.stringify(envelope.ok ? { ok: true, data } : envelope)
  return text.replace(/⟦secret:([\w-]+):\d+⟧/g, '⟦secret:$1⟧')
}
