// Encodes a request for Gemini: roles `user` and `model` alternate, calls and results have no ids,
// and thought signatures return on the parts that they came with.
import { asRecord, asString, type JsonObject } from '../../json/json.ts'
import type {
  ImagePart,
  ModelRequest,
  Part,
  ThinkingPart,
  ToolSpec,
} from '../../request/request.ts'
import { arrangeConversation, safeToolName, type Turn } from '../conversation.ts'
import { outputTokenLimit, thinkingBudgets } from '../thinking-budget.ts'
import type { WireContext } from '../wire.ts'
import { geminiSchema, isPlainSchema, type GeminiSchema } from './schema.ts'

export interface GeminiBody {
  contents: GeminiContent[]
  tools?: { functionDeclarations: GeminiFunction[] }[]
  systemInstruction?: { parts: { text: string }[] }
  generationConfig?: GenerationConfig
}

interface GeminiContent {
  role: 'user' | 'model'
  parts: GeminiPart[]
}

type GeminiPart =
  | { text: string; thoughtSignature?: string }
  | { functionCall: { name: string; args: JsonObject }; thoughtSignature?: string }
  | { functionResponse: { name: string; response: JsonObject; parts?: InlineData[] } }
  | InlineData

interface InlineData {
  inlineData: { mimeType: string; data: string }
}

interface GeminiFunction {
  name: string
  description: string
  parameters?: GeminiSchema
  parametersJsonSchema?: JsonObject
}

interface GenerationConfig {
  maxOutputTokens?: number
  temperature?: number
  topP?: number
  thinkingConfig?: {
    includeThoughts?: true
    thinkingBudget?: number
    thinkingLevel?: 'low' | 'medium' | 'high'
  }
}

/** Gemini accepts this in place of the signature of a call by another provider's model. */
const signaturePlaceholder = 'skip_thought_signature_validator'

export function encodeGemini(request: ModelRequest, context: WireContext): GeminiBody {
  const { system, messages } = arrangeConversation(request)
  const encoder = createPartEncoder(context.provider, isThirdGeneration(request.model))
  const contents: GeminiContent[] = []
  for (const turn of messages) addTurn(contents, turn, encoder)
  const tools = (request.tools ?? []).map(encodeTool)
  const config = generationConfig(request, context)
  return {
    contents,
    ...(tools.length > 0 ? { tools: [{ functionDeclarations: tools }] } : {}),
    ...(system === undefined ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    ...(Object.keys(config).length > 0 ? { generationConfig: config } : {}),
  }
}

function isThirdGeneration(model: string): boolean {
  return Number(/gemini-(\d+)/.exec(model)?.[1] ?? 0) >= 3
}

/** Merges neighbours of one role, since roles must alternate. */
function addTurn(
  contents: GeminiContent[],
  turn: Turn,
  encode: (parts: Part[]) => GeminiPart[],
): void {
  const role = turn.role === 'assistant' ? 'model' : 'user'
  const parts = encode(turn.parts)
  const last = contents.at(-1)
  if (last?.role === role) last.parts.push(...parts)
  else contents.push({ role, parts })
}

function createPartEncoder(
  provider: string,
  isThirdGeneration: boolean,
): (parts: Part[]) => GeminiPart[] {
  const names = new Map<string, string>()
  return (parts) => {
    const signatures = signaturesByCall(parts, provider)
    let firstCall = true
    const encoded = parts.flatMap((part): GeminiPart[] => {
      switch (part.type) {
        case 'text': {
          const signature = signatures.get('')
          signatures.delete('')
          return [{ text: part.text, ...signatureField(signature) }]
        }
        case 'tool_call': {
          const name = safeToolName(part.name)
          names.set(part.id, name)
          const substitute = isThirdGeneration && firstCall ? signaturePlaceholder : undefined
          firstCall = false
          const args = asRecord(part.input) ?? {}
          return [
            {
              functionCall: { name, args },
              ...signatureField(signatures.get(part.id) ?? substitute),
            },
          ]
        }
        case 'image':
          return [encodeImage(part)]
        case 'tool_result': {
          const name = names.get(part.id) ?? 'unknown'
          const response = parseToolResponse(part.content)
          const images = (part.images ?? []).map(encodeImage)
          if (images.length === 0) return [{ functionResponse: { name, response } }]
          // Earlier models accept images only beside the response.
          if (!isThirdGeneration) return [{ functionResponse: { name, response } }, ...images]
          return [{ functionResponse: { name, response, parts: images } }]
        }
        case 'thinking':
          return []
      }
    })
    // Responses must not be separated by other parts.
    return encoded.toSorted((a, b) => Number('inlineData' in a) - Number('inlineData' in b))
  }
}

function encodeImage({ mediaType, data }: ImagePart): InlineData {
  return { inlineData: { mimeType: mediaType, data } }
}

/** Signatures by call id; the key '' is for text. */
function signaturesByCall(parts: readonly Part[], provider: string): Map<string, string> {
  const thinking = parts.filter(
    (part): part is ThinkingPart => part.type === 'thinking' && part.provider === provider,
  )
  return new Map(
    thinking.flatMap(({ signature, data }): [string, string][] =>
      signature === undefined ? [] : [[asString(asRecord(data)?.call) ?? '', signature]],
    ),
  )
}

function signatureField(signature: string | undefined): { thoughtSignature?: string } {
  return signature === undefined ? {} : { thoughtSignature: signature }
}

function parseToolResponse(content: string): JsonObject {
  try {
    const value: unknown = JSON.parse(content)
    return asRecord(value) ?? { result: value }
  } catch {
    return { result: content }
  }
}

function encodeTool({ name, description, schema }: ToolSpec): GeminiFunction {
  if (isPlainSchema(schema)) return { name, description, parameters: geminiSchema(schema) }
  const { $schema: _dialect, ...parametersJsonSchema } = schema
  // Gemini rejects an object schema without properties.
  return isEmptySchema(schema) ? { name, description } : { name, description, parametersJsonSchema }
}

function isEmptySchema(schema: JsonObject): boolean {
  const hasProperties = Object.keys(asRecord(schema.properties) ?? {}).length > 0
  const isReference = ['$ref', 'allOf', 'anyOf', 'oneOf'].some((key) => key in schema)
  return !hasProperties && !isReference && typeof schema.additionalProperties !== 'object'
}

function generationConfig(request: ModelRequest, { maxOutput }: WireContext): GenerationConfig {
  const thinkingConfig = encodeThinking(request)
  const limit = outputTokenLimit(request.maxTokens, request.thinking, maxOutput)
  return {
    ...(limit === undefined ? {} : { maxOutputTokens: limit }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.topP === undefined ? {} : { topP: request.topP }),
    ...(thinkingConfig === undefined ? {} : { thinkingConfig }),
  }
}

/** Thinking can be switched off only for the flash models of the second generation. */
function encodeThinking({ thinking, model }: ModelRequest): GenerationConfig['thinkingConfig'] {
  if (thinking === undefined) return undefined
  const third = isThirdGeneration(model)
  if (thinking === 'off')
    return !third && model.includes('flash') ? { thinkingBudget: 0 } : undefined
  if (third) return { includeThoughts: true, thinkingLevel: thinking }
  return { includeThoughts: true, thinkingBudget: thinkingBudgets[thinking] }
}
