// The docs page and the systemd units agree with the source.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { configTable } from '@zee/core/config-docs'
import { describe, expect, it } from 'vitest'
import { zinoConfig } from './config/schema.ts'
import { allServiceNames } from './services/services.ts'

const here = import.meta.dirname
const cells = (table: string) =>
  table
    .trim()
    .split('\n')
    .filter((line) => !/^[|\s-]+$/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))

describe('the docs page', () => {
  const page = readFileSync(path.join(here, '../../../docs/zino.md'), 'utf8')

  it('shows the configuration table that the schema generates', () => {
    const [, table = ''] = /<!-- config table:.*?-->([^]*?)<!-- end/.exec(page) ?? []
    expect(cells(table)).toEqual(cells(configTable(zinoConfig)))
  })
})

describe('the systemd units', () => {
  const folder = path.join(here, '../systemd/separate-units')
  const unit = (file: string) => readFileSync(path.join(folder, file), 'utf8')

  it('have one unit per service and a target that wants all but the bridge', () => {
    const services = allServiceNames.map((name) => `zino-${name}.service`)
    expect(readdirSync(folder).sort()).toEqual([...services, 'zino.target'].sort())
    for (const service of services) {
      expect(unit('zino.target').includes(service)).toBe(service !== 'zino-http.service')
    }
  })

  it.each([...allServiceNames])('run %s as the user zino, with restarts and hardening', (name) => {
    const text = unit(`zino-${name}.service`)
    for (const line of [
      `ExecStart=/opt/zino/bin/zino ${name} --config /etc/zino/ZINO.toml`,
      'Restart=on-failure',
      'RestartSec=5',
      'User=zino',
      'EnvironmentFile=-/etc/zino/env',
      'NoNewPrivileges=true',
      'ProtectSystem=full',
      'ProtectHome=true',
      'PrivateTmp=true',
    ]) {
      expect(text.split('\n')).toContain(line)
    }
    expect(text).toMatch(/^PartOf=zino\.target/m)
  })
})
