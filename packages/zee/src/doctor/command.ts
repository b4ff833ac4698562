// `zee doctor`: prints the checks; exits 1 when something blocks.
import { coloursFor } from '@zee/core/colour'
import { alignColumns } from '@zee/core/columns'
import type { Host } from '@zee/core/exit'
import { streamWriter } from '@zee/core/lossless'
import { findPlaces } from '../places/places.ts'
import { runChecks, type Check } from './checks.ts'

export async function runDoctor({ json }: { json: boolean }, host: Host): Promise<number> {
  const checks = await runChecks(findPlaces(host), host)
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
