// A search at a revision. Signatures of blobs choose the candidates; their contents come from memory or from the
// object database. The list of files of a tree is cached per selection, because revisions never change.
import type {
  Candidate,
  CandidateBatch,
  Candidates,
  OpenedText,
  Scanned,
  SearchEnd,
  SearchPlan,
  SearchRequest,
  SearchTask,
  TextSource,
} from '../search/search.ts'
import { plainSearcher } from '../search/search.ts'
import { compileRegex } from '../regex/regex.ts'
import type { Steps } from '../steps.ts'
import { comparePaths } from '../walk/walk.ts'
import type { ExcludedCount } from '../walk/walk.ts'
import type { BlobFacts, BlobStore } from './blob-store.ts'
import type { Revision, RevisionReader } from './revision.ts'
import { mayContain, trigramHashes } from './signature.ts'
import { RevisionWalk } from './walk.ts'

interface FileList {
  paths: string[]
  objects: string[]
  /** Filled by the first search. */
  facts: BlobFacts[]
  excluded: ExcludedCount
}

const maxLists = 16

/** The files of trees by selection, for the trees searched last. */
export class SearchLists {
  readonly #lists = new Map<string, FileList>()

  get(key: string): FileList | undefined {
    const list = this.#lists.get(key)
    if (list === undefined) return undefined
    this.#lists.delete(key)
    this.#lists.set(key, list)
    return list
  }

  set(key: string, list: FileList): void {
    this.#lists.set(key, list)
    const [oldest] = this.#lists.keys()
    if (this.#lists.size > maxLists && oldest !== undefined) this.#lists.delete(oldest)
  }
}

export function* planRevisionSearch(
  reader: RevisionReader,
  revision: Revision,
  task: SearchTask,
): Steps<SearchPlan> {
  reader.blobs.startPass()
  const list = yield* listFor(reader, revision, task.request)
  const files = new RevisionFiles(reader, list, task)
  const started = reader.search?.start(files, task)
  return {
    candidates: files,
    searcher: plainSearcher(files, task, started?.search),
    // oxlint-disable-next-line require-yield
    *excluded() {
      return list.excluded
    },
    close: () => started?.close(),
  }
}

function* listFor(
  { lists, repository, root, blobs }: RevisionReader,
  { tree }: Revision,
  { selection, paths, selectionKey }: SearchRequest,
): Steps<FileList> {
  const key = `${tree} ${selectionKey}`
  const known = lists.get(key)
  if (known !== undefined) return known
  const readBlob = (object: string): Buffer => blobs.read(object)
  const options = { ...selection.walk, from: undefined }
  const walk = new RevisionWalk(repository, { root, tree, readBlob }, options)
  const list: FileList = { paths: [], objects: [], facts: [], excluded: walk.excluded }
  for (let step = 0; walk.next(); step++) {
    if (step % 1024 === 0) yield
    const { path, entry } = walk
    if (entry?.kind !== 'file' || walk.isDenied) continue
    if (selection.excluded?.matches(path) === true || paths?.matches(path) === false) continue
    list.paths.push(path)
    list.objects.push(entry.object)
  }
  lists.set(key, list)
  return list
}

/** Files per batch. A batch of files whose facts are unknown reads them all. */
const batchFiles = 128

class RevisionFiles implements Candidates, CandidateBatch, TextSource {
  readonly reader: number
  readonly #blobs: BlobStore
  readonly #list: FileList
  readonly #task: SearchTask
  readonly #hashes: Uint32Array
  /** Number in the list of the first file, and the number after the last. */
  readonly #first: number
  readonly #end: number
  readonly #reason: 'all' | 'limited'
  #next: number
  #batchEnd: number
  /** Totals up to a file, by its number from the first. */
  readonly #chars: Float64Array
  readonly #large: Uint32Array

  constructor({ blobs, number }: RevisionReader, list: FileList, task: SearchTask) {
    this.reader = number
    const { request } = task
    const { resume, selection } = request
    this.#blobs = blobs
    this.#list = list
    this.#task = task
    this.#hashes = hashesOf(task)
    this.#first = resume === undefined ? 0 : firstFrom(list.paths, resume.path)
    const limit = this.#first + Math.max(0, selection.maxFiles - (resume?.files ?? 0))
    this.#end = Math.min(list.paths.length, limit)
    this.#reason = this.#end < list.paths.length ? 'limited' : 'all'
    this.#next = this.#first
    this.#batchEnd = this.#first
    const count = this.#end - this.#first + 1
    this.#chars = new Float64Array(count)
    this.#large = new Uint32Array(count)
  }

  *nextBatch(): Steps<CandidateBatch | SearchEnd> {
    const { time } = this.#task
    yield
    const scanned = this.#scannedBefore(this.#next)
    if (this.#next >= this.#end) return { reason: this.#reason, scanned }
    if (time.hasDeadline && time.remainingMs() <= 0) return { reason: 'expired', scanned }
    this.#batchEnd = Math.min(this.#end, this.#next + batchFiles)
    return this
  }

  next(): Candidate | undefined {
    const { facts } = this.#list
    const { maxBytes } = this.#task.request
    while (this.#next < this.#batchEnd) {
      const at = this.#next++
      const fact = (facts[at] ??= this.#blobs.facts(this.#list.objects[at] as string))
      const file = at - this.#first
      const isLarge = fact.bytes > maxBytes
      this.#chars[file + 1] = (this.#chars[file] as number) + (isLarge ? 0 : fact.chars)
      this.#large[file + 1] = (this.#large[file] as number) + (isLarge ? 1 : 0)
      if (!isLarge && mayContain(fact.signature, this.#hashes)) return file
    }
    return undefined
  }

  path(file: Candidate): string {
    return this.#list.paths[this.#first + file] as string
  }

  open(file: Candidate): OpenedText {
    return this.#blobs.read(this.#list.objects[this.#first + file] as string)
  }

  stamp(file: Candidate): string {
    return this.#list.objects[this.#first + file] as string
  }

  isStale(): boolean {
    return false
  }

  reread(file: Candidate): OpenedText {
    return this.open(file)
  }

  scanned(file: Candidate): Scanned {
    return this.#scannedBefore(this.#first + file + 1)
  }

  #scannedBefore(at: number): Scanned {
    const files = at - this.#first
    return { files, chars: this.#chars[files] ?? 0, skippedLarge: this.#large[files] ?? 0 }
  }
}

/** Hashes of a text that every match contains; none if there is no such text. */
function hashesOf({ request, matcher }: SearchTask): Uint32Array {
  if (matcher.kind === 'inline' && matcher.needle !== undefined) {
    return trigramHashes(matcher.needle.bytes)
  }
  const { pattern, regex, caseSensitive } = request
  if (!regex) return trigramHashes(new Uint8Array())
  const { required } = compileRegex(pattern, { lines: true, ignoreCase: !caseSensitive })
  return trigramHashes(Buffer.from(required ?? ''))
}

/** The number of the first path that is not before `path`. */
function firstFrom(paths: readonly string[], path: string): number {
  let [low, high] = [0, paths.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (comparePaths(paths[middle] as string, path) < 0) low = middle + 1
    else high = middle
  }
  return low
}
