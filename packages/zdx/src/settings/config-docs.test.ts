// Compares docs/zdx.md with the configuration schema and the command tree.
import { configTable } from '@zee/core/config-docs'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { repository } from '../../../../test/support/paths.ts'
import { everyCommand } from '@zee/core/command-line'
import { tree } from '../cli/cli.ts'
import { zdxConfig } from './schema.ts'

/** The cells of a Markdown table without padding. */
function rows(table: string): string[][] {
  return table
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[\s|-]+$/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
}

it('docs/zdx.md has the settings table generated from the schema', () => {
  const page = readFileSync(path.join(repository, 'docs/zdx.md'), 'utf8')
  const part = page.split('<!-- config -->')[1]?.split('<!-- /config -->')[0] ?? ''
  expect(rows(part)).toEqual(rows(configTable(zdxConfig)))
})

it('docs/zdx.md and the pages beside it name every flag of every command', () => {
  const docs = path.join(repository, 'docs')
  const pages = readdirSync(docs).filter((name) => /^zdx[\w-]*\.md$/.test(name))
  const text = pages.map((name) => readFileSync(path.join(docs, name), 'utf8')).join('\n')
  const flags = [...everyCommand(tree)].flatMap(({ command }) =>
    Object.values(command.options).flatMap(({ flags }) => flags.match(/--[a-z-]+/g) ?? []),
  )
  expect(flags.length).toBeGreaterThan(15)
  expect(flags.filter((flag) => !text.includes(flag))).toEqual([])
})
