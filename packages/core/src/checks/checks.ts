// The checks of a `doctor` command: one line each, ok or what to do.
import { coloursFor, withoutControls } from '../cli/colour.ts'
import { streamWriter } from '../cli/lossless.ts'
import type { Host } from '../exit/exit.ts'
import { displayWidth, wrapStyled } from '../text/styled-text.ts'

export { folderCheck } from './folder.ts'

export interface Check {
  id: string
  /** `todo` limits what the programs can do; `blocked` stops them. */
  status: 'ok' | 'todo' | 'blocked'
  message: string
  /** What to do; absent if the check is ok. */
  advice?: string
}

/** Prints the checks; resolves to exit code 1 when something blocks. */
export async function printChecks(
  checks: readonly Check[],
  { json }: { json: boolean },
  host: Host,
): Promise<number> {
  const ok = checks.every(({ status }) => status !== 'blocked')
  const text = json ? JSON.stringify({ ok, checks }) : describe(checks, host).join('\n')
  await streamWriter(host.stdout)(`${text}\n`)
  return ok ? 0 : 1
}

function describe(checks: readonly Check[], host: Host): string[] {
  const { green, yellow, red } = coloursFor(host.stdout, host.env)
  const paint = { ok: green, todo: yellow, blocked: red }
  const idWidth = Math.max(...checks.map(({ id }) => displayWidth(id)))
  const indent = ' '.repeat(idWidth + 11)
  // A pipe gets one line per check, however long.
  const width = host.stdout.isTTY ? (host.stdout.columns ?? 80) : Infinity
  return checks.flatMap(({ id, status, message, advice }) => {
    const text = withoutControls(advice === undefined ? message : `${message}: ${advice}`)
    const name = id + ' '.repeat(idWidth - displayWidth(id))
    const first = `${paint[status](status.padEnd(7))}  ${name}  `
    return wrapStyled(text, width, { first, rest: indent })
  })
}
