// Text that lies beside the streams: captured output and prompts. It is bounded, inside the run and
// free of secrets, or that is a finding.
import { createHash } from 'node:crypto'
import { closeSync, readSync } from 'node:fs'
import { openArtifact, type EvidenceFolder } from '../artifact/artifact.ts'
import type { FindingLocation } from './rules.ts'
import type { Scope } from './findings.ts'
import { reportSecret, findSecret } from './secrets.ts'
import { reportUnreadable } from './stream.ts'

const chunkBytes = 256 * 1024
/** Enough for any token that stands across two chunks. */
const overlap = 4096

type LineCheck = (
  value: Record<string, unknown>,
  bytes: number,
  scope: Scope,
  place: FindingLocation,
) => void

/** Checks what each line of captures.jsonl points to. */
export function captureChecker(from: EvidenceFolder, isCi: boolean): LineCheck {
  return (value, _bytes, scope, place) => {
    const isRaw = value.redacted === false
    if (isRaw) {
      // The mode of the attempt decides, not how strictly it is looked at.
      reportSecret(`${place.prefix}a raw capture`, scope.withStrict(isCi), place.name)
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
  /** What its index says that it holds. */
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
    if (rules.sha256 !== undefined && rules.sha256 !== hashOf(opened.descriptor)) {
      const message = 'it is not what was captured: its hash is another'
      scope.warning('ZCL_W_CONTRACT', message, name)
    }
  } finally {
    closeSync(opened.descriptor)
  }
}

/** The schema has told about these already; they must not be opened. */
function leavesFolder(pointer: string): boolean {
  return pointer === '' || pointer.startsWith('/') || pointer.split(/[\\/]/).includes('..')
}

function hashOf(descriptor: number): string {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(chunkBytes)
  for (let at = 0; ;) {
    const got = readSync(descriptor, buffer, 0, chunkBytes, at)
    if (got === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, got))
    at += got
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
