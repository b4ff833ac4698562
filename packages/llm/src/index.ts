// What other packages may use of this one.
export { createModel, type ModelOptions } from './create-model.ts'
export { listModels, type ListOptions } from './list-models.ts'
export { ModelError, type ModelErrorKind } from './model-error.ts'
export type {
  InvalidInput,
  Message,
  Model,
  ModelEvent,
  ModelRequest,
  Part,
  StopReason,
  TextPart,
  ThinkingLevel,
  ThinkingPart,
  ToolCallEndEvent,
  ToolCallPart,
  ToolResultPart,
  ToolSpec,
  Usage,
} from './model.ts'
export { postJson, type JsonQuestion } from './post-json.ts'
export { keyOf } from './endpoint.ts'
export { findProvider, providers, type ProviderRow } from './providers.ts'
export type { RetryWait } from './retry.ts'
export type { Deadlines } from './transport.ts'
export type { Quirks, WireName } from './wire.ts'
