// `zcl doctor`: checks that attempts can be recorded here. Leaves no files.
import type { Host } from '@zee/core/exit'
import { defaultOutRoot, inspectSettings, refusedLink, resolveOutRoot } from '../config.ts'
import { aligned, colours, complain, printJson, printLines } from '../../output/output.ts'
import { checkEnvironment, type Check } from './doctor.ts'

export async function runDoctor(
  options: { outRoot: string | undefined; json: boolean },
  host: Host,
): Promise<number> {
  const { config } = await inspectSettings(host, options.outRoot)
  // A broken configuration must not hide the other checks.
  const fallback = options.outRoot ?? (host.env.ZCL_OUT_ROOT || defaultOutRoot)
  const outRoot = config?.values.outRoot ?? fallback
  const refusal = config === undefined ? undefined : refusedLink(host, config)
  const checks = await checkEnvironment(resolveOutRoot(host, outRoot).absolute, refusal, host)
  const bad = checks.filter((check) => !check.ok)
  const ok = bad.length === 0
  if (options.json) printJson(host, { ok, outRoot, checks })
  else printLines(host, describeChecks(checks, host))
  if (ok) return 0
  const others = bad.length === 1 ? '' : ` (and ${bad.length - 1} more)`
  complain(host, 'ZCL_E_IO', `${bad[0]?.id}: ${bad[0]?.message}${others}`)
  return 1
}

function describeChecks(checks: readonly Check[], host: Host): string[] {
  const { green, red } = colours(host)
  const rows = aligned(checks.map(({ id, message }) => [id, message ?? '']))
  return rows.map(
    (row, index) => `${checks[index]?.ok === true ? green('ok ') : red('bad')} ${row}`,
  )
}
