// Whether this machine can carry a campaign out: what has to be there before anything is run.
import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { findOnPath, isExecutable } from '../../programs/programs.ts'
import type { OpenedCampaign } from './open.ts'

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
    ...loaded.spec.flows.map(({ flowId, runner }) => {
      const found = findProgram(runner.command?.[0], loaded.folder, host)
      const message = found ?? `${runner.command?.[0] ?? 'no command'} is not found`
      return { id: `runner_${flowId}`, ok: found !== undefined, message }
    }),
  ]
}

function writable(folder: string): { ok: boolean; message?: string } {
  let place = folder
  while (!existsSync(place) && path.dirname(place) !== place) place = path.dirname(place)
  try {
    accessSync(place, constants.W_OK)
    return { ok: true }
  } catch {
    return { ok: false, message: `${place} cannot be written` }
  }
}

function findProgram(name: string | undefined, folder: string, { env }: Host): string | undefined {
  if (name === undefined) return undefined
  if (!name.includes('/')) return findOnPath(name, env)
  const file = path.resolve(folder, name)
  return isExecutable(file) ? file : undefined
}
