// Checks the certificate of an answer: searches again with the same arguments, and compares the hits and the hashes.
import { readBoundedFile } from '@zee/core/bounded-file'
import { fileError, usageError, ZeeError } from '@zee/core/errors'
import { isObject, parseObject } from '@zee/core/json'
import type { Engine } from '../../engine/engine.ts'

type Row = Record<string, unknown>

export interface CertificateVerdict {
  status: 'ok' | 'changed' | 'invalid'
  files?: number
  root?: string
  /** What differs, one line each. */
  differences: string[]
}

/** Fields of a certificate that must be the same now. */
const comparedFields = ['files', 'bytes', 'root', 'excluded']

export async function checkCertificate(file: string, engine: Engine): Promise<CertificateVerdict> {
  const answer = readAnswer(file)
  const { certificate } = answer
  if (!isObject(certificate) || !isObject(certificate.args)) {
    return { status: 'invalid', differences: ['the answer has no certificate with args'] }
  }
  let now: Row
  try {
    now = await engine.run('grep', { ...certificate.args, certify: true })
  } catch (error) {
    if (!(error instanceof ZeeError)) throw error
    return { status: 'invalid', differences: [error.message] }
  }
  const current = isObject(now.certificate) ? now.certificate : {}
  const differences = [
    ...comparedFields.flatMap((name) => difference(name, certificate[name], current[name])),
    ...hitDifferences(answer, now),
  ]
  const status = differences.length === 0 ? 'ok' : 'changed'
  return { status, files: Number(current.files), root: String(current.root), differences }
}

/** The result of an answer line; a bare result is accepted too. */
function readAnswer(file: string): Row {
  let text: string
  try {
    text = readBoundedFile(file, { maxBytes: 256 << 20 }).toString('utf8')
  } catch (error) {
    const { code, message } = fileError('read', file, error)
    throw new ZeeError(code, message, { exitCode: 2, cause: error })
  }
  const answer = parseObject(text)
  if (answer === undefined) throw usageError(`--certificate: ${file} is not an answer in JSON`)
  return isObject(answer.result) ? answer.result : answer
}

function difference(name: string, was: unknown, is: unknown): string[] {
  const [before, after] = [JSON.stringify(was ?? null), JSON.stringify(is ?? null)]
  return before === after ? [] : [`${name} was ${before} and is now ${after}`]
}

/** An answer of several pages is compared as far as it goes. */
function hitDifferences(answer: Row, now: Row): string[] {
  if (typeof answer.text === 'string') return difference('text', answer.text, now.text)
  const [was, is] = [hitsOf(answer), hitsOf(now)]
  const isPart = answer.next_cursor !== undefined || now.next_cursor !== undefined
  const added = isPart ? [] : is.filter((hit) => !was.includes(hit))
  const known = new Set(is)
  return [
    ...was.filter((hit) => !known.has(hit)).map((hit) => `not found any more: ${hit}`),
    ...added.map((hit) => `missing in the answer: ${hit}`),
  ]
}

function hitsOf({ hits }: Row): string[] {
  return Array.isArray(hits) ? hits.map((hit) => JSON.stringify(hit)) : []
}
