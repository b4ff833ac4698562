// Google's Gemini API (generateContent).
import type { ModelRequest } from '../../request/request.ts'
import type { Wire } from '../wire.ts'
import { createGeminiDecoder } from './decode.ts'
import { encodeGemini } from './encode.ts'

export const gemini: Wire = {
  path: ({ model, stream }: ModelRequest) =>
    `/${resource(model)}:${stream === false ? 'generateContent' : 'streamGenerateContent?alt=sse'}`,
  modelsPath: '/models?pageSize=1000',
  headers: (key): Record<string, string> => (key === undefined ? {} : { 'x-goog-api-key': key }),
  encode: encodeGemini,
  createDecoder: createGeminiDecoder,
}

/** Keeps `models/x` and `tunedModels/x`; a bare name becomes `models/<name>`. */
function resource(model: string): string {
  const segments = model.split('/').map(encodeURIComponent)
  return segments.length > 1 ? segments.join('/') : `models/${segments.join('')}`
}
