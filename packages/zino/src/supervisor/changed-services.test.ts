import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { zinoConfig } from '../config/schema.ts'
import type { ServiceName } from '../services/services.ts'
import { allServiceNames, sectionsOf } from '../services/services.ts'
import { changedServices } from './changed-services.ts'

const config = zinoConfig.schema.parse({})

it('a change concerns the services that read its section', () => {
  const changed = (change: object) => changedServices(config, { ...config, ...change })
  expect(changed({})).toEqual([])
  expect(changed({ ctx: { ...config.ctx, history_limit: 7 } })).toEqual(['ctx'])
  expect(changed({ service: { ...config.service, model: 'x' } })).toEqual(['rtr', 'http'])
  expect(changed({ tools: { dir: 'x' } })).toEqual(['agr', 'sys', 'exc'])
})

it('a change of the logging or of a secret concerns all services', () => {
  const logging = { ...config.logging, level: 'DEBUG' as const }
  expect(changedServices(config, { ...config, logging })).toEqual(allServiceNames)
  const api = { ...config.api, key: 'k' }
  expect(changedServices(config, { ...config, api })).toEqual(allServiceNames)
})

const folders: Partial<Record<ServiceName, string>> = {
  ...{ daemon: 'services/daemon', rtr: 'services/router', agr: 'services/agent' },
  ...{ sys: 'services/prompt', exc: 'services/executor', mem: 'services/memory' },
  ...{ ctx: 'services/context', tmr: 'services/timers', http: 'http' },
}

it.each(Object.entries(folders))('the sections of %s are those that its code reads', (name, at) => {
  const folder = path.join(import.meta.dirname, '..', at)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/(?:test|fixtures)\.ts$/.test(file),
  )
  const source = files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n')
  const known: readonly string[] = sectionsOf(name as ServiceName)
  // Sockets and the data folder do not change while zino runs; a changed key concerns all services.
  const read = [...source.matchAll(/\bconfig\.(\w+)(?:\.(\w+))?/g)].flatMap(
    ([, section = '', key = '']) => (/^(?:socket|data_dir|key)$/.test(key) ? [] : [section]),
  )
  const sections = read.filter((section) => Object.hasOwn(zinoConfig.schema.shape, section))
  expect(sections.filter((section) => !known.includes(section))).toEqual([])
})
