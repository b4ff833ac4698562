import { createHash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tree } from '../../test/support/trees.ts'
import { digestOfFile, leafOf, merkleRoot, sha256Of } from './merkle.ts'

const sha256 = (...parts: (Buffer | string)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()

const [zero, one] = [Buffer.from([0]), Buffer.from([1])]
const leaves = Array.from({ length: 7 }, (_, at) => sha256(`leaf ${at}`))

test('a digest is SHA-256 of the bytes', () => {
  expect(sha256Of(Buffer.from('abc')).toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})

test.each([
  ['', 0, 0],
  ['text', 4, 4],
  ['text', 3, undefined],
  ['x'.repeat(70_000), 70_000, 70_000],
  ['x'.repeat(70_000), 69_999, undefined],
])('a file is digested up to max_bytes', (content, maxBytes, bytes) => {
  const fd = openSync(path.join(tree({ file: content }), 'file'), 'r')
  onTestFinished(() => closeSync(fd))
  const expected = bytes === undefined ? undefined : { digest: sha256(content), bytes }
  expect(digestOfFile(fd, maxBytes)).toEqual(expected)
})

test('a leaf covers the path and the digest of a file', () => {
  const digest = sha256('content')
  expect(leafOf('a/b.txt', digest)).toEqual(sha256(zero, 'a/b.txt', zero, digest))
})

const node = (left: Buffer, right: Buffer): Buffer => sha256(one, left, right)
const [a, b, c, d, e, f, g] = leaves as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer]

test.each([
  [0, sha256('')],
  [1, a],
  [2, node(a, b)],
  [3, node(node(a, b), c)],
  [4, node(node(a, b), node(c, d))],
  [5, node(node(node(a, b), node(c, d)), e)],
  [6, node(node(node(a, b), node(c, d)), node(e, f))],
  [7, node(node(node(a, b), node(c, d)), node(node(e, f), g))],
])('the root of %d leaves is that of RFC 6962', (count, root) => {
  expect(merkleRoot(Buffer.concat(leaves.slice(0, count)))).toBe(root.toString('hex'))
})
