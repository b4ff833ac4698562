// Tools: what code can be executed with. A tool is known by its executor, not by its file's name.
import type { Logger } from '@zee/core/log'
import { metaText, readDefinitionFiles } from './definition-files.ts'

export interface Tool {
  /** Both the name in the registry and the command that runs a script. */
  executor: string
  fileExtension: string
  staticAnalysis: string | undefined
}

/** By executor; the first file in name order counts. */
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

/** What the model calls to run code with an executor. */
export function functionName(executor: string): string {
  return functionPrefix + executor
}

/** The executor behind a function that the model called. */
export function executorForFunction(
  tools: ReadonlyMap<string, Tool>,
  called: string,
): string | undefined {
  if (!called.startsWith(functionPrefix)) return undefined
  return tools.get(called.slice(functionPrefix.length))?.executor
}
