// `zdx verify`: checks the claims of the last answer of a session, or of every turn.
import type { Call } from '@zee/core/command-line'
import type { Globals } from '../cli/cli.ts'
import { withErrorContext } from '../errors/errors.ts'
import { requireSession } from '../project/project.ts'
import { exitCodeFor, printClaims, printClaimsAsJson, verifySession } from './verify.ts'

export interface VerifyCall extends Pick<Call, 'host' | 'args'> {
  globals: Globals
  options: { allTurns: boolean }
}

export async function runVerify({ host, globals, args, options }: VerifyCall): Promise<number> {
  const { id, folder } = requireSession(host, globals, args[0])
  const claims = await withErrorContext(`verify session '${id}'`, () =>
    verifySession(folder, id, { allTurns: options.allTurns }),
  )
  if (globals.format === 'json') await printClaimsAsJson(host.stdout, claims)
  else if (claims.length === 0) host.stdout.write('No claims found.\n')
  else await printClaims(host.stdout, host.env, claims)
  return exitCodeFor(claims)
}
