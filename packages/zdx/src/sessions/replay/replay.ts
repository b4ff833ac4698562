// Replays a session with its recorded answers, or with a model if `--model` names one.
import type { Host } from '@zee/core/exit'
import type { Globals } from '../../cli/cli.ts'
import type { Interrupts } from '../../interrupt/interrupt.ts'
import type { ExistingSession } from '../../project/project.ts'
import { keyVariables } from '../../providers/providers.ts'
import { loadSettings, undoFolder } from '../../settings/settings.ts'
import { replaySession } from './play.ts'
import { readRecording } from './recording.ts'
import { modelReplayText, reportText } from './report.ts'

export interface ReplayResult {
  text: string
  exitCode: number
}

/** Exit 3 if the replay differs from the recording. */
export async function replay(
  host: Host,
  globals: Globals,
  { id, folder, base }: ExistingSession,
  interrupts: Interrupts,
): Promise<ReplayResult> {
  const paths = { sessions: folder, undo: undoFolder(base, id), id, env: host.env }
  const recording = await readRecording(folder, id)
  const env = await commandEnv(host, globals)
  if (globals.model !== undefined) {
    const { replayWithModel } = await import('./with-model.ts')
    const runs = await replayWithModel(id, recording, { host, paths, env, globals, interrupts })
    return { text: modelReplayText(id, runs, globals.format), exitCode: 0 }
  }
  const report = await replaySession(recording, { host, paths, env, signal: interrupts.signal })
  const exitCode = report.difference === undefined ? 0 : 3
  return { text: reportText(id, report, globals.format), exitCode }
}

/** The environment of commands: without provider keys. */
async function commandEnv(host: Host, globals: Globals): Promise<Host['env']> {
  const keys = keyVariables((await loadSettings(host, globals)).values)
  return Object.fromEntries(Object.entries(host.env).filter(([name]) => !keys.has(name)))
}
