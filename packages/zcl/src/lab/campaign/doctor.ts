// Checks whether this machine can run a campaign: specification, write access and runners.
import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { findOnPath, isExecutable } from '../../programs/programs.ts'
import type { FlowSpec } from './campaign.ts'
import type { OpenedCampaign } from './open.ts'
import { programOf } from './flow/flow.ts'

export interface MachineCheck {
  id: string
  ok: boolean
  message?: string | undefined
}

export function checkMachine(
  { loaded, missions, outRoot, findings }: OpenedCampaign,
  host: Host,
): MachineCheck[] {
  return [
    { id: 'spec', ok: findings.length === 0, message: findings[0]?.message },
    { id: 'missions', ok: true, message: `${missions.missions.length}` },
    { id: 'write_access', ...writable(outRoot) },
    ...loaded.spec.flows.map((flow) => {
      const [program, found] = findRunner(flow, loaded.folder, host)
      const message = found ?? `${program ?? 'no command'} is not found`
      return { id: `runner_${flow.flowId}`, ok: found !== undefined, message }
    }),
  ]
}

function writable(folder: string): { ok: boolean; message?: string } {
  let existing = folder
  while (!existsSync(existing) && path.dirname(existing) !== existing) {
    existing = path.dirname(existing)
  }
  try {
    accessSync(existing, constants.W_OK)
    return { ok: true }
  } catch {
    return { ok: false, message: `${existing} cannot be written` }
  }
}

/** The program of the runner, and where it is; of a chain, the first strategy that is available. */
function findRunner(
  flow: FlowSpec,
  folder: string,
  { env }: Host,
): [string | undefined, string | undefined] {
  const { type = 'process_cmd', runtimeStrategies = [type] } = flow.runner
  const programs = runtimeStrategies.map((each) => programOf(each, flow, { folder, env }))
  for (const program of programs) {
    const found = program === undefined ? undefined : placeOf(program, env)
    if (found !== undefined) return [program, found]
  }
  return [programs[0], undefined]
}

function placeOf(program: string, env: Host['env']): string | undefined {
  if (!program.includes('/')) return findOnPath(program, env)
  return isExecutable(program) ? program : undefined
}
