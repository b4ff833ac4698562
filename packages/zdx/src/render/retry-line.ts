// Why nothing happens for a moment.
import type { RetryWait } from '@zee/llm'

export function retryLine({ attempt, attempts, delayMs, error }: RetryWait): string {
  const seconds = (delayMs / 1000).toFixed(1)
  return `${error.message}; trying again in ${seconds} s (${attempt + 1} of ${attempts})`
}
