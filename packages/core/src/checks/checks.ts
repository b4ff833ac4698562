// The checks of a `doctor` command: one line each, ok or what to do.
import { coloursFor } from '../cli/colour.ts'
import { streamWriter } from '../cli/lossless.ts'
import type { Host } from '../exit/exit.ts'
import { alignColumns } from '../text/columns.ts'

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
  const rows = alignColumns(
    checks.map(({ id, message, advice }) => [
      id,
      advice === undefined ? message : `${message}: ${advice}`,
    ]),
  )
  return checks.map(({ status }, index) => `${paint[status](status.padEnd(7))}  ${rows[index]}`)
}
