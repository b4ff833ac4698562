// The public interface of the package.
export {
  ModelError,
  refusalOf,
  type ModelErrorKind,
  type Refusal,
  type SamplingParameter,
} from './errors/errors.ts'
export { createModel, listModels, type ModelOptions } from './models/models.ts'
export { findProvider, findApiKey, providers, type ProviderRow } from './providers/providers.ts'
export type {
  AbandonedAttempt,
  ImagePart,
  Message,
  Model,
  ModelEvent,
  ModelRequest,
  Part,
  StopReason,
  TextPart,
  ThinkingPart,
  ToolCallEndEvent,
  ToolCallPart,
  ToolResultPart,
  Usage,
} from './request/request.ts'
export type { OnRetry, RetryWait } from './retry/retry.ts'
export {
  findProxy,
  loadTransport,
  postJson,
  type HttpResponse,
  type Transport,
} from './transport/transport.ts'
export { wireNames } from './wires/wires.ts'
