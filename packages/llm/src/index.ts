// What other packages may use of this one.
export { createModel, type ModelOptions } from './create-model.ts'
export { keyOf } from './endpoint.ts'
export { listModels } from './list-models.ts'
export { ModelError, type ModelErrorKind } from './model-error.ts'
export type {
  Message,
  Model,
  ModelEvent,
  ModelRequest,
  Part,
  StopReason,
  ThinkingPart,
  ToolCallEndEvent,
  ToolCallPart,
  ToolResultPart,
  Usage,
} from './model.ts'
export { postJson } from './post-json.ts'
export { findProvider, providers, type ProviderRow } from './providers.ts'
export type { RetryWait } from './retry.ts'
