// Runs all four programs together, offline, in a new folder: plays the scenes in order and stops every
// process at the end.
import { coloursFor, wantsColour } from '@zee/core/colour'
import type { Host } from '@zee/core/exit'
import { prepareFolder, type Cast } from './folder.ts'
import { scenes, showFiles, showNextSteps } from './scenes.ts'
import { Stage, TourStopped } from './stage.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Returns the exit code. Without `keep`, the folder of the tour is removed at the end. */
export async function playTour(cast: Cast, keep: boolean, host: Host): Promise<number> {
  const { env, stdout, stderr } = host
  const stop = new AbortController()
  const onSignal = (signal: NodeJS.Signals): void => stop.abort(signal)
  for (const signal of signals) process.on(signal, onSignal)
  stdout.on('error', () => stop.abort('SIGPIPE'))
  const folder = prepareFolder(env, cast)
  // The steps write to pipes and cannot detect the terminal.
  if (wantsColour(stdout, env)) folder.env.FORCE_COLOR = '1'
  const stage = new Stage({
    folder,
    out: stdout,
    paint: coloursFor(stdout, env),
    signal: stop.signal,
  })
  try {
    for (const scene of scenes) await scene(stage, cast)
    if (keep) showFiles(stage)
    else showNextSteps(stage)
    await offerDashboard({ ...host, env: folder.env, cwd: folder.repository }, stop.signal)
    return 0
  } catch (error) {
    if (!(error instanceof TourStopped)) throw error
    stderr.write(`\ntour: ${error.message}\n`)
    if (keep) stderr.write(`tour: the unfinished tour is in ${folder.base}\n`)
    return error.exitCode
  } finally {
    await stage.stopZino()
    if (!keep) folder.remove()
    for (const signal of signals) process.off(signal, onSignal)
  }
}

/** On a terminal, asks whether to open the dashboard of what the tour recorded. */
async function offerDashboard(host: Host, signal: AbortSignal): Promise<void> {
  const { stdin, stdout } = host
  if (stdin.isTTY !== true || stdout.isTTY !== true) return
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: stdin, output: stdout })
  // Ctrl+C, Ctrl+D and a signal at the question mean no.
  const answer = await Promise.race([
    lines.question('\nOpen the dashboard of this tour? [y/N] ', { signal }).catch(() => ''),
    new Promise<string>((resolve) => lines.once('close', () => resolve(''))),
  ]).finally(() => lines.close())
  if (!/^y(es)?$/i.test(answer.trim())) return
  await (await import('../ui/ui.ts')).runUi({ port: 0, noOpen: false }, host)
}
