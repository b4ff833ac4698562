// Brings the stored files of one repository to the commit of its revision. Texts are stored in batches of their own, then
// one transaction replaces the files, so that a process that is killed leaves the old commit or the new one.
import { isUtf8 } from 'node:buffer'
import { loadStoredTrees } from '@zee/corpus'
import type { RepositoryFile, RepositoryFiles } from '@zee/corpus'
import type { Session } from './database.ts'
import { bumpGeneration } from './schema.ts'

export interface RepositoryRow {
  id: string
  name: string
  /** Absolute path of the repository. */
  source: string
  revision: string
  commit: string | null
}

export interface Synced {
  commit: string
  /** Paths whose contents changed, and paths that are gone. */
  changed: number
  removed: number
  /** Texts that were not stored before. */
  texts: number
}

/** Bytes that are checked for a NUL byte, as git does. */
const checkedBytes = 8000
/** Larger files are listed, but not stored. */
const maxTextBytes = 50_000_000
const batchBytes = 4 << 20
const batchTexts = 500

/** Undefined if the commit is stored already. */
export async function syncRepository(
  session: Session,
  row: RepositoryRow,
): Promise<Synced | undefined> {
  const { repositoryFiles } = await loadStoredTrees()
  const source = repositoryFiles(row.source, row.revision)
  try {
    if (source.commit === row.commit) return undefined
    return await replaceFiles(session, row, source)
  } finally {
    source.close()
  }
}

async function replaceFiles(
  session: Session,
  { id }: RepositoryRow,
  source: RepositoryFiles,
): Promise<Synced> {
  const before = await storedObjects(session, id)
  const changed: RepositoryFile[] = []
  let files = 0
  for (const file of source.files()) {
    files++
    if (before.get(file.path) !== file.object) changed.push(file)
    before.delete(file.path)
  }
  const texts = await storeTexts(session, source, changed)
  const removed = [...before.keys()]
  await session.transaction(async () => {
    const remove = 'delete from zeno_fleet.files where repository = $1 and path = any($2)'
    if (removed.length > 0) await session.query(remove, [id, removed])
    for (let at = 0; at < changed.length; at += 5000) {
      await writeFiles(session, id, changed.slice(at, at + 5000))
    }
    await session.query(
      `update zeno_fleet.repositories set commit = $2, commit_time = $3, files = $4,
         synced_at = now(), problem = null where id = $1`,
      [id, source.commit, source.time, files],
    )
    await bumpGeneration(session)
  })
  return { commit: source.commit, changed: changed.length, removed: removed.length, texts }
}

async function storedObjects(session: Session, id: string): Promise<Map<string, string>> {
  const rows = await session.query<{ path: string; object: string }>(
    `select path, encode(object, 'hex') as object from zeno_fleet.files where repository = $1`,
    [id],
  )
  return new Map(rows.map(({ path, object }) => [path, object]))
}

async function writeFiles(
  session: Session,
  id: string,
  files: readonly RepositoryFile[],
): Promise<void> {
  await session.query(
    `insert into zeno_fleet.files (repository, path, object, blob)
     select $1, t.path, decode(t.object, 'hex'), b.id
     from unnest($2::text[], $3::text[], $4::bool[]) as t (path, object, is_file)
     left join zeno_fleet.blobs b on t.is_file and b.object = decode(t.object, 'hex')
     on conflict (repository, path) do update set object = excluded.object, blob = excluded.blob`,
    [
      id,
      files.map(({ path }) => path),
      files.map(({ object }) => object),
      files.map(({ kind }) => kind === 'file'),
    ],
  )
}

/** Stores the texts that no repository had before. Returns their number. */
async function storeTexts(
  session: Session,
  source: RepositoryFiles,
  changed: readonly RepositoryFile[],
): Promise<number> {
  const wanted = changed.filter(({ kind }) => kind === 'file').map(({ object }) => object)
  // One order for all workers: two that store the same texts cannot wait for each other.
  const objects = [...new Set(wanted)].sort()
  let stored = 0
  let batch: Text[] = []
  let bytes = 0
  const flush = async (): Promise<void> => {
    stored += batch.length
    if (batch.length > 0) await insertTexts(session, batch)
    batch = []
    bytes = 0
  }
  for (let at = 0; at < objects.length; at += batchTexts) {
    for (const object of await missingObjects(session, objects.slice(at, at + batchTexts))) {
      const text = textOf(object, source.read(object))
      if (text === undefined) continue
      batch.push(text)
      bytes += text.bytes
      if (bytes >= batchBytes) await flush()
    }
    await flush()
  }
  return stored
}

async function missingObjects(session: Session, objects: readonly string[]): Promise<string[]> {
  const rows = await session.query<{ object: string }>(
    `select o as object from unnest($1::text[]) o
     where not exists (select from zeno_fleet.blobs b where b.object = decode(o, 'hex')) order by o`,
    [objects],
  )
  return rows.map(({ object }) => object)
}

interface Text {
  object: string
  bytes: number
  body: string
  /** The bytes in base64, if the body does not have them all. */
  raw: string | null
}

/** Undefined for binary and very large files. */
function textOf(object: string, content: Buffer): Text | undefined {
  if (content.length > maxTextBytes) return undefined
  if (content.subarray(0, checkedBytes).includes(0)) return undefined
  const isExact = isUtf8(content) && !content.includes(0)
  const text = content.toString('utf8')
  return {
    object,
    bytes: content.length,
    // PostgreSQL cannot store NUL in a text.
    body: isExact ? text : text.replaceAll('\0', ' '),
    raw: isExact ? null : content.toString('base64'),
  }
}

async function insertTexts(session: Session, texts: readonly Text[]): Promise<void> {
  await session.query(
    `insert into zeno_fleet.blobs (object, bytes, body, raw)
     select decode(t.object, 'hex'), t.bytes, t.body, decode(t.raw, 'base64')
     from unnest($1::text[], $2::int[], $3::text[], $4::text[]) as t (object, bytes, body, raw)
     on conflict (object) do nothing`,
    [
      texts.map(({ object }) => object),
      texts.map(({ bytes }) => bytes),
      texts.map(({ body }) => body),
      texts.map(({ raw }) => raw),
    ],
  )
}
