// Validates text artifacts: captured output and prompts. They must be inside the run, within their
// cap and free of secrets.
import { createHash } from 'node:crypto'
import { closeSync, readSync } from 'node:fs'
import { openArtifact, type EvidenceFolder } from '../artifact/artifact.ts'
import type { FindingLocation } from './rules.ts'
import type { Scope } from './findings.ts'
import { reportSecret, findSecret } from './secrets.ts'
import { reportUnreadable } from './stream.ts'

const chunkBytes = 256 * 1024
/** Longer than any token, so that a secret across two chunks is found. */
const overlap = 4096

type LineCheck = (
  value: Record<string, unknown>,
  bytes: number,
  scope: Scope,
  location: FindingLocation,
) => void

/** Checks the files that each line of captures.jsonl points to. */
export function captureChecker(from: EvidenceFolder, isCi: boolean): LineCheck {
  return (value, _bytes, scope, location) => {
    const isRaw = value.redacted === false
    if (isRaw) {
      // The mode of the attempt decides, not the strictness of the validation.
      reportSecret(`${location.prefix}a raw capture`, scope.withStrict(isCi), location.name)
    }
    for (const stream of ['stdout', 'stderr'] as const) {
      const pointer = value[`${stream}Path`]
      const sha256 = value[`${stream}Sha256`]
      if (typeof pointer !== 'string' || leavesFolder(pointer)) continue
      checkText(from, pointer, scope, {
        maxBytes: typeof value.maxBytes === 'number' ? value.maxBytes : undefined,
        isRequired: true,
        mayHoldSecrets: isRaw,
        sha256: typeof sha256 === 'string' ? sha256 : undefined,
      })
    }
  }
}

export interface TextRules {
  maxBytes?: number | undefined
  isRequired?: boolean
  mayHoldSecrets?: boolean
  /** The hash that captures.jsonl states. */
  sha256?: string | undefined
}

export function checkText(
  from: EvidenceFolder,
  name: string,
  scope: Scope,
  rules: TextRules = {},
): void {
  const opened = openArtifact(from, name)
  if (opened.failure === 'missing') {
    if (rules.isRequired !== true) return
    const message = 'it is not there'
    return scope.either('ZCL_E_MISSING_ARTIFACT', 'ZCL_W_MISSING_ARTIFACT', message, name)
  }
  if (opened.failure !== undefined) return reportUnreadable(opened, scope, name)
  try {
    if (rules.maxBytes !== undefined && opened.size > rules.maxBytes) {
      const message = `it has ${opened.size} bytes, at most ${rules.maxBytes} are allowed`
      scope.error('ZCL_E_BOUNDS', message, name)
    }
    const rule = rules.mayHoldSecrets === true ? undefined : secretInFile(opened.descriptor)
    if (rule !== undefined) {
      reportSecret(`it holds what looks like a secret (${rule})`, scope, name)
    }
    if (rules.sha256 !== undefined && rules.sha256 !== hashOfFile(opened.descriptor)) {
      const message = 'it is not what was captured: its hash is another'
      scope.warning('ZCL_W_CONTRACT', message, name)
    }
  } finally {
    closeSync(opened.descriptor)
  }
}

/** The schema check reports these pointers; they must not be opened. */
function leavesFolder(pointer: string): boolean {
  return pointer === '' || pointer.startsWith('/') || pointer.split(/[\\/]/).includes('..')
}

/** The SHA-256 of the whole file, read from its start. */
export function hashOfFile(descriptor: number): string {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(chunkBytes)
  for (let offset = 0; ;) {
    const got = readSync(descriptor, buffer, 0, chunkBytes, offset)
    if (got === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, got))
    offset += got
  }
}

function secretInFile(descriptor: number): string | undefined {
  const buffer = Buffer.allocUnsafe(chunkBytes)
  let kept = 0
  for (;;) {
    const got = readSync(descriptor, buffer, kept, chunkBytes - kept, null)
    if (got === 0) return undefined
    const end = kept + got
    const rule = findSecret(buffer.toString('utf8', 0, end))
    if (rule !== undefined) return rule
    kept = Math.min(overlap, end)
    buffer.copyWithin(0, end - kept, end)
  }
}
