// Prints the claims of an answer with their verdicts, as lines for people or as JSON lines.
import type { CheckedClaim, Verdict } from '@zee/agent/verify'
import { verifySession } from '@zee/agent/verify'
import type { Colours } from '@zee/core/colour'
import { coloursFor } from '@zee/core/colour'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { terminalSafeWriter } from '@zee/core/lossless'

export { verifySession }

/** The exit code if a claim is contradicted or stale. */
const wrongClaimCode = 3

const marks: Readonly<Record<Verdict, (paint: Colours) => string>> = {
  ok: (paint) => paint.green('✓'),
  contradicted: (paint) => paint.red('✗'),
  stale: (paint) => paint.yellow('⚠'),
  unchecked: (paint) => paint.dim('?'),
}

export function exitCodeFor(claims: readonly CheckedClaim[]): number {
  return claims.some(isWrong) ? wrongClaimCode : 0
}

export function isWrong({ verdict }: CheckedClaim): boolean {
  return verdict === 'contradicted' || verdict === 'stale'
}

/** `✓ event 14  All 12 tests pass.` */
export async function printClaims(
  stream: NodeJS.WriteStream,
  env: Host['env'],
  claims: readonly CheckedClaim[],
): Promise<void> {
  const paint = coloursFor(stream, env)
  const lines = claims.map((claim) => {
    const reason = claim.verdict === 'unchecked' ? 'not checkable' : claim.reason
    return [marks[claim.verdict](paint), `${oneLine(reason)}  ${oneLine(claim.text)}`]
  })
  const write = terminalSafeWriter(stream)
  for (const [mark = '', text = ''] of lines) {
    stream.write(`${mark} `)
    await write(`${text}\n`)
  }
}

/** One JSON object per line, with further fields before those of the claim. */
export async function printClaimsAsJson(
  stream: NodeJS.WriteStream,
  claims: readonly CheckedClaim[],
  fields: object = {},
): Promise<void> {
  const write = terminalSafeWriter(stream)
  for (const claim of claims) await write(`${JSON.stringify({ ...fields, ...claim })}\n`)
}
