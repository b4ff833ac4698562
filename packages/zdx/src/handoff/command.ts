// `zdx handoff`: writes the handoff bundle to stdout or to a file, or starts a session with it.
import type { Call } from '@zee/core/command-line'
import { oneLine, reasonOf, usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import path from 'node:path'
import type { Globals } from '../cli/cli.ts'
import { withErrorContext } from '../errors/errors.ts'
import { isInterrupt } from '../interrupt/interrupt.ts'
import { terminalSafeWriter } from '@zee/core/lossless'
import { newestSession, sessionNamed, sessionScope } from '../project/project.ts'
import { workingFolder } from '../settings/settings.ts'
import { handoffText } from './handoff.ts'

export interface HandoffCall extends Pick<Call, 'host'> {
  globals: Globals
  options: {
    goal: string
    fromSession: string | undefined
    out: string | undefined
    start: boolean
    withModel: boolean
  }
}

export async function runHandoff({ host, globals, options }: HandoffCall): Promise<number> {
  const { goal, out } = options
  if (goal.trim() === '') throw usageError('the goal is empty')
  if (globals.format === 'json' && !options.start) throw usageError('handoff has no JSON output')
  const scope = sessionScope(host, globals)
  const { folder } = scope
  const { fromSession } = options
  const id = await withErrorContext('resolve session', () =>
    fromSession === undefined
      ? newestSession(scope)
      : (sessionNamed(folder, fromSession) ?? fromSession),
  )
  if (id === undefined) throw new ZeeError('no_session', 'No sessions found to hand off')
  const text = await withErrorContext(`hand off session '${id}'`, () =>
    handoffText({
      folder,
      id,
      goal,
      root: workingFolder(host, globals),
      env: host.env,
      writePrompt: options.withModel ? promptWriter(host, globals, goal) : undefined,
    }),
  )
  if (out !== undefined) {
    const file = path.resolve(host.cwd, out)
    const { writeFileAtomic } = await import('@zee/core/atomic-file')
    await withErrorContext('write the handoff', () => writeFileAtomic(file, text))
  } else if (!options.start) {
    await terminalSafeWriter(host.stdout)(text)
  }
  return options.start ? startSession({ host, globals }, text, id) : 0
}

/** Runs the draft as the first prompt of a new session; stdout gets the answer. */
async function startSession(
  { host, globals }: Pick<HandoffCall, 'host' | 'globals'>,
  text: string,
  parent: string,
): Promise<number> {
  if (!globals.quiet) await terminalSafeWriter(host.stderr)(`${text}\n`)
  const { exitCodeOrThrow, runPrompt } = await import('../exec/exec.ts')
  const result = await runPrompt({
    host,
    globals: { ...globals, continue: false },
    args: [],
    options: { prompt: text, stdin: false, verify: false, zclFeedback: false },
    parent,
  })
  return exitCodeOrThrow(result)
}

/** Falls back to the draft if the model fails: a handoff must not depend on a network. */
function promptWriter(
  host: Host,
  globals: Globals,
  goal: string,
): (draft: string) => Promise<string> {
  return async (draft) => {
    try {
      const { askOnce } = await import('./ask-model.ts')
      const answer = await askOnce(host, globals, instructions(goal, draft))
      if (answer.trim() !== '') return answer.trim()
      throw new Error('the answer is empty')
    } catch (error) {
      if (isInterrupt(error)) throw error
      const why = oneLine(reasonOf(error))
      host.stderr.write(`Warning: the model did not write the starter prompt: ${why}\n`)
      return draft
    }
  }
}

function instructions(goal: string, draft: string): string {
  return [
    'Write one prompt with which a coding agent that knows nothing of the work so far can reach',
    'this goal. Keep every fact that it needs, leave out the rest, and answer with the prompt alone.',
    `\nGoal: ${goal}\n\nContext:\n\n${draft}`,
  ].join('\n')
}
