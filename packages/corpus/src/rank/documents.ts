// The files of a corpus as documents: terms of their content, of their path and of the symbols that they define.
import { symbolsIn } from '../symbols/symbols.ts'
import { decodeText } from '../text/text.ts'
import { bytesOf, vectorOf } from './vector.ts'
import type { TermVector } from './vector.ts'

export interface FileDocument {
  path: string
  content: TermVector
  name: TermVector
  symbols: TermVector
  /** Factor for tests, vendored and generated files. */
  weight: number
  /** Estimated memory. */
  bytes: number
}

/** The rest of a larger file has no terms. */
const maxBytes = 512 << 10
const checkedBytes = 8000

const vendored =
  /(?:^|\/)(?:vendor|vendored|third[-_]?party|node_modules|dist|external|deps|extern|site-packages|__snapshots__)\/|\.min\.(?:js|css)$|(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|poetry\.lock|uv\.lock|go\.sum)$|[._]pb2?\.(?:go|py)$|\.generated\.|\.snap$/
const tests =
  /(?:^|\/)(?:tests?|__tests__|spec|testdata|fixtures?)\/|(?:^|\/)(?:test_[^/]*|[^/]*(?:_test|\.test|\.spec|-test)\.[^/.]+|conftest\.py)$/

/** Undefined for a binary file. */
export function documentOf(path: string, bytes: Buffer): FileDocument | undefined {
  if (bytes.subarray(0, checkedBytes).includes(0)) return undefined
  const part = bytes.length > maxBytes ? bytes.subarray(0, maxBytes) : bytes
  const content = vectorOf([decodeText(part)])
  const found = symbolsIn(path, Buffer.from(part), 'outline').symbols
  const symbols = vectorOf(found.map(({ name }) => name))
  const name = vectorOf(pathTexts(path))
  const size = bytesOf(content) + bytesOf(symbols) + bytesOf(name) + path.length * 2 + 400
  return { path, content, name, symbols, weight: weightOf(path), bytes: size }
}

/** The name of a file counts twice, and its folders once. */
function pathTexts(path: string): string[] {
  const file = path.slice(path.lastIndexOf('/') + 1)
  const bare = file.replace(/\.[^.]+$/, '')
  return [path, bare === '' ? file : bare]
}

export function weightOf(path: string): number {
  if (vendored.test(path)) return 0.3
  return tests.test(path) ? 0.8 : 1
}
