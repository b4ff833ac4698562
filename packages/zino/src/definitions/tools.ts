// Tools: the executors that run code. A tool is identified by its executor, not by its file name.
import type { Logger } from '@zee/core/log'
import { metaText, readDefinitionFiles } from './definition-files.ts'

export interface Tool {
  /** The registry key and the command that runs a script. */
  executor: string
  fileExtension: string
  staticAnalysis: string | undefined
}

/** Tools by executor; the first file in name order wins. */
export function loadTools(folder: string, log: Logger): ReadonlyMap<string, Tool> {
  const tools = new Map<string, Tool>()
  for (const { name, meta } of readDefinitionFiles(folder, log)) {
    const executor = metaText(meta, 'executor') ?? name
    if (tools.has(executor)) continue
    tools.set(executor, {
      executor,
      fileExtension: metaText(meta, 'file_extension') ?? '',
      staticAnalysis: metaText(meta, 'static_analysis'),
    })
  }
  return tools
}

const functionPrefix = 'execute_'

/** The function name that the model calls to run code with `executor`. */
export function functionName(executor: string): string {
  return functionPrefix + executor
}

/** The executor of the function that the model called; undefined for an unknown function. */
export function executorForFunction(
  tools: ReadonlyMap<string, Tool>,
  called: string,
): string | undefined {
  if (!called.startsWith(functionPrefix)) return undefined
  return tools.get(called.slice(functionPrefix.length))?.executor
}

/** All names by which capabilities may permit an executor. */
export function executorNames(executor: string): string[] {
  return [executor, functionName(executor)]
}
