// Opens a page or an address in the user's browser: $BROWSER, else the system's opener. Also receives the
// redirect of a login page.
import { runProcess } from '../process/process.ts'
export type { Callback } from './callback.ts'
export { listenForCallback } from './callback.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Whether a browser was started. Callers print the address, so a failure loses nothing. */
export async function openInBrowser(address: string, env: Environment): Promise<boolean> {
  const command = env.BROWSER || (process.platform === 'darwin' ? 'open' : 'xdg-open')
  const child = { command, args: [address], env: { ...env }, deadlineMs: 3000, captureBytes: 0 }
  const { outcome, exitCode, timedOut } = await runProcess(child)
  return timedOut || (outcome === 'exited' && exitCode === 0)
}
