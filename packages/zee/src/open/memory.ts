// Writes the page of a memory. zino has no command for it, so zee fills the viewer itself.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { isObject } from '@zee/core/json'
import { fillPage, pageJson } from '@zee/core/page'
import { createRedactor } from '@zee/core/redact'
import type { MemoryPage } from '@zee/web/data'
import manifest from '../../package.json' with { type: 'json' }
import { firstText, memoryText } from '../zino/zino.ts'

type Fields = Readonly<Record<string, unknown>>

const shownFacts = ['ts', 'tag', 'source', 'channel', 'channel_id', 'valid_from', 'valid_to']

export async function writeMemoryPage(
  id: string,
  memory: Fields,
  folder: string,
  host: Host,
): Promise<string> {
  const file = path.join(folder, `memory-${id.replaceAll(/[^\w.-]/g, '-')}.html`)
  const viewer = readFileSync(path.join(__dirname, 'viewer.html'), 'utf8')
  const page = memoryPage(id, memory, host)
  await writeFileAtomic(file, fillPage(viewer, { title: page.title, json: pageJson(page) }))
  return file
}

function memoryPage(id: string, memory: Fields, host: Host): MemoryPage {
  const redactor = createRedactor({ environment: host.env })
  const redact = (text: string) => redactor.text(text).text
  const messages = Array.isArray(memory.messages) ? memory.messages.filter(isObject) : []
  const texts = messages.map(({ role, content }) => ({
    role: String(role ?? 'text'),
    text: redact(String(content ?? '')),
  }))
  return {
    schemaVersion: 1,
    kind: 'memory',
    title: `memory ${id}`,
    generatedAt: rfc3339(host.clock.now()),
    madeBy: `zee ${manifest.version}`,
    id,
    messages: texts.length > 0 ? texts : [{ role: 'text', text: redact(memoryText(memory)) }],
    facts: shownFacts.flatMap((name) => {
      const value = redact(firstText(memory, [name]))
      return value === ''
        ? []
        : [{ name: name === 'ts' ? 'stored' : name.replace('_', ' '), value }]
    }),
  }
}
