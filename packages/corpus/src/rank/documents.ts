// The files of a corpus as documents: terms of their content, of their path and of the symbols that they define.
import { symbolsIn } from '../symbols/symbols.ts'
import { decodeText } from '../text/text.ts'
import { bytesOf, vectorOf } from './vector.ts'
import type { TermVector } from './vector.ts'

export const fields = ['content', 'symbols', 'file', 'folder'] as const
export type Field = (typeof fields)[number]
export type FieldVectors = Readonly<Record<Field, TermVector>>

/** What a file says, before it is stored. */
export interface FileTerms {
  path: string
  vectors: FieldVectors
  /** Factor for tests, vendored and generated files. */
  weight: number
  /** Its content has no terms, because the memory for terms is used up. */
  isNamesOnly: boolean
}

/** The rest of a larger file has no terms. */
const maxBytes = 512 << 10
const checkedBytes = 8000

const vendored =
  /(?:^|\/)(?:vendor|vendored|third[-_]?party|node_modules|external|extern|site-packages|\.[a-z]+_cache|\.tox|\.nox|\.idea)\/|\.min\.(?:m?js|css)$/
const generated =
  /(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|poetry\.lock|uv\.lock|go\.sum)$|[._]pb2?\.(?:go|py)$|\.generated\.|\.snap$/
const tests =
  /(?:^|\/)(?:tests?|__tests__|spec|testing|testdata|fixtures?)\/|(?:^|\/)(?:test_[^/]*|[^/]*(?:_test|\.test|\.spec|-test)\.[^/.]+|conftest\.py)$/

/** Undefined for a binary file. Without `hasContent` only the path counts. */
export function termsOfFile(
  path: string,
  bytes: Buffer,
  hasContent: boolean,
): FileTerms | undefined {
  if (bytes.subarray(0, checkedBytes).includes(0)) return undefined
  const part = bytes.length > maxBytes ? bytes.subarray(0, maxBytes) : bytes
  const symbols = hasContent ? symbolsIn(path, Buffer.from(part), 'outline').symbols : []
  const name = path.slice(path.lastIndexOf('/') + 1)
  const vectors = {
    content: vectorOf(hasContent ? [decodeText(part)] : []),
    symbols: vectorOf(symbols.map((symbol) => symbol.name)),
    file: vectorOf([bareNameOf(name)]),
    folder: vectorOf([path.slice(0, path.length - name.length)]),
  }
  return { path, vectors, weight: weightOf(path), isNamesOnly: !hasContent }
}

/** Estimated memory. */
export function sizeOf({ path, vectors }: FileTerms): number {
  return fields.reduce((sum, field) => sum + bytesOf(vectors[field]), path.length * 2 + 500)
}

/** A file name without its last extension. */
export function bareNameOf(name: string): string {
  return name.replace(/\.[^.]+$/, '') || name
}

/** `lock` for `lock.ts`, `test_lock.py` and `lock_test.go`. */
export function testedNameOf(name: string): string {
  return bareNameOf(name)
    .replace(/^test_|_test$|[._-](?:tests?|spec)$/g, '')
    .toLowerCase()
}

export function weightOf(path: string): number {
  if (vendored.test(path)) return 0.5
  if (generated.test(path)) return 0.6
  return tests.test(path) ? 0.9 : 1
}
