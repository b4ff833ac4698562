// `zcl compare`: compares two sets of runs; a gate sets the exit code for pipelines.
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { compareRuns, junitOfComparison } from '@zee/evidence/statistics/compare'
import type { CompareOptions, Comparison } from '@zee/evidence/statistics/compare'
import { complain, printJson, printLines } from '../output/output.ts'
import { zclError } from '../errors/errors.ts'
import { comparisonMarkdown } from './markdown.ts'
import { describeComparison, verdictLines } from './text.ts'
import type { Format } from './compare.ts'
import { readRuns } from './read-runs.ts'

export interface CompareFlags extends CompareOptions {
  alsoA: readonly string[]
  alsoB: readonly string[]
  format: string | undefined
  out: string | undefined
  json: boolean
}

export async function runCompare(
  a: string,
  b: string,
  flags: CompareFlags,
  host: Host,
): Promise<number> {
  const format = chooseFormat(flags)
  const sides = {
    a: { runs: await readRuns([a, ...flags.alsoA], host) },
    b: { runs: await readRuns([b, ...flags.alsoB], host) },
  }
  const comparison = compareOrRefusal(() => compareRuns(sides.a, sides.b, flags))
  if (comparison instanceof ZeeError) {
    const { code, message } = comparison
    if (flags.json || format === 'json') printJson(host, { ok: false, code, message })
    throw comparison
  }
  await writeAnswer(comparison, format, flags, host)
  const { gate } = comparison
  if (gate?.failed !== true) return 0
  complain(host, 'ZCL_E_REGRESSION', gate.reasons.join('; '))
  return 2
}

function chooseFormat({ format, json, out }: CompareFlags): Format {
  if (format === undefined) return json ? 'json' : 'text'
  if (json && format !== 'json' && out === undefined) {
    const message = `--json and --format ${format} both write to stdout; drop one of them or add --out`
    throw zclError('ZCL_E_USAGE', message)
  }
  return format as Format
}

function compareOrRefusal(compare: () => Comparison): Comparison | ZeeError {
  try {
    return compare()
  } catch (error) {
    if (error instanceof ZeeError && error.code === 'ZCL_E_NOT_COMPARABLE') return error
    throw error
  }
}

/** Writes the document to `--out` and the verdict to stdout, or the document to stdout. */
async function writeAnswer(
  comparison: Comparison,
  format: Format,
  { out, json }: CompareFlags,
  host: Host,
): Promise<void> {
  if (out !== undefined) {
    await writeFileAtomic(path.resolve(host.cwd, out), renderDocument(comparison, format, host))
    if (json) printJson(host, comparison)
    else printLines(host, [...verdictLines(comparison), `${out} written`])
    return
  }
  if (format === 'text') printLines(host, describeComparison(comparison, host))
  else host.stdout.write(renderDocument(comparison, format, host))
}

function renderDocument(comparison: Comparison, format: Format, host: Host): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(comparison, undefined, 2)}\n`
    case 'markdown':
      return comparisonMarkdown(comparison)
    case 'junit':
      return junitOfComparison(comparison)
    case 'text': {
      const plain = { ...host, env: { ...host.env, NO_COLOR: '1' } }
      return `${describeComparison(comparison, plain).join('\n')}\n`
    }
  }
}
