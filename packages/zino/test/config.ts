// A configuration with all sockets and folders inside the test's folder.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ZinoConfig } from '../src/config/schema.ts'
import { zinoConfig } from '../src/config/schema.ts'
import type { ServiceContext } from '../src/service/service.ts'
import { allServiceNames } from '../src/services/services.ts'
import { systemClock } from '@zee/core/clock'
import { recordingLog } from './log.ts'

type Overrides = Record<string, Record<string, unknown>>

export function configIn(folder: string, over: Overrides = {}): ZinoConfig {
  const sockets = allServiceNames.map((name) => [
    name,
    { socket: path.join(folder, `${name}.sock`) },
  ])
  const base: Overrides = {
    ...(Object.fromEntries(sockets) as Overrides),
    mem: { socket: path.join(folder, 'mem.sock'), data_dir: path.join(folder, 'data/mem') },
    tools: { dir: path.join(folder, 'tools') },
    skills: { dir: path.join(folder, 'skills') },
  }
  for (const [section, keys] of Object.entries(over)) base[section] = { ...base[section], ...keys }
  return zinoConfig.schema.parse(base)
}

export function contextIn(
  folder: string,
  over: Overrides = {},
  env: ServiceContext['env'] = { PATH: process.env.PATH },
): ServiceContext & { log: ReturnType<typeof recordingLog> } {
  return { config: configIn(folder, over), log: recordingLog(), clock: systemClock, env }
}

/** Writes a file below a folder, objects as JSON; returns its path. */
export function put(folder: string, file: string, content: string | object): string {
  const target = path.join(folder, file)
  mkdirSync(path.dirname(target), { recursive: true })
  writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content))
  return target
}

export const bashTool = { meta: { executor: 'bash', file_extension: '.sh', static_analysis: null } }

export const bashSkill = {
  meta: { executor: 'bash', file_extension: '.sh', static_analysis: 'shellcheck' },
  interpreter: [{ role: 'system', content: 'INTERPRETER' }],
  fabricator: [
    { role: 'system', content: 'FABRICATOR' },
    { role: 'user', content: 'example [KCR] draft' },
    { role: 'assistant', content: '#!/bin/bash\ntrue' },
  ],
}
