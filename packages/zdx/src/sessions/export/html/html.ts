// `zdx view` and `zdx sessions export --format html`: a transcript in one self-contained file. Text is redacted before
// any other processing.
import { readSession } from '@zee/agent'
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import type { Write } from '@zee/core/lossless'
import { fillPage, pageJson, type PageContents } from '@zee/core/page'
import { createRedactor, type Redactor } from '@zee/core/redact'
import type { SessionPage, TurnFacts } from '@zee/web/data'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { withErrorContext } from '../../../errors/errors.ts'
import { baseFolder, sessionsFolder } from '../../../settings/settings.ts'
import manifest from '../../../../package.json' with { type: 'json' }
import { addCodeColours } from './code-colours.ts'
import { TurnCollector } from './turns.ts'

/** Returns the number of records; writes nothing for an empty session. */
export async function writeHtml(host: Host, id: string, write: Write): Promise<number> {
  const { contents, records } = await sessionPage(host, id)
  if (records > 0) await write(fillPage(readViewer(), contents))
  return records
}

export function readViewer(): string {
  return readFileSync(path.join(__dirname, 'viewer.html'), 'utf8')
}

/** The contents of the page, and the number of records in the session. */
export async function sessionPage(
  host: Host,
  id: string,
): Promise<{ contents: PageContents; records: number }> {
  const base = baseFolder(host.env, host.cwd)
  const folder = sessionsFolder(base)
  const collector = new TurnCollector(createRedactor({ environment: host.env }))
  let records = 0
  await withErrorContext(`load session '${id}'`, async () => {
    for await (const { record } of readSession(folder, id)) {
      collector.add(record)
      records += 1
    }
  })
  const page = await buildPage(id, base, collector, host)
  addCodeColours(page.turns, collector.texts)
  const parts = chunk(collector.texts, callsPerPart).map(pageJson)
  const later = page.turns.splice(countFirstTurns(page.turns))
  if (later.length > 0) page.laterTurns = parts.push(pageJson(later)) - 1
  return { contents: { title: page.title, json: pageJson(page), parts }, records }
}

/** Small enough that opening one call parses little; large enough for few elements. */
const callsPerPart = 200
/** Entries that the page parses before it is painted; further turns follow its code. */
const maxFirstEntries = 1000

/** The first turn is always among them. */
function countFirstTurns(turns: readonly TurnFacts[]): number {
  let entries = 0
  const index = turns.findIndex((turn, at) => {
    entries += turn.entries.length
    return at > 0 && entries > maxFirstEntries
  })
  return index === -1 ? turns.length : index
}

function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  const chunks = Math.ceil(items.length / size)
  return Array.from({ length: chunks }, (_, at) => items.slice(at * size, (at + 1) * size))
}

async function buildPage(
  id: string,
  base: string,
  collector: TurnCollector,
  host: Host,
): Promise<SessionPage> {
  const { readTitles } = await import('@zee/agent/sessions')
  const title = readTitles(base).get(id)
  return {
    schemaVersion: 1,
    kind: 'session',
    title: title === undefined ? collector.title() : redactText(title, collector.redactor),
    generatedAt: rfc3339(host.clock.now()),
    madeBy: `zdx ${manifest.version}`,
    sessionId: id,
    callsPerPart,
    ...collector.result(),
  }
}

function redactText(text: string, redactor: Redactor): string {
  return redactor.text(text).text
}
