// Collects what the exam room stored about an attempt, for its page: workspace diff, verifier output,
// scores and votes.
import { readJsonArtifact, readTextArtifact } from '@zee/evidence/artifact'
import { artifactName, labArtifactName } from '@zee/evidence/layout'
import { isObject } from '@zee/core/json'
import type { ExamFacts, JudgeFacts, VerifierFacts, WorkspaceFacts } from '@zee/web/data'
import { pageText } from './page-budget.ts'

interface Place {
  path: string
  within: string
}

const maxDiffBytes = 128 * 1024
const maxOutputBytes = 16 * 1024
const maxItems = 100

/** Empty for an attempt without workspace, graders and isolation. */
export function examFacts(from: Place): { exam?: ExamFacts } {
  const workspace = workspaceOf(from)
  const verifiers = listOf(from, labArtifactName.verification, 'steps').map(verifierOf)
  const scores = listOf(from, labArtifactName.score, 'findings').map(scoreOf)
  const judge = judgeOf(from)
  const isolation = isolationOf(from)
  const isEmpty = verifiers.length === 0 && scores.length === 0
  if (isEmpty && workspace === undefined && judge === undefined && isolation === undefined)
    return {}
  return {
    exam: {
      isolation,
      workspace,
      verifiers,
      scores,
      judge,
    },
  }
}

type Values = Readonly<Record<string, unknown>>

function objectOf(from: Place, name: string): Values | undefined {
  const read = readJsonArtifact(from, name)
  return read.failure === undefined ? read.value : undefined
}

function listOf(from: Place, name: string, key: string): Values[] {
  const list = objectOf(from, name)?.[key]
  return Array.isArray(list) ? list.filter(isObject).slice(0, maxItems) : []
}

function isolationOf(from: Place): string | undefined {
  const { isolation, isolationTool, network } = objectOf(from, artifactName.attempt) ?? {}
  if (typeof isolation !== 'string') return undefined
  const tool = typeof isolationTool === 'string' ? ` by ${isolationTool}` : ''
  return `${isolation}${tool}${typeof network === 'string' ? `, network ${network}` : ''}`
}

function workspaceOf(from: Place): WorkspaceFacts | undefined {
  const file = objectOf(from, labArtifactName.workspace)
  if (file === undefined) return undefined
  const changes = isObject(file.changes) ? file.changes : {}
  const diff = readTextArtifact(from, labArtifactName.workspaceDiff) ?? ''
  return {
    added: numberOf(changes.added),
    modified: numberOf(changes.modified),
    deleted: numberOf(changes.deleted),
    diff: pageText(diff, maxDiffBytes),
    isRetained: file.retained === true,
  }
}

function verifierOf(step: Values): VerifierFacts {
  const { command, ok, exitCode, message, durationMs, stdout, stderr } = step
  return {
    command: Array.isArray(command) ? command.map(String).join(' ') : '',
    ok: ok === true,
    ...(typeof exitCode === 'number' ? { exitCode } : {}),
    ...(typeof message === 'string' ? { message } : {}),
    durationMs: numberOf(durationMs),
    stdout: pageText(textOf(stdout), maxOutputBytes),
    stderr: pageText(textOf(stderr), maxOutputBytes),
  }
}

function scoreOf({ scorer, ok, message }: Values): ExamFacts['scores'][number] {
  return {
    scorer: textOf(scorer),
    ok: ok === true,
    ...(typeof message === 'string' ? { message } : {}),
  }
}

function judgeOf(from: Place): JudgeFacts | undefined {
  const file = objectOf(from, labArtifactName.judge)
  if (file === undefined) return undefined
  const votes = listOf(from, labArtifactName.judge, 'votes').map(
    ({ status, ok, reason, message }) => {
      const why = reason ?? message
      return {
        status: textOf(status),
        ...(typeof ok === 'boolean' ? { ok } : {}),
        ...(typeof why === 'string' ? { reason: why } : {}),
      }
    },
  )
  return {
    ...(typeof file.ok === 'boolean' ? { ok: file.ok } : {}),
    model: textOf(file.model),
    votes,
  }
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
