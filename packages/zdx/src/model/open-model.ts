// The chosen model, ready to be asked.
import type { Host } from '@zee/core/exit'
import type { Model, ModelOptions } from '@zee/llm'
import { createModel } from '@zee/llm'
import type { ChosenModel } from './choose-model.ts'

export function openModel(
  { row, baseUrl, key }: ChosenModel,
  host: Host,
  options: Pick<ModelOptions, 'joinText' | 'onRetry'> = {},
): Model {
  return createModel({
    provider: row,
    environment: host.env,
    clock: host.clock,
    userAgent: 'zdx',
    ...options,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(key === undefined ? {} : { key }),
  })
}
