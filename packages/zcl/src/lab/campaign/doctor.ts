// Checks whether this machine can run a campaign: specification, write access and runners.
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

function findProgram(name: string | undefined, folder: string, { env }: Host): string | undefined {
  if (name === undefined) return undefined
  if (!name.includes('/')) return findOnPath(name, env)
  const file = path.resolve(folder, name)
  return isExecutable(file) ? file : undefined
}
